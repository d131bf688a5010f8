"""Names in a function body: registers and variables by scope, special registers, symbols of the module."""

from __future__ import annotations

import re

from volta_pipe.ir.ptx.words import Param
from volta_pipe.passes.lower.tree import Register, Scope, Variable

Found = Register | Variable | Param | tuple[Register, ...]
_COMPONENTS = {"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3}

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


class Registers:
    """Makes registers; one counter for the kernel and all that is inlined into it."""

    def __init__(self) -> None:
        self._count = 1  # 0 is the carry

    def make(self, name: str, width: int) -> Register:
        """A new register: numbers follow the first mention, so they do not depend on names."""
        self._count += 1
        return Register(self._count - 1, name, width)


class Names:
    """The declarations of one function; `scope` is the innermost open one."""

    def __init__(self, registers: Registers) -> None:
        self.scope = Scope()
        self._registers = registers
        # Innermost last: single names (of a register not met yet its shape: width, components), and ranges `%r<5>` as
        # prefix -> (count, width, components).
        self._single: list[dict[str, Found | tuple[int, int]]] = [{}]
        self._ranges: list[dict[str, tuple[int, int, int]]] = [{}]

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

    def is_declared_here(self, name: str, count: int = -1) -> bool:
        """Whether the innermost scope declares the name already, or one of `name<count>` where there is a count."""
        single, ranges = self._single[-1], self._ranges[-1]
        if count < 0:
            return name in single or _in_range(name, ranges) is not None
        return name in ranges or any(_in_range(one, {name: (count, 0, 0)}) is not None for one in single)

    def declare_register(self, name: str, shape: tuple[int, int]) -> None:
        """One register of (width, components); it is made at its first mention."""
        self._single[-1][name] = shape

    def declare_range(self, prefix: str, count: int, shape: tuple[int, int]) -> None:
        """`prefix<count>`"""
        self._ranges[-1][prefix] = (count, *shape)

    def declare(self, name: str, target: Variable | Param | Register) -> None:
        """A variable, a parameter of the kernel, or a register that is known elsewhere."""
        self._single[-1][name] = target

    def find(self, name: str) -> Found | None:
        """What a name stands for, from the innermost scope outwards; `%v.x` is a component of a vector register."""
        for single, ranges in zip(reversed(self._single), reversed(self._ranges), strict=True):
            found = single.get(name)
            if found is None:
                shape = _in_range(name, ranges)
                if shape is None:
                    continue
            elif isinstance(found, tuple) and isinstance(found[0], int):
                shape = (found[0], int(found[1]))
            else:
                return found
            made = self._make(name, *shape)
            single[name] = made
            return made
        return self._component(name)

    def _make(self, name: str, width: int, count: int) -> Register | tuple[Register, ...]:
        if count == 1:
            return self._registers.make(name, width)
        return tuple(self._registers.make(f"{name}.{axis}", width) for axis in "xyzw"[:count])

    def _component(self, name: str) -> Register | None:
        stem, _, axis = name.rpartition(".")
        place = _COMPONENTS.get(axis, 9)
        whole = self.find(stem) if stem and place < 9 and "." not in stem else None
        return whole[place] if isinstance(whole, tuple) and place < len(whole) else None


def _in_range(name: str, ranges: dict[str, tuple[int, int, int]]) -> tuple[int, int] | None:
    """Width and components of `%r12` when a range `%r<n>` (or `%r1<n>`) has it."""
    cut = len(name)
    while cut > 1 and "0" <= name[cut - 1] <= "9" and len(name) - cut < 9:
        cut -= 1
        found = ranges.get(name[:cut])
        if found and int(name[cut:]) < found[0] and (name[cut] != "0" or cut == len(name) - 1):
            return found[1], found[2]
    return None
