"""Whether a contract's NumPy reference can be called at all, asked before any stage runs.

`check_text` reads the file and executes nothing, so that it costs a run that is all cached next to nothing; `check_import`
executes it, where the store does not know yet that this goes well. So what a run says of a spec does not depend on which stages
it has to compute."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from dataclasses import dataclass

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.contract_parts import MAX_SOURCE_BYTES, SpecReference
from volta_pipe.driver.fields import close
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.library import load_reference
from volta_pipe.driver.parsing import parse
from volta_pipe.driver.spec_reads import Unkeyed, watched
from volta_pipe.driver.store import Store, action_key
from volta_pipe.driver.versions import spec_digest, stage_version
from volta_pipe.ir.errors import InputError, Place

_FIELD = ("reference", "spec")
IMPORT = "import"  # of the record that a spec can be imported, which is the result of no stage


@dataclass(frozen=True)
class _Parameter:
    """A parameter of the function that must be given, and whether that is possible by name."""

    name: str
    by_name: bool = True


def check_text(contract: Contract) -> None:
    """Errors: InputError where the file is no Python, has no such function, or one that wants what the contract lacks."""
    spec = contract.reference
    if not isinstance(spec, SpecReference):
        return
    try:
        tree = parse(read_bytes(spec.path, "spec", MAX_SOURCE_BYTES), str(spec.path))
    except SyntaxError as error:
        place = Place(str(spec.path), error.lineno or 0, error.offset or 0)
        raise InputError(f"is not Python: {error.msg}{_named_by(contract)}", place) from None
    except (ValueError, RecursionError, MemoryError):
        return  # the import says what is wrong
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    bound = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    bound |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    imported = {(a.asname or a.name) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom | ast.Import) for a in n.names}
    if spec.function not in bound | imported and "*" not in imported:
        raise _no_function(contract, spec, [node.name for node in defined])
    found = [node for node in defined if node.name == spec.function]
    if len(found) == 1 and not found[0].decorator_list:
        arguments = found[0].args
        _check_parameters(contract, spec, _wanted(arguments), found[0].lineno)


def check_import(contract: Contract) -> None:
    """Errors: InputError where the file fails, or its function cannot be called with what the contract has."""
    spec = contract.reference
    if not isinstance(spec, SpecReference):
        return
    try:
        loaded = load_reference(spec)
    except InputError as error:
        raise InputError(f"{error.message}{_named_by(contract)}", error.place) from None
    wanted = [
        _Parameter(p.name, p.kind is not p.POSITIONAL_ONLY)
        for p in inspect.signature(loaded.function).parameters.values()
        if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    _check_parameters(contract, spec, wanted, loaded.function.__code__.co_firstlineno)


def first_import(contract: Contract, store: Store) -> None:
    """`check_import`, once for each content of the spec. Errors: InputError."""
    spec = contract.reference
    if not isinstance(spec, SpecReference):
        return
    known = _known(contract, spec)

    def key() -> str:
        said = [spec.text, spec.function, spec.library, known, spec_digest(spec.path)]
        return action_key([IMPORT, stage_version("trace"), said])

    before = key()
    record = store.lookup(before)
    if record is not None and record.stage == IMPORT:
        return
    others = Unkeyed()
    with watched(spec.path, others):
        check_import(contract)
    if store.exists and not others and key() == before:
        store.record(before, IMPORT, {}, {})


def _wanted(arguments: ast.arguments) -> list[_Parameter]:
    """The parameters without a default."""
    plain = [*arguments.posonlyargs, *arguments.args]
    needed = plain[: len(plain) - len(arguments.defaults)]
    named = [a for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default is None]
    return [_Parameter(a.arg, a not in arguments.posonlyargs) for a in (*needed, *named)]


def _known(contract: Contract, spec: SpecReference) -> list[str]:
    """What a function can be given, by name."""
    inputs = [t.name for t in contract.tensors if t.role in ("in", "inout")] + [s.name for s in contract.scalars]
    return inputs + [name for name, _ in spec.options]


def _check_parameters(contract: Contract, spec: SpecReference, wanted: Iterable[_Parameter], line: int) -> None:
    known = _known(contract, spec)
    for parameter in wanted:
        where = f"{spec.function} (line {line} of {spec.path.name})"
        if not parameter.by_name:
            message = f"{where} is called by keyword: its parameter {parameter.name} is positional only"
            raise contract.source.error(_FIELD, message)
        if parameter.name not in known:
            role = next((f" (it is {t.role})" for t in contract.tensors if t.name == parameter.name), "")
            message = f"{where} wants {parameter.name}, which is no in or inout tensor or scalar of the contract{role}"
            message += f"{close(parameter.name, tuple(known))}; there are: {', '.join(known) or 'none'}"
            raise contract.source.error(_FIELD, message)


def _no_function(contract: Contract, spec: SpecReference, defined: list[str]) -> InputError:
    message = f"{spec.path.name} defines no function {spec.function}{close(spec.function, tuple(defined))}"
    return contract.source.error(_FIELD, message + (f" (it defines: {', '.join(defined)})" if defined else ""))


def _named_by(contract: Contract) -> str:
    """Where the contract names the spec."""
    place = contract.source.error(_FIELD, "").place
    return f" (the reference of {place.file}:{place.line})"
