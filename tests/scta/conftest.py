"""The tests of `scta` run kernels as those of `unroll` do."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unroll"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mbarrier"))
