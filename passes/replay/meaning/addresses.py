"""cvta and isspacep (PTX ISA 9.7.9.19 and 20) on the machine's addresses: (region << 32) + offset, see ir/program.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from volta_pipe.ir.address_space import CONST_REGION, LOCAL_REGION, REGION_SHIFT, SHARED_REGION
from volta_pipe.passes.replay.bits import U64, flags
from volta_pipe.passes.replay.meaning.spelling import Function, Spelling, among, meaning_for

Array = np.ndarray[Any, np.dtype[Any]]
# Windows of generic addresses; all else is global memory, where generic addresses are those of the space. A cluster has one
# CTA, and no kernel parameter has an address.
WINDOWS = {"shared": SHARED_REGION, "shared::cta": SHARED_REGION, "local": LOCAL_REGION, "const": CONST_REGION}


@meaning_for("cvta", among("u64"))
def _convert(s: Spelling) -> Function:
    """To a generic address, with .to from one."""
    back, space = s.flag("to"), s.one_of("global shared shared::cta local const")
    s.need(space != "" and len(s.types) == 1)
    start = U64(WINDOWS.get(space, 0) << REGION_SHIFT)
    return lambda a: (a - start if back else a + start,)


@meaning_for("isspacep", among(""))
def _is_in_space(s: Spelling) -> Function:
    """A predicate."""
    space = s.one_of("const global local shared shared::cta shared::cluster param")
    s.need(space != "")

    def function(a: Array) -> tuple[Array, ...]:
        region = a >> U64(REGION_SHIFT)
        if space == "global":
            return (flags(region > max(WINDOWS.values())),)
        if space == "param":
            return (np.zeros(len(a), np.uint64),)
        return (flags(region == WINDOWS["shared" if space == "shared::cluster" else space]),)

    return function
