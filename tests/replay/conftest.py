"""The fragments that the PTX ISA prints are those of the tests of matrix instructions."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tensor"))
