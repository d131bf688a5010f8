"""`spec = "volta_pipe.spec:softmax"`: the library of specs as a contract names it, and the parameters that it sets.

A contract is read with the text of the library's files: nothing is imported for that, least of all what a contract names."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import volta_pipe
from volta_pipe.driver.fields import Table, close, shown
from volta_pipe.driver.parsing import parse
from volta_pipe.ir.errors import InputError, Place

if TYPE_CHECKING:
    from volta_pipe.driver.contract_parts import ScalarSpec, SpecReference, TensorSpec
    from volta_pipe.passes.trace.spec import SpecSource

PACKAGE = "volta_pipe.spec"
LIBRARY = Path(volta_pipe.__file__).parent / "spec"
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_PAIR = "int | tuple[int, int]"
# What a parameter of each of these types takes in a contract; others are arrays, which tensors are for.
_KINDS = {
    "bool": "true or false", "int": "an integer", "float": "a finite number", "float | None": "a finite number",
    _PAIR: "an integer or a list of two",
}  # fmt: skip


def library_files() -> list[Path]:
    """All of the library's sources, in a fixed order."""
    return sorted(LIBRARY.glob("*.py"))


def is_module(left: str) -> bool:
    """Whether what stands before the colon of a `spec` is a module, and no file."""
    return _MODULE.fullmatch(left) is not None and not left.endswith(".py")


@dataclass(frozen=True)
class LibraryFunction:
    """A function of the library. `parameters`: name -> its annotation as written."""

    name: str
    path: Path
    parameters: dict[str, str]


def library_function(table: Table, module: str, name: str) -> LibraryFunction:
    """The function that [reference] names. Errors: InputError at `spec`, for every module but the library, too."""
    if module != PACKAGE:
        message = f'no module {module}: a function is named by its file, "file.py:{name or "function"}", or is one of {PACKAGE}'
        raise table.error(message, "spec")
    found = _exported()
    if name not in found:
        message = f"{PACKAGE} has no function {shown(name)}{close(name, tuple(found))} (it has: {', '.join(sorted(found))})"
        raise table.error(message, "spec")
    for node in _parsed(found[name]).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            written = {a.arg: ast.unparse(a.annotation) if a.annotation else "" for a in arguments}
            return LibraryFunction(name, found[name], written)
    raise InputError(f"defines no function {name}, which {PACKAGE} has from it", Place(str(found[name])))


def _exported() -> dict[str, Path]:
    """The functions that the package imports from its modules, and the file of each."""
    found: dict[str, Path] = {}
    for node in _parsed(LIBRARY / "__init__.py").body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE + "."):
            path = LIBRARY / f"{(node.module or '').removeprefix(PACKAGE + '.')}.py"
            found |= {alias.name: path for alias in node.names}
    return found


def _parsed(path: Path) -> ast.Module:
    try:
        return parse(path.read_bytes(), str(path))
    except SyntaxError as error:
        raise InputError(f"is not Python: {error.msg}", Place(str(path), error.lineno or 0, error.offset or 0)) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", Place(str(path))) from None


def options(table: Table, function: LibraryFunction) -> tuple[tuple[str, Any], ...]:
    """[reference.options] in the order of names, each value checked against the parameter's type; lists as tuples."""
    chosen = {}
    for name, value in table.data.items():
        if name not in function.parameters:
            known = tuple(key for key, annotation in function.parameters.items() if _takes(annotation))
            message = f"{function.name} has no such parameter{close(name, known)} (options: {', '.join(known) or 'none'})"
            raise table.error(message, name)
        annotation = function.parameters[name]
        takes = _takes(annotation)
        if not takes:
            raise table.error(
                f"the parameter {name} of {function.name} is an array: the contract has to name a tensor so", name
            )
        if not _fits(annotation, value):
            raise table.error(f"must be {takes}, is {shown(value)}", name)
        chosen[name] = tuple(value) if isinstance(value, list) else value
    return tuple(sorted(chosen.items()))


def _takes(annotation: str) -> str:
    """What to write for a parameter, in words; "" for an array."""
    choices = _choices(annotation)
    return " or ".join(f'"{choice}"' for choice in choices) if choices else _KINDS.get(annotation, "")


def _choices(annotation: str) -> tuple[str, ...]:
    return tuple(ast.literal_eval(f"({annotation[8:-1]},)")) if annotation.startswith("Literal[") else ()


def _fits(annotation: str, value: Any) -> bool:
    if choices := _choices(annotation):
        return isinstance(value, str) and value in choices
    if isinstance(value, bool) or annotation == "bool":
        return annotation == "bool" and isinstance(value, bool)
    if annotation.startswith("float"):
        return isinstance(value, int | float) and math.isfinite(value)
    if annotation == _PAIR and isinstance(value, list):
        return len(value) == 2 and all(isinstance(v, int) and not isinstance(v, bool) for v in value)
    return isinstance(value, int)


def check_names(
    reference: Table,
    name: str,
    tensors: Sequence[TensorSpec],
    scalars: Sequence[ScalarSpec],
) -> None:
    """Whether the contract fits a function of the library, which returns one array and takes what the contract names as its
    parameters: an input that it does not know would be left out of what is compared. Errors: InputError with the line."""
    function = library_function(reference, PACKAGE, name)
    outputs = [t.name for t in tensors if t.role in ("out", "inout")]
    if len(outputs) != 1:
        message = f"{function.name} gives one array, the contract has {len(outputs)} out and inout tensors"
        raise reference.error(message + (f" ({', '.join(outputs)})" if outputs else ""), "spec")
    inputs = [("tensors", t.name) for t in tensors if t.role == "in" and t.values is None]
    for kind, unknown in inputs + [("scalars", s.name) for s in scalars if s.value is None]:
        if unknown not in function.parameters:
            message = f"{function.name} has no parameter for this input{close(unknown, tuple(function.parameters))}"
            message += (
                f" (it has: {', '.join(function.parameters)}; names of tensors are the contract's own, so rename it there)"
            )
            raise reference.source.error((kind, unknown), message)
    taken = {t.name for t in tensors} | {s.name for s in scalars}
    for option in reference.table("options").data:
        if option in taken:
            raise reference.error("the contract has a tensor or scalar of this name already", "options", option)


def load_reference(spec: SpecReference) -> SpecSource:
    """The NumPy function, ready to be called. Errors: InputError with file and line."""
    from volta_pipe.passes.trace.spec import load_library, load_spec

    if spec.library:
        return load_library(spec.function, dict(spec.options))
    return load_spec(f"{spec.path.name}:{spec.function}", spec.path.parent)
