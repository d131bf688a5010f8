"""Names in a function body: registers and variables by scope, special registers, symbols of the module."""

from __future__ import annotations

import re

from volta_pipe.passes.lower.tree import Register, Scope, Variable

# All special registers of PTX ISA 10: an unlisted name with a percent sign is a register that was not declared.
_SPECIAL = re.compile(
    r"(?:(?:tid|ntid|ctaid|nctaid|clusterid|nclusterid|cluster_ctaid|cluster_nctaid)(?:\.[xyzw])?"
    r"|laneid|warpid|nwarpid|smid|nsmid|gridid|is_explicit_cluster|cluster_ctarank|cluster_nctarank"
    r"|lanemask_(?:eq|le|lt|ge|gt)|clock|clock_hi|clock64|pm[0-7](?:_64)?|envreg\d+|globaltimer(?:_lo|_hi)?"
    r"|reserved_smem_offset_\w+|total_smem_size|aggr_smem_size|dynamic_smem_size|current_graph_exec)"
)


def is_special(name: str) -> bool:
    """Whether a name (with its percent sign) is a special register of PTX."""
    return name.startswith("%") and _SPECIAL.fullmatch(name, 1) is not None


class Names:
    """The declarations of one function; `scope` is the innermost open one."""

    def __init__(self) -> None:
        self.scope = Scope()
        self._count = 1  # 0 is the carry
        # Innermost last: single names, and ranges `%r<5>` as prefix -> (count, width).
        self._single: list[dict[str, Register | Variable | int]] = [{}]
        self._ranges: list[dict[str, tuple[int, int]]] = [{}]

    def open(self) -> None:
        """Enter a pair of braces."""
        self.scope = Scope(self.scope)
        self._single.append({})
        self._ranges.append({})

    def close(self) -> None:
        """Leave it."""
        assert self.scope.parent is not None
        self.scope = self.scope.parent
        self._single.pop()
        self._ranges.pop()

    def is_declared_here(self, name: str) -> bool:
        """Whether the innermost scope declares the name already."""
        return name in self._single[-1] or name in self._ranges[-1]

    def declare_register(self, name: str, width: int) -> None:
        # The register itself is made at its first mention, which fixes its index.
        self._single[-1][name] = width

    def declare_range(self, prefix: str, count: int, width: int) -> None:
        self._ranges[-1][prefix] = (count, width)

    def declare_variable(self, variable: Variable) -> None:
        self._single[-1][variable.name] = variable

    def find(self, name: str) -> Register | Variable | None:
        """The register or variable of a name, from the innermost scope outwards."""
        for single, ranges in zip(reversed(self._single), reversed(self._ranges), strict=True):
            found = single.get(name)
            if isinstance(found, Register | Variable):
                return found
            width = found if found is not None else _in_range(name, ranges)
            if width:
                self._count += 1
                register = Register(self._count - 1, name, width)
                single[name] = register
                return register
        return None


def _in_range(name: str, ranges: dict[str, tuple[int, int]]) -> int:
    """Width of `%r12` when a range `%r<n>` (or `%r1<n>`) has it, else 0."""
    cut = len(name)
    while cut > 1 and "0" <= name[cut - 1] <= "9" and len(name) - cut < 9:
        cut -= 1
        found = ranges.get(name[:cut])
        if found and int(name[cut:]) < found[0] and (name[cut] != "0" or cut == len(name) - 1):
            return found[1]
    return 0
