"""`volta-pipe init`: a contract to fill in, from a kernel's signature."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.commands.guesses import INTEGERS, guess
from volta_pipe.driver.fields import close
from volta_pipe.driver.files import is_file
from volta_pipe.driver.findings import source_name
from volta_pipe.ir.errors import InputError, Place

if TYPE_CHECKING:
    from volta_pipe.driver.evidence import KernelEvidence


def init_command(kernel: str, entry: str | None, output: str) -> int:
    """Writes the contract; never over a file that is there. Errors: InputError."""
    from volta_pipe.passes.lower import list_entries, read_source

    ptx, shown = read_source(Path(kernel), kernel, entry or "")
    entries = dict(list_entries(ptx, shown))
    if not entries:
        raise InputError("has no entry (no `.entry` kernel)", Place(kernel))
    if entry is None and len(entries) > 1:
        raise InputError(f"has {len(entries)} entries, choose one with --entry: {', '.join(entries)}", Place(kernel))
    name = entry or next(iter(entries))
    if name not in entries:
        raise InputError(f"has no entry '{name}'{close(name, tuple(entries))} (entries: {', '.join(entries)})", Place(kernel))
    target = Path(output)
    source = Path(kernel).with_suffix(".cu")
    compiled_from = _relative(source, target.parent) if is_file(source) else ""
    parameters = [Parameter.of(p) for p in entries[name]]
    dynamic, found = _instructions(ptx, kernel, name, parameters)
    names = _source_names(source, name, len(parameters)) if compiled_from else ()
    text = skeleton(
        _relative(Path(kernel), target.parent),
        name,
        parameters,
        compiled_from=compiled_from,
        dynamic=dynamic,
        found=found,
        names=names,
    )
    try:
        with target.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError("is there already; choose another with --output", Place(output)) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(output)) from None
    print(f"{output}: contract of {name}, {len(entries[name])} parameters, with a guess for all that the PTX does not say")
    print("go through the lines that say CHECK (shapes, dtypes, roles, grid and block), then: volta-pipe run" + _named(output))
    return 0


def _named(output: str) -> str:
    """The contract as an argument of `run`, which takes volta.toml by itself."""
    return "" if output == "volta.toml" else f" {shlex.quote(output)}"


def _relative(kernel: Path, folder: Path) -> str:
    return os.path.relpath(kernel, folder)


def _instructions(ptx: str, kernel: str, entry: str, parameters: list[Parameter]) -> tuple[str, KernelEvidence]:
    """The extern shared array that an entry uses, whose size a launch gives ("" without one), and what its instructions say of
    its parameters. Errors: InputError on bad PTX."""
    from volta_pipe.driver.evidence import evidence
    from volta_pipe.ir.ptx import variables_of
    from volta_pipe.passes.lower import lower

    # What a kernel mentions in vain says something of what it is for, too.
    lowered = lower(ptx, kernel, entry, in_text_order=True)
    variables = variables_of(lowered.module)
    dynamic = next(
        (source_name(one.sym_name.data) for one in variables if one.extern is not None and one.space.data == "shared"), ""
    )
    return dynamic, evidence(lowered.module, lowered.lines, parameters)


def _source_names(source: Path, entry: str, count: int) -> tuple[str, ...]:
    """What the CUDA source beside the PTX calls the parameters of an `extern "C"` kernel; () where that is not plain."""
    try:
        text = source.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    found = re.search(rf"__global__[^;{{}}]*?\b{re.escape(entry)}\s*\(([^(){{}}]*)\)\s*\{{", text)
    words = [re.search(r"([A-Za-z_]\w*)\s*$", part) for part in found.group(1).split(",")] if found else []
    names = tuple(word.group(1) for word in words if word)
    return names if len(names) == count == len(set(names)) else ()


def skeleton(
    source: str,
    entry: str,
    parameters: list[Parameter],
    *,
    compiled_from: str = "",
    dynamic: str = "",
    found: KernelEvidence | None = None,
    names: Sequence[str] = (),
) -> str:
    """The text of a contract that reads, in which every guess says CHECK and what it rests on. `found`: what the instructions
    say; without it a 64-bit integer is taken for a pointer to n floats, the last of them for the output, a shorter integer for
    a dim. `dynamic`: the kernel's extern shared array, of 0 bytes here, with which a run asks for its size. `names`: those
    that the source gives the parameters, where they are known."""
    guesses = guess(parameters, found, [_short(p.name, entry, i, names) for i, p in enumerate(parameters)])
    lines = [
        f"# What {entry} promises. Lines with CHECK hold a guess: the PTX does not say. docs/contract.md has all fields.",
        f"name = {json.dumps(entry)}",
        "",
        "# Sizes by name: a number, a list, or {min=, max=, step=}; every combination is verified. Choose small ones that use",
        "# all paths of the kernel: a full block, one more, one less.",
        "[dims]",
        *(f"{one.name} = {one.value}   # CHECK: {one.why}" for one in guesses.dims),
        "",
    ]
    for one in guesses.tensors:
        lines += [
            f"[tensors.{one.name}]   # CHECK: {one.why}",
            f'dtype = "{one.dtype}"   # CHECK: {one.dtype_why}',
            f'shape = {one.shape}   # CHECK: numbers or expressions over dims, such as ["rows", "n//2"]',
            f'role  = "{one.role}"   # CHECK: {one.role_why}',
            "",
        ]
    for p, name in zip(parameters, guesses.names, strict=True):
        if p.type[0] not in INTEGERS:
            lines += [
                f"[scalars.{name}]   # parameter {p.name}",
                f'dtype = "{p.type}"',
                "# value = 1.0   # without it, the proof is for every value",
                "",
            ]
    lines += [
        "# What must be computed: a function of NumPy arrays that returns a dict of the outputs, or another kernel with the",
        "# keys of [candidate]. Without one, races, deadlocks and bad accesses are looked for, and nothing is compared.",
        "# [reference]",
        f'# spec = "spec.py:{_function(entry)}"',
        "",
        "[candidate]",
        f"source = {json.dumps(source)}",
    ]
    lines += [f"compiled_from = {json.dumps(compiled_from)}   # a run warns where it is newer than the PTX"] * bool(
        compiled_from
    )
    lines += [
        f"entry  = {json.dumps(entry)}",
        f"grid   = {guesses.grid}   # CHECK: {guesses.grid_why}",
        f"block  = {guesses.block}   # {guesses.block_why}",
        f'shared = 0   # CHECK: bytes of {dynamic} (extern shared), a number or an expression such as "4*n"; 0 is an error'
        if dynamic
        else "# shared = 0   # bytes of dynamic shared memory, where the launch gives any",
        f"args   = [{', '.join(guesses.args)}]   # {guesses.args_why}",
    ]
    return "\n".join([*lines, ""])


def _function(entry: str) -> str:
    """A name for the function of a spec."""
    return entry if entry.isidentifier() and not entry.startswith("_") else "reference"


def _short(name: str, entry: str, place: int, names: Sequence[str]) -> str:
    """nvcc's `kernel_param_3` becomes what the source calls it, or `p3`; other names stay, as far as they are names."""
    rest = name.removeprefix(entry).lstrip("_")
    match = re.fullmatch(r"param_(\d+)", rest)
    if match and not names:
        return f"p{match.group(1)}"
    word = re.sub(r"\W", "_", names[place] if match else rest)
    return word if re.fullmatch(r"[A-Za-z_]\w*", word) and word not in ("null", "min", "max") else f"p{place}"
