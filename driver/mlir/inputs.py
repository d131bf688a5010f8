"""Inputs of xdsl-opt: a `.ptx` file, and what `mlir-opt --irdl-file` prints of our dialects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.utils.frontend import Frontend

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.ptx import PTX
from volta_pipe.passes.lower import list_entries, lower
from volta_pipe.passes.lower.source import check_text


@dataclass(frozen=True)
class PTXFrontend(Frontend):
    """`-f ptx`, or by the extension: one entry gives its module, several a module of one named module an entry."""

    name = "ptx"

    entry: str | None = None
    """The only entry to read."""

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """Errors: InputError with the line of the PTX."""
        text = check_text(input.read(), Place(input_name))
        if ctx.get_optional_dialect(PTX.name) is None:
            ctx.load_dialect(PTX)
        names = [name for name, _ in list_entries(text, input_name)]
        if self.entry is not None:
            return lower(text, input_name, self.entry).module
        if not names:
            raise InputError("the PTX has no entry", Place(input_name))
        modules = [lower(text, input_name, name).module for name in names]
        if len(modules) == 1:
            return modules[0]
        for name, module in zip(names, modules, strict=True):
            module.properties["sym_name"] = StringAttr(name)
        return ModuleOp(modules)


@dataclass(frozen=True)
class MLIROptFrontend(Frontend):
    """`-f mlir-opt`: the way back from `-t mlir-opt`, before anything is verified."""

    name = "mlir-opt"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """Errors: ParseError; InputError on a function that is no kernel's though it says so."""
        from volta_pipe.passes.exchange import from_functions

        module = Parser(ctx, input.read().decode(), input_name).parse_module()
        from_functions(module)
        return module
