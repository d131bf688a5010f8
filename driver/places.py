"""Places and dims as text for people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def dims_text(dims: Mapping[str, int]) -> str:
    """`n=33 rows=4`, or "" without dims."""
    return " ".join(f"{name}={value}" for name, value in dims.items())


def where(place: Mapping[str, Any]) -> str:
    """Where a finding, access or step is: file and line of the source, and the line of the PTX."""
    source, line = place["source"], place["ptx_line"]
    ptx = f"PTX line {line}" if line else "an unknown place"
    if not source:
        return ptx
    within = source.get("within")
    inside = f"within {Path(within['file']).name}:{within['line']}, " if within else ""
    name = f"{Path(source['file']).name}:{source['line']}"
    return f"{name} ({inside}{ptx})" if inside or line else name  # a NumPy function has no PTX
