"""A symbolic array where Python wants a number or a truth value: an array that a spec made out of plain numbers has one, others
are refused at the spec's line."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from volta_pipe.ir.graph import ONE, ZERO
from volta_pipe.passes.trace.known import freeze, known
from volta_pipe.passes.trace.tape import Tape

_PLAIN = (
    "a symbolic value cannot become a plain number here: float(x), np.float32(x) and the math module want one (x.astype and "
    "np.exp, … do not), so does np.asarray() in a module that is not the spec's, and assignment into a plain NumPy array "
    "(make that array with np.zeros, np.array or np.zeros_like(x)); np.where selects by a condition"
)
BOOL = np.dtype(np.bool_)


class Numbers:
    """The conversions of a symbolic array."""

    tape: Tape
    nodes: Any
    dtype: Any

    def __bool__(self) -> bool:
        if (values := known(self)) is not None:
            return bool(values)
        if self.nodes.size == 1 and self.dtype == BOOL and self.nodes.reshape(-1)[0] in (ZERO, ONE):
            return bool(self.nodes.reshape(-1)[0] == ONE)
        return self.tape.refuse("the spec branches on a symbolic value (use np.where, np.maximum or np.minimum)")

    def _plain(self, *_: Any, **__: Any) -> NoReturn:
        self.tape.refuse(_PLAIN)

    def __float__(self) -> float:
        values = known(self)
        return self._plain() if values is None else float(values)

    def __int__(self) -> int:
        values = known(self)
        return self._plain() if values is None else int(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        values = known(self)
        if values is None:
            self._plain()
        if not copy:
            # NumPy would give the same memory: neither can be written to from now on.
            freeze(self)
            values.flags.writeable = False
        return values if dtype is None else values.astype(dtype, copy=False)

    def item(self, *place: Any) -> Any:
        values = known(self)
        return self._plain() if values is None else values.item(*place)

    def tolist(self) -> Any:
        values = known(self)
        return self._plain() if values is None else values.tolist()

    __index__ = __complex__ = __round__ = _plain
