"""The tests of barrier objects run kernels as those of `unroll` do."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unroll"))
