"""`volta-pipe init`: a contract to fill in, from a kernel's signature."""

from __future__ import annotations

import json
import os
import re
import shlex
from pathlib import Path

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.fields import close
from volta_pipe.driver.findings import source_name
from volta_pipe.ir.errors import InputError, Place

_INTEGERS = ("u", "s", "b")
_GUESSED = {"out": " (the last pointer, taken for the output)"}


def init_command(kernel: str, entry: str | None, output: str) -> int:
    """Writes the contract; never over a file that is there. Errors: InputError."""
    from volta_pipe.passes.lower import list_entries, read_ptx

    ptx = read_ptx(Path(kernel))
    entries = dict(list_entries(ptx, kernel))
    if not entries:
        raise InputError("has no entry (no `.entry` kernel)", Place(kernel))
    if entry is None and len(entries) > 1:
        raise InputError(f"has {len(entries)} entries, choose one with --entry: {', '.join(entries)}", Place(kernel))
    name = entry or next(iter(entries))
    if name not in entries:
        raise InputError(f"has no entry '{name}'{close(name, tuple(entries))} (entries: {', '.join(entries)})", Place(kernel))
    target = Path(output)
    source = Path(kernel).with_suffix(".cu")
    compiled_from = _relative(source, target.parent) if source.is_file() else ""
    parameters = [Parameter.of(p) for p in entries[name]]
    dynamic = _dynamic_shared(ptx, kernel, name)
    text = skeleton(_relative(Path(kernel), target.parent), name, parameters, compiled_from=compiled_from, dynamic=dynamic)
    try:
        with target.open("x") as stream:
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


def _dynamic_shared(ptx: str, kernel: str, entry: str) -> str:
    """The extern shared array that an entry uses, whose size a launch gives; "" without one. Errors: InputError on bad PTX."""
    from volta_pipe.ir.ptx import variables_of
    from volta_pipe.passes.lower import lower

    variables = variables_of(lower(ptx, kernel, entry).module)
    return next(
        (source_name(one.sym_name.data) for one in variables if one.extern is not None and one.space.data == "shared"), ""
    )


def skeleton(source: str, entry: str, parameters: list[Parameter], *, compiled_from: str = "", dynamic: str = "") -> str:
    """The text of a contract that reads, in which every guess says CHECK: a 64-bit integer is taken for a pointer to n floats,
    the last of them for the output, a shorter integer for a dim. dynamic: the kernel's extern shared array, of 0 bytes here,
    with which a run asks for its size."""
    names = {p.name: _short(p.name, entry, place) for place, p in enumerate(parameters)}
    pointers = [p for p in parameters if p.size == 8 and p.type[0] in _INTEGERS]
    integers = [p for p in parameters if p.size < 8 and p.type[0] in _INTEGERS]
    floats = [p for p in parameters if p.type[0] not in _INTEGERS]
    lines = [
        f"# What {entry} promises. Lines with CHECK hold a guess: the PTX does not say. docs/contract.md has all fields.",
        f"name = {json.dumps(entry)}",
        "",
        "# Sizes by name: a number, a list, or {min=, max=, step=}; every combination is verified. Choose small ones that use",
        "# all paths of the kernel: a full block, one more, one less.",
        "[dims]",
        "n = 256   # CHECK: the length of every tensor below, as long as their shapes say so",
    ]
    lines += [f"{names[p.name]} = 256   # CHECK: parameter {p.name} (.{p.type}), taken for a size" for p in integers]
    lines.append("")
    for place, p in enumerate(pointers):
        role = "out" if place == len(pointers) - 1 else "in"
        lines += [
            f"[tensors.{names[p.name]}]   # CHECK: parameter {p.name} (.{p.type}), taken for a pointer",
            'dtype = "f32"   # CHECK: f64 f32 tf32 f16 bf16 e4m3 e5m2 s8 u8 s16 u16 s32 u32 s64 u64 b8',
            'shape = ["n"]   # CHECK: numbers or expressions over dims, such as ["rows", "n//2"]',
            f'role  = "{role}"   # CHECK: in | out | inout | scratch{_GUESSED.get(role, "")}',
            "",
        ]
    for p in floats:
        lines += [
            f"[scalars.{names[p.name]}]   # parameter {p.name}",
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
    arguments = ", ".join(json.dumps(names[p.name]) for p in parameters)
    lines += [
        f"entry  = {json.dumps(entry)}",
        'grid   = ["(n+127)//128"]   # CHECK: CTAs of the launch, 1 to 3 numbers or expressions',
        "block  = [128]   # CHECK: threads of a CTA, 1 to 3 numbers or expressions",
        f'shared = 0   # CHECK: bytes of {dynamic} (extern shared), a number or an expression such as "4*n"; 0 is an error'
        if dynamic
        else "# shared = 0   # bytes of dynamic shared memory, where the launch gives any",
        f"args   = [{arguments}]   # in the order of the parameters",
    ]
    return "\n".join([*lines, ""])


def _function(entry: str) -> str:
    """A name for the function of a spec."""
    return entry if entry.isidentifier() and not entry.startswith("_") else "reference"


def _short(name: str, entry: str, place: int) -> str:
    """nvcc's `kernel_param_3` becomes `p3`; other names stay, as far as they are names."""
    rest = name.removeprefix(entry).lstrip("_")
    match = re.fullmatch(r"param_(\d+)", rest)
    if match:
        return f"p{match.group(1)}"
    word = re.sub(r"\W", "_", rest)
    return word if re.fullmatch(r"[A-Za-z_]\w*", word) and word not in ("n", "null", "min", "max") else f"p{place}"
