"""A module whose operations are made when somebody asks for them, as a change that leaves its text alone needs none."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


class LazyModule:
    """`make` gives the module; `text` is how it is printed, "" where that is not known yet."""

    def __init__(self, make: Callable[[], ModuleOp], text: str = "") -> None:
        self._make: Callable[[], ModuleOp] | None = make
        self._text = text
        self._module: ModuleOp | None = None
        self._lock = threading.Lock()

    @staticmethod
    def of(module: ModuleOp) -> LazyModule:
        """A module that is there."""
        return LazyModule(lambda: module)

    @property
    def module(self) -> ModuleOp:
        """The same module each time."""
        with self._lock:
            if self._module is None:
                assert self._make is not None
                self._module = self._make()
                self._make = None  # and what it holds
            return self._module

    @property
    def text(self) -> str:
        """The canonical custom form."""
        if not self._text:
            from volta_pipe.ir.ptx.text import print_module

            self._text = print_module(self.module)
        return self._text
