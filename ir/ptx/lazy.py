"""A module whose operations are made when somebody asks for them: a change that leaves its text alone needs none, nor does a
run that finds nothing to say of single instructions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from volta_pipe.ir.ptx.flat import FlatKernel


class LazyModule:
    """`make` gives the module; `text` is how it is printed, "" where that is not known yet; `flat` gives its kernel as plain
    data, None: what the module says."""

    def __init__(self, make: Callable[[], ModuleOp], text: str = "", flat: Callable[[], FlatKernel] | None = None) -> None:
        self._make: Callable[[], ModuleOp] | None = make
        self._text = text
        self._module: ModuleOp | None = None
        self._flat = flat
        self._kernel: FlatKernel | None = None
        self._lock = threading.RLock()

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
    def kernel(self) -> FlatKernel:
        """The kernel as plain data, the same each time. Errors: ArtifactError where the module has not exactly one."""
        with self._lock:
            if self._kernel is None and self._flat is not None:
                self._kernel = self._flat()
                self._flat = None  # and what it holds
            if self._kernel is None:
                from volta_pipe.ir.ptx.flatten import flatten

                self._kernel = flatten(self.module)
            return self._kernel

    @property
    def text(self) -> str:
        """The canonical custom form."""
        if not self._text:
            from volta_pipe.ir.ptx.text import print_module

            self._text = print_module(self.module)
        return self._text
