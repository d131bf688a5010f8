"""The contract: what a kernel promises, read from TOML into frozen dataclasses.

Reading checks everything that needs no dims; `plan.py` evaluates the rest for each combination."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract_parts import KernelSpec, ScalarSpec, SpecReference, TensorSpec, kernel, scalar, spec, tensor
from volta_pipe.driver.fields import Table, close, nearest, shown
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.library import check_names
from volta_pipe.driver.toml_lines import Source
from volta_pipe.driver.toml_text import read_toml, toml_values
from volta_pipe.ir.externs import EXTERNS
from volta_pipe.ir.precision import WIDE_TO_NARROW

MAX_BYTES = 1 << 20
MAX_COMBINATIONS = 10_000
# Formats that something can be summed in.
ACCUMULATORS = tuple(name for name in WIDE_TO_NARROW if name not in ("e4m3", "e5m2"))
ASSUMPTIONS = {
    "warp_collectives_order_memory": "shfl, mma, wmma and ldmatrix order shared memory within the warp",
    "exited_threads_block_barriers": "a barrier waits for threads that returned, too",
}


@dataclass(frozen=True)
class Contract:
    """A contract before dims are chosen: what a kernel promises, as docs/contract.md says of the file.

    `source`: file name and lines, for errors; `digest`: sha256 of the file's bytes; `dims`: (name, values) in file order;
    `tensors`, `scalars`: what the kernels are launched on; `aliases`: pairs of tensors that share memory; `reference`: a
    kernel, a NumPy function, or None; `candidate`: the kernel to verify; `constants`: "named" or "exact"; `assume`: the flags
    of [assume] that are true; `externs`: (function, what it computes); `globals`: (variable, value), lists as tuples;
    `nonfinite`: "ieee" where infinities and NaNs must come out, else "ignore"; `accumulate`: (output, the narrowest format that
    it may be summed in).

    >>> contract = Contract.from_file("examples/axpy/volta.toml")
    >>> contract.name, dict(contract.dims)
    ('axpy, one thread an element against a grid-stride loop', {'n': (100, 256, 257)})
    >>> [(tensor.name, tensor.dtype, tensor.shape, tensor.role) for tensor in contract.tensors]
    [('x', 'f32', ('n',), 'in'), ('y', 'f32', ('n',), 'inout')]
    >>> contract.candidate.entry, contract.candidate.grid, contract.candidate.block
    ('axpy_grid_stride', (2,), (64,))
    """

    source: Source
    digest: str
    name: str
    dims: tuple[tuple[str, tuple[int, ...]], ...]
    tensors: tuple[TensorSpec, ...]
    scalars: tuple[ScalarSpec, ...]
    aliases: tuple[tuple[str, str], ...]
    reference: KernelSpec | SpecReference | None
    candidate: KernelSpec
    constants: str
    assume: tuple[str, ...]
    externs: tuple[tuple[str, str], ...]
    globals: tuple[tuple[str, Any], ...]
    nonfinite: str = "ignore"
    accumulate: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def from_file(path: str | os.PathLike[str]) -> Contract:
        """The contract in a TOML file; files that it names lie relative to it. Errors: InputError with file, line and field."""
        return read_contract(os.fspath(path))

    @staticmethod
    def from_text(text: str, folder: str | os.PathLike[str] = ".", *, file: str = "<contract>") -> Contract:
        """The contract in a TOML text; files that it names lie relative to `folder`. `file`: its name in messages. A text gives
        the digest of the file that holds it. Errors: InputError with `file`, line and field.

        >>> Contract.from_text("[dims]\\nn = -")
        Traceback (most recent call last):
        volta_pipe.ir.errors.InputError: <contract>:2:5: not valid TOML: here should be a value: ...
        """
        return contract_of(text.encode(errors="surrogatepass"), file, Path(folder))

    @staticmethod
    def from_dict(values: Mapping[str, Any], folder: str | os.PathLike[str] = ".", *, file: str = "<contract>") -> Contract:
        """The contract with the tables of the file as dicts; tuples stand for lists, and paths for texts. Its digest is of the
        values as JSON, which is none of any file. Errors: InputError with `file` and field.

        >>> kernel = dict(source="axpy.ptx", block=[64], args=["x", "y", "a", "n"])
        >>> x, y = dict(dtype="f32", shape=["n"], role="in"), dict(dtype="f32", shape=["n"], role="inout")
        >>> values = {"dims": {"n": 100}, "tensors": {"x": x, "y": y}, "scalars": {"a": {"dtype": "f32"}}}
        >>> values["candidate"] = kernel | dict(entry="axpy_grid_stride", grid=[2])
        >>> contract = Contract.from_dict(values, folder="examples/axpy")
        >>> contract.reference is None, contract.candidate.path.as_posix()
        (True, 'examples/axpy/axpy.ptx')
        >>> Contract.from_dict({"tensors": {"x": dict(dtype="f33", shape=[4], role="in")}})
        Traceback (most recent call last):
        volta_pipe.ir.errors.InputError: <contract>: tensors.x.dtype: unknown value 'f33', did you mean 'f32'? ...
        """
        return contract_from(values, file, Path(folder))

    def combinations(self) -> list[dict[str, int]]:
        """Every combination of dims, the last dim fastest."""
        names = [name for name, _ in self.dims]
        return [dict(zip(names, values, strict=True)) for values in product(*(values for _, values in self.dims))]


def read_contract(path: str | Path) -> Contract:
    """Reads and checks a contract; every error is an InputError with file, line and field."""
    return contract_of(read_bytes(Path(path), "contract", MAX_BYTES), str(path), Path(path).parent)


def contract_of(data: bytes, file: str, folder: Path) -> Contract:
    """The contract whose text is `data`; `file`: its name in errors; `folder`: where the files lie that it names. Errors: as of
    `read_contract`."""
    values, source = read_toml(data, file)
    return _contract(Table(values, source), folder, hashlib.sha256(data).hexdigest())


def contract_from(values: Mapping[str, Any], file: str, folder: Path) -> Contract:
    """The contract with these tables, in the order in which they are given. Errors: as of `read_contract`, without lines."""
    found = toml_values(values, file)
    text = json.dumps(found, ensure_ascii=False)  # escapes what is no Unicode, so that it has bytes
    return _contract(Table(found, Source(file)), folder, hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest())


def _contract(top: Table, folder: Path, digest: str) -> Contract:
    name = top.get("name", str, "")
    if not name.isprintable():  # a line of its own would look like one of ours
        raise top.error("holds a line break or another character that does not print", "name")
    dims = _dims(top.table("dims"))
    tensors = tuple(tensor(key, table, folder) for key, table in top.tables("tensors"))
    scalars = tuple(scalar(key, table) for key, table in top.tables("scalars"))
    _distinct(top, dims, tensors, scalars)
    aliases = _aliases(top, {t.name for t in tensors})
    reference: KernelSpec | SpecReference | None = None
    if top.has("reference"):
        table = top.table("reference")
        if not table.has("spec") and not table.has("source"):
            for key in table.data:
                if near := nearest(key, ("spec", "source")):
                    raise table.error(f"unknown field, did you mean '{near}'?", key)
        reference = spec(table, folder) if table.has("spec") else kernel(table, "reference", folder)
    if not top.has("candidate"):
        if near := nearest("candidate", [key for key in top.data if key not in top.known]):
            raise top.error("unknown field, did you mean 'candidate'?", near)
        raise top.error("is missing (the kernel to verify)", "candidate")
    candidate = kernel(top.table("candidate"), "candidate", folder)
    externs, module_globals = top.table("externs"), top.table("globals")
    numerics = top.table("numerics")
    numerics.choice("model", ("real",), "real")
    constants = numerics.choice("constants", ("named", "exact"), "named")
    nonfinite = numerics.choice("nonfinite", ("ignore", "ieee"), "ignore")
    accumulate = _accumulate(numerics, [t.name for t in tensors if t.role in ("out", "inout")])
    numerics.close()
    assume = top.table("assume")
    flags = tuple(key for key in ASSUMPTIONS if assume.get(key, bool, False))
    assume.close()
    top.close()
    outputs = any(t.role in ("out", "inout") for t in tensors)
    if reference is not None and not outputs:
        raise top.error("has a reference to compare with, but no tensor has the role out or inout", "reference")
    if isinstance(reference, SpecReference) and reference.library:
        check_names(top.table("reference"), reference.function, tensors, scalars)
    return Contract(
        top.source, digest, name, dims, tensors, scalars, aliases, reference, candidate, constants, flags,
        _extern_meanings(externs), _global_values(module_globals), nonfinite, accumulate,
    )  # fmt: skip


def _dims(table: Table) -> tuple[tuple[str, tuple[int, ...]], ...]:
    dims = tuple((table.name(name), _dim_values(table, name, value)) for name, value in table.data.items())
    count = prod(len(values) for _, values in dims)
    if count > MAX_COMBINATIONS:
        raise table.error(f"{count:,} combinations of dims (at most {MAX_COMBINATIONS:,}): list fewer values")
    return dims


def _dim_values(table: Table, name: str, value: Any) -> tuple[int, ...]:
    if isinstance(value, dict):
        inner = table.table(name)
        low, high = (int(inner.get(key, int, required=True)) for key in ("min", "max"))
        step = int(inner.get("step", int, 1))
        inner.close()
        if step < 1 or high < low:
            raise table.error("needs step >= 1 and max >= min", name)
        if (high - low) // step >= MAX_COMBINATIONS:
            raise table.error(f"has more than {MAX_COMBINATIONS:,} values", name)
        value = list(range(low, high + 1, step))
    values = value if isinstance(value, list) else [value]
    if not values:
        raise table.error("has no value", name)
    for place, number in enumerate(values):
        if isinstance(number, bool) or not isinstance(number, int) or not -(1 << 63) <= number < 1 << 63:
            steps = (name, place) if isinstance(value, list) else (name,)
            raise table.error(f"must be an integer, a list of them or {{min=,max=,step=}}, is {shown(number)}", *steps)
    if len(set(values)) != len(values):
        raise table.error("lists a value twice", name)
    return tuple(values)


def _distinct(top: Table, dims: Any, tensors: Any, scalars: Any) -> None:
    seen: dict[str, str] = {name: "dims" for name, _ in dims}
    for kind, named in (("tensors", tensors), ("scalars", scalars)):
        for item in named:
            if item.name in seen:
                raise top.error(f"the name is taken by {seen[item.name]}.{item.name}", kind, item.name)
            seen[item.name] = kind


def _aliases(top: Table, tensors: set[str]) -> tuple[tuple[str, str], ...]:
    pairs = top.get("aliases", list, [])
    for place, pair in enumerate(pairs):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise top.error(f"must be a pair of tensors, is {shown(pair)}", "aliases", place)
        for name in pair:
            if name not in tensors:
                raise top.error(f"unknown tensor '{name}' (tensors: {', '.join(sorted(tensors))})", "aliases", place)
        if pair[0] == pair[1]:
            raise top.error(f"'{pair[0]}' is paired with itself", "aliases", place)
    return tuple((pair[0], pair[1]) for pair in pairs)


def _accumulate(numerics: Table, outputs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """`accumulate`: a format for all outputs, or one for each that is named."""
    if not numerics.has("accumulate"):
        return ()
    if isinstance(numerics.any("accumulate"), str):
        format = numerics.choice("accumulate", ACCUMULATORS)
        if not outputs:
            raise numerics.error("no tensor has the role out or inout", "accumulate")
        return tuple((name, format) for name in outputs)
    table = numerics.table("accumulate")
    for name in table.data:
        if name not in outputs:
            raise table.error(f"is no out or inout tensor{close(name, tuple(outputs))} (those: {', '.join(outputs)})", name)
    return tuple((name, table.choice(name, ACCUMULATORS)) for name in table.data)


def _extern_meanings(table: Table) -> tuple[tuple[str, str], ...]:
    return tuple((name, table.choice(name, tuple(EXTERNS))) for name in table.data)


def _global_values(table: Table) -> tuple[tuple[str, Any], ...]:
    return tuple(
        (name, value if isinstance(value, str) else _numbers(table, name, value)) for name, value in table.data.items()
    )


def _numbers(table: Table, name: str, value: Any) -> Any:
    """A number, or a list of numbers and such lists, as tuples."""
    if isinstance(value, list) and value:
        return tuple(_numbers(table, name, item) for item in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise table.error(f"must be a number, a list of numbers or the name of a tensor, is {shown(value)}", name)
    return value
