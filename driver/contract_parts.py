"""The parts of a contract: tensors, scalars, kernels and specs, as frozen dataclasses, and how each is read from its table."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from volta_pipe.driver.dtypes import DTYPES, fit, integer_range
from volta_pipe.driver.fields import Expression, Table, shown
from volta_pipe.driver.files import file_problem, is_folder
from volta_pipe.driver.library import is_module, library_function, options
from volta_pipe.driver.toml_lines import Step

ROLES = ("in", "out", "inout", "scratch")
MAX_RANK = 16
MAX_ALIGN = 1 << 20
MAX_SOURCE_BYTES = 1 << 30  # a PTX file; the parser has its own, smaller patience
MAX_VALUES_BYTES = 1 << 32


@dataclass(frozen=True)
class TensorSpec:
    """A tensor before dims are known. `strides` None: row-major. `values`: a number, "index", the path of a .npy file, or
    None; `range`: of inputs of `replay`, dynamic tests and counterexamples, or None; `rtol`, `atol`: of an output in dynamic
    tests, None: the default."""

    name: str
    dtype: str
    shape: tuple[Expression, ...]
    strides: tuple[Expression, ...] | None
    role: str
    align: int
    values: float | int | str | Path | None
    range: tuple[float, float] | None
    rtol: float | None = None
    atol: float | None = None


@dataclass(frozen=True)
class ScalarSpec:
    """A scalar; `value` None: symbolic."""

    name: str
    dtype: str
    value: float | int | None


@dataclass(frozen=True)
class KernelSpec:
    """A kernel and its launch. `source` as written, `path` where it lies; `args` as written; `ctas` None: the whole grid;
    `compiled_from`: the file that the source was compiled from, or None."""

    side: str
    source: str
    path: Path
    entry: str
    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    shared: Expression
    args: tuple[str | int | float, ...]
    ctas: tuple[tuple[Expression, ...], ...] | None
    compiled_from: Path | None = None


@dataclass(frozen=True)
class SpecReference:
    """A NumPy function as the reference; `text` as written: `file.py:function`. `library`: `text` names a function of
    `volta_pipe.spec`, `path` its file there, and `options` those of its parameters that the contract sets."""

    text: str
    path: Path
    function: str
    library: bool = False
    options: tuple[tuple[str, Any], ...] = ()


def tensor(name: str, table: Table, folder: Path) -> TensorSpec:
    """Reads [tensors.NAME]."""
    dtype = table.choice("dtype", tuple(DTYPES))
    shape = table.expressions("shape", 0, MAX_RANK)
    strides = table.expressions("strides", 0, MAX_RANK) if table.has("strides") else None
    if strides is not None and len(strides) != len(shape):
        raise table.error(f"needs one stride a dimension: {len(shape)}, has {len(strides)}", "strides")
    role = table.choice("role", ROLES)
    align = int(table.get("align", int, 256))
    if align < 1 or align & (align - 1) or align > MAX_ALIGN:
        raise table.error(f"must be a power of two up to {MAX_ALIGN}, is {align}", "align")
    if align < DTYPES[dtype].size:
        raise table.error(f"{align} bytes are less than an element of {dtype} needs ({DTYPES[dtype].size})", "align")
    values = _values(table, dtype, folder)
    spread = _range(table, dtype)
    rtol, atol = (_tolerance(table, key, role) for key in ("rtol", "atol"))
    table.close()
    return TensorSpec(name, dtype, shape, strides, role, align, values, spread, rtol, atol)


def _values(table: Table, dtype: str, folder: Path) -> float | int | str | Path | None:
    value = table.any("values")
    if value is None or value == "index":
        return None if value is None else "index"
    if isinstance(value, str):
        path = folder / value
        if not value.endswith(".npy"):
            raise table.error(f'must be a number, "index" or a .npy file, is {shown(value)}', "values")
        if problem := file_problem(path, MAX_VALUES_BYTES):
            raise table.error(f"{path} {problem}", "values")
        return path
    return _number(table, value, dtype, "values")


def _range(table: Table, dtype: str) -> tuple[float, float] | None:
    pair = table.get("range", list)
    if pair is None:
        return None
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in pair)
    if len(pair) != 2 or not numbers or not pair[0] <= pair[1]:
        raise table.error(f"must be two numbers, the smaller first, is {shown(pair)}", "range")
    try:
        low, high = float(pair[0]), float(pair[1])
    except OverflowError:
        raise table.error("holds a number that no float64 holds", "range") from None
    if math.isinf(low) or math.isinf(high):
        raise table.error(f"must be two finite numbers, is {shown(pair)}", "range")
    if DTYPES[dtype].kind != "f":
        least, most = integer_range(DTYPES[dtype])
        if max(least, math.ceil(low)) > min(most, math.floor(high)):
            raise table.error(f"holds no integer of {dtype}, is {shown(pair)}", "range")
    return low, high


def _tolerance(table: Table, key: str, role: str) -> float | None:
    """How far an output may be from the reference in a dynamic test: relative to the element, or absolute."""
    value = table.get(key, float)
    if value is None:
        return None
    if role not in ("out", "inout"):
        raise table.error(f"is for outputs (role out or inout), {table.path[-1]} is {role}", key)
    if not 0 <= value < float("inf"):
        raise table.error(f"must be a number from 0 up, is {shown(value)}", key)
    try:
        return float(value)
    except OverflowError:
        raise table.error("is a number that no float64 holds", key) from None


def _number(table: Table, value: Any, dtype: str, *steps: Step) -> float | int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise table.error(f"must be a number, is {shown(value)}", *steps)
    try:
        return fit(value, dtype)
    except (ValueError, OverflowError) as error:
        raise table.error(str(error), *steps) from None


def scalar(name: str, table: Table) -> ScalarSpec:
    """Reads [scalars.NAME]; a float value is rounded to its dtype."""
    dtype = table.choice("dtype", tuple(DTYPES))
    value = _number(table, table.any("value"), dtype, "value") if table.has("value") else None
    table.close()
    return ScalarSpec(name, dtype, value)


def kernel(table: Table, side: str, folder: Path) -> KernelSpec:
    """Reads [candidate] or [reference] as a kernel."""
    source = str(table.get("source", str, required=True))
    path = folder / source
    if path.suffix not in (".ptx", ".mlir") and not is_folder(path):
        kind = path.suffix or "files without a suffix"
        raise table.error(f"{kind} is not supported yet: compile it to PTX first (nvcc -ptx -lineinfo -arch=sm_80)", "source")
    if problem := file_problem(path, MAX_SOURCE_BYTES):
        raise table.error(f"{path} {problem}", "source")
    entry = str(table.get("entry", str, required=True))
    grid, block = table.expressions("grid", 1, 3), table.expressions("block", 1, 3)
    shared = table.expression("shared", 0)
    args = table.get("args", list, required=True)
    for place, value in enumerate(args):
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise table.error(f"must be a name, an expression or a number, is {shown(value)}", "args", place)
    arch = str(table.get("arch", str, "sm_80"))
    if not re.fullmatch(r"sm_[0-9]+[a-z]?", arch):
        raise table.error(f"'{arch}' is no architecture (such as sm_80)", "arch")
    ctas = _ctas(table)
    compiled_from = _compiled_from(table, folder)
    table.close()
    return KernelSpec(side, source, path, entry, grid, block, shared, tuple(args), ctas, compiled_from)


def _compiled_from(table: Table, folder: Path) -> Path | None:
    name = table.get("compiled_from", str)
    if name is None:
        return None
    path = folder / str(name)
    if problem := file_problem(path, MAX_SOURCE_BYTES):
        raise table.error(f"{path} {problem}", "compiled_from")
    return path


def _ctas(table: Table) -> tuple[tuple[Expression, ...], ...] | None:
    value = table.any("ctas", "all")
    if value == "all":
        return None
    if not isinstance(value, list) or not value:
        raise table.error(f'must be "all" or a list of [x,y,z], is {shown(value)}', "ctas")
    for place, cta in enumerate(value):
        if not isinstance(cta, list) or len(cta) != 3:
            raise table.error(f"must be [x,y,z], is {shown(cta)}", "ctas", place)
    checked = [[table.as_expression(v, "ctas", place, axis) for axis, v in enumerate(c)] for place, c in enumerate(value)]
    return tuple(tuple(cta) for cta in checked)


def spec(table: Table, folder: Path) -> SpecReference:
    """Reads [reference] as a NumPy function."""
    text = str(table.get("spec", str, required=True))
    for key in table.data:
        if key in ("source", "entry", "grid", "block", "args"):
            raise table.error("a reference is a spec or a kernel, not both", key)
    given = table.table("options")
    table.close()
    file, _, function = text.rpartition(":")
    if is_module(file):
        found = library_function(table, file, function)
        return SpecReference(text, found.path, function, True, options(given, found))
    if given.data:
        raise table.error("only functions of volta_pipe.spec have options: give a file's function scalars", "options")
    if not file or not function.isidentifier():
        raise table.error(f"must be file.py:function or volta_pipe.spec:function, is {shown(text)}", "spec")
    path = folder / file
    if problem := file_problem(path, MAX_SOURCE_BYTES):
        raise table.error(f"{path} {problem}", "spec")
    return SpecReference(text, path, function)
