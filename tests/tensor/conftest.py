"""The tests of matrix instructions run kernels as those of `unroll` do, and evaluate graphs as those of `vc`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("unroll", "vc")]
