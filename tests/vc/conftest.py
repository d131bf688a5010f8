"""The tests of `vc` run kernels as those of `unroll` do, and specs as those of `trace`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unroll"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "trace"))
