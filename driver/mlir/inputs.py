"""Inputs of xdsl-opt: a `.ptx` file, the kernels of a contract, and what `mlir-opt --irdl-file` prints of our dialects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.utils.frontend import Frontend

from volta_pipe.ir.errors import InputError, Place
from volta_pipe.ir.ptx import dialect
from volta_pipe.passes.lower import list_entries, lower, read_source
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
        if ctx.get_optional_dialect("ptx") is None:
            ctx.load_dialect(dialect())
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
class ContractFrontend(Frontend):
    """`-f toml`, or by the extension: the kernels of a contract, as modules named `reference` and `candidate`."""

    name = "toml"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str) -> ModuleOp:
        """Errors: InputError with the place in the contract or the PTX."""
        from volta_pipe.driver.contract_parts import KernelSpec
        from volta_pipe.driver.mlir.contracts import SIDES, contract_at
        from volta_pipe.driver.mlir.programs import ASSUMING, CONTRACT, SIDE

        contract = contract_at(input_name)
        modules: list[ModuleOp] = []
        for side in SIDES:
            spec = contract.candidate if side == "candidate" else contract.reference
            if not isinstance(spec, KernelSpec):
                continue
            text, name = read_source(spec.path, str(spec.path), spec.entry)
            lowered = lower(text, name, spec.entry, dict(contract.externs))
            module = lowered.module
            module.properties["sym_name"] = StringAttr(side)
            module.attributes |= {CONTRACT: StringAttr(input_name), SIDE: StringAttr(side)}
            if lowered.assumptions:
                module.attributes[ASSUMING] = ArrayAttr(StringAttr(text) for text in lowered.assumptions)
            modules.append(module)
        ctx.load_registered_dialect("ptx")
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
