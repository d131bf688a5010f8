"""From a stage's findings, which name instructions, to the verdict's, which name lines of the PTX and of the source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.dtypes import DTYPES
from volta_pipe.driver.elements import by_shape, element_name, short, tight, unravel
from volta_pipe.driver.embedded_lines import ptx_lines
from volta_pipe.driver.engine import Engine
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.toml_lines import Source
from volta_pipe.ir.errors import ArtifactError, InputError, UnsupportedError

if TYPE_CHECKING:
    from volta_pipe.driver.pipeline import Combination
    from volta_pipe.ir.lines import LineTable


_LONGEST = 120  # characters of an instruction that are shown
_MOST_UNSET = 4  # registers that are named
# A variable inside a function, as nvcc spells it.
_SYMBOL = re.compile(r"_ZZ\w+")
# A place in a variable that is called like its memory.
_DOUBLED = re.compile(r"\b(const|global|local|shared) memory (\1(?:\[[\d,]+\]|[+-]\d+))")


def check_finding(one: Combination, side: str, data: Mapping[str, Any], engine: Engine) -> dict[str, Any]:
    """A finding of `check` in the verdict's form; where it happened is the place of its first access."""
    lines = line_table(one, side, engine)
    kernel = _kernel(one, side)
    accesses = [_access(access, kernel, lines) for access in data.get("accesses") or ()]
    first: Mapping[str, Any] = accesses[0] if accesses else {}
    found = plain_finding(one, side, data, accesses, first)
    if data["kind"] == "uninitialized-read":
        found["message"] += _left_unset(kernel, data, lines)
    steps = data.get("explanation") or ()
    found["explanation"] = [
        {"message": as_in_source(step["text"]), **place_of(lines, int(step["instruction"]))} for step in steps
    ]
    return found


def _left_unset(kernel: KernelPlan | None, data: Mapping[str, Any], lines: LineTable | None) -> str:
    """Which instruction read what is not there, as the PTX has it; where no memory was read, which registers may be read before
    anything is written to them."""
    accesses: Sequence[Mapping[str, Any]] = data.get("accesses") or ()
    if len(accesses) > 1:
        text = _instruction_text(kernel, lines, int(accesses[1]["instruction"]))
        return f": {text}" if text else ""
    if kernel is None or data.get("explanation"):
        return ""
    from volta_pipe.passes.lower.unset import unset_registers

    try:
        names = unset_registers("\n".join(ptx_lines(kernel.spec)), kernel.spec.path.name, kernel.spec.entry, {})
    except (InputError, UnsupportedError):  # the file is another one by now
        return ""
    told = [f"{name} at PTX line {line}" if line else name for name, line in names[:_MOST_UNSET]]
    more = f", and {len(names) - _MOST_UNSET:,} more" * (len(names) > _MOST_UNSET)
    return f" (read on some path before anything is written to it: {', '.join(told)}{more})" if told else ""


def access_of(one: Combination, side: str, data: Mapping[str, Any], engine: Engine) -> dict[str, Any]:
    """An access (instruction, thread, cta, action) in the verdict's form."""
    return _access(data, _kernel(one, side), line_table(one, side, engine))


def error_finding(
    one: Combination, side: str, error: Mapping[str, Any], engine: Engine, source: Source | None = None
) -> dict[str, Any]:
    """An unsupported construct or a budget that ended a stage. source: the contract, for the line of a key that the error
    names."""
    instruction = int(error["instruction"])
    file, line, _, *fields = error["place"]
    lines = line_table(one, side, engine) if instruction >= 0 else None
    place = place_of(lines, instruction)
    if text := _instruction_text(_kernel(one, side), lines, instruction):
        named = re.sub(r"^@\S+\s+", "", text).split()[0]
        error = error if named in error["message"] else {**error, "message": f"{error['message']}: {text}"}
    if source is not None and fields and fields[0]:
        key = source.place(tuple(fields[0].split(".")))
        error = {**error, "message": f"{error['message']} ({fields[0]}: {PurePath(key.file).name}:{key.line})"}
    if isinstance(one.plan.reference, SpecReference) and side == "reference":
        place["source"] = {"file": PurePath(str(file)).name, "line": int(line)}
    elif place["ptx_line"] is None and int(line):
        place["ptx_line"] = int(line)
    return plain_finding(one, side, error, [], place)


def _instruction_text(kernel: KernelPlan | None, lines: LineTable | None, instruction: int) -> str:
    """An instruction as the PTX spells it; "" where it cannot be told."""
    if kernel is None or lines is None or not 0 <= instruction < len(lines.ptx):
        return ""
    line, column = lines.ptx[instruction]
    text = next(islice(ptx_lines(kernel.spec), line - 1, None), "") if line else ""
    return " ".join(text[max(column - 1, 0) :].partition(";")[0].split())[:_LONGEST]


def refused_finding(one: Combination, side: str, error: UnsupportedError) -> dict[str, Any]:
    """Something in the contract that the tool cannot do; the message names its place in the contract."""
    return plain_finding(one, side, {"kind": error.kind, "message": str(error)}, [], {})


def decision_finding(one: Combination, data: Mapping[str, Any]) -> dict[str, Any]:
    """A finding of `decide`: an output element of the candidate that differs; its `offset` is the row-major element."""
    tensor = next((t for t in one.plan.candidate.tensors if t.spec.name == data.get("name")), None)
    if tensor is not None:
        index = unravel(int(data.get("offset") or 0), tensor.shape)
        offset = sum(i * s for i, s in zip(index, tensor.strides, strict=True)) * DTYPES[tensor.spec.dtype].size
        data = {**data, "space": "global", "index": index, "offset": offset}
    data = {**data, "message": short(by_shape(str(data["message"]), shapes(one)))}
    return plain_finding(one, "candidate", data, [], {})


def dynamic_finding(one: Combination, summary: Mapping[str, Any]) -> dict[str, Any]:
    """The mismatch of a dynamic test; its counterexample is a run, `computed` with the rounding of PTX."""
    found = decision_finding(one, summary["findings"][0])
    data, known = summary["mismatch"], shapes(one)
    inputs = {element_name(str(name), int(flat), known): str(value) for name, flat, value in data["inputs"]}
    found["counterexample"] = {
        "element": element_name(str(data["tensor"]), int(data["element"]), known),
        "inputs": inputs,
        "matters": list(inputs),
        "complete": bool(data["complete"]),
        "outside_range": [],
        "reference": data["expected"],
        "candidate": data["got"],
        "formulas": {},
        "computed": f"{data['kind']}, seed {data['seed']}",
        "allowed": data["allowed"],
    }
    return found


def shapes(one: Combination) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of the contract, by name."""
    return {tensor.spec.name: tensor.shape for tensor in one.plan.candidate.tensors}


def source_name(symbol: str) -> str:
    """`part` for nvcc's `_ZZ22reduce_missing_barrierE4part` (a variable inside a function, Itanium C++ ABI 5.1.6);
    other names stay."""
    if not symbol.startswith("_ZZ"):
        return symbol
    for match in re.finditer(r"E(\d+)(?=[A-Za-z_])", symbol):
        name = symbol[match.end() : match.end() + int(match.group(1))]
        rest = symbol[match.end() + len(name) :]
        if len(name) == int(match.group(1)) and re.fullmatch(r"((_\$)?_\d+)*", rest):
            return name
    return symbol


def plain_finding(
    one: Combination, side: str, data: Mapping[str, Any], accesses: Sequence[Mapping[str, Any]], place: Mapping[str, Any]
) -> dict[str, Any]:
    threads = [access["thread"] for access in accesses]
    address = None
    symbol = str(data.get("name") or "")
    name = source_name(symbol)
    if data.get("space") or data.get("name"):
        index = list(data.get("index") or ())
        address = {"space": data.get("space"), "name": name, "offset": data.get("offset"), "index": index}
    return {
        "kind": data["kind"],
        "side": side,
        "ptx_line": place.get("ptx_line"),
        "source": place.get("source"),
        "dims": one.plan.dims,
        "cta": accesses[0]["cta"] if accesses else None,
        "threads": threads,
        "address": address,
        "message": as_in_source(str(data["message"])),
        "count": int(data.get("count") or 1),
        "accesses": list(accesses),
    }


def as_in_source(text: str) -> str:
    """A message with variables named as in the source, and indices without spaces; `shared memory shared+4` becomes
    `shared+4 in shared memory`."""
    return _DOUBLED.sub(r"\2 in \1 memory", tight(_SYMBOL.sub(lambda found: source_name(found[0]), text)))


def source_names(symbols: Iterable[str]) -> dict[str, str]:
    """By symbol the name in the source, where no other of the symbols has it too (two blocks may declare the same name)."""
    names = {symbol: source_name(symbol) for symbol in symbols}
    counts = Counter(names.values())
    return {symbol: name if counts[name] == 1 else symbol for symbol, name in names.items()}


def _access(access: Mapping[str, Any], kernel: KernelPlan | None, lines: LineTable | None) -> dict[str, Any]:
    thread = int(access["thread"])
    bx, by, _ = kernel.block if kernel else (1 << 31, 1, 1)
    where = {"thread": thread, "thread_xyz": [thread % bx, thread // bx % by, thread // (bx * by)] if thread >= 0 else None}
    return {**where, "cta": list(access["cta"]), "action": access["action"], **place_of(lines, int(access["instruction"]))}


def place_of(lines: LineTable | None, instruction: int) -> dict[str, Any]:
    if lines is None or instruction < 0:
        return {"ptx_line": None, "source": None}
    return {"ptx_line": lines.ptx_line(instruction) or None, "source": source_place(lines, instruction)}


def source_place(lines: LineTable, instruction: int) -> dict[str, Any] | None:
    """Where an instruction comes from: the innermost place in the file that the kernel itself is in (the line that its author
    wrote), with `within`, the place in a library, where it was inlined from one; None where the PTX does not say."""
    innermost = lines.source_of(instruction)
    if innermost is None:
        return None
    chain = (lines.source[instruction], *lines.inlined[instruction])
    file, line = next(place for place in chain if place[0] == chain[-1][0])
    shown: dict[str, Any] = {"file": lines.files[file], "line": line}
    if (shown["file"], line) != innermost:
        shown["within"] = {"file": innermost[0], "line": innermost[1]}
    return shown


def _kernel(one: Combination, side: str) -> KernelPlan | None:
    kernel = one.plan.candidate if side == "candidate" else one.plan.reference
    return kernel if isinstance(kernel, KernelPlan) else None


def line_table(one: Combination, side: str, engine: Engine) -> LineTable | None:
    """The line table of a side's kernel; read alone from the store, so that no stage is loaded for it."""
    from volta_pipe.ir.lines import LineTable

    step = one.steps.get((side, "lower"))
    if step is None or "lines" not in step.outputs:
        return None
    digest = step.outputs["lines"]
    table: LineTable | None = engine.line_tables.get(digest)
    if table is None:
        try:
            table = LineTable.decode(bytes(engine.store.load(digest)))
        except ArtifactError as error:
            engine.store.warn(f"store: lines: {error}; computing them again")
            table = step.recompute().lines
        engine.line_tables[digest] = table
    return table
