"""`volta-pipe init`: a contract to fill in, from a kernel's signature."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from volta_pipe.driver.arguments import Parameter
from volta_pipe.driver.fields import close
from volta_pipe.ir.errors import InputError, Place

_INTEGERS = ("u", "s", "b")


def init_command(kernel: str, entry: str | None, output: str) -> int:
    """Writes the contract; never over a file that is there. Errors: InputError."""
    from volta_pipe.passes.lower import list_entries, read_ptx

    entries = dict(list_entries(read_ptx(Path(kernel)), kernel))
    if not entries:
        raise InputError("has no entry (no `.entry` kernel)", Place(kernel))
    if entry is None and len(entries) > 1:
        raise InputError(f"has {len(entries)} entries, choose one with --entry: {', '.join(entries)}", Place(kernel))
    name = entry or next(iter(entries))
    if name not in entries:
        raise InputError(f"has no entry '{name}'{close(name, tuple(entries))} (entries: {', '.join(entries)})", Place(kernel))
    target = Path(output)
    text = skeleton(_relative(Path(kernel), target.parent), name, [Parameter.of(p) for p in entries[name]])
    try:
        with target.open("x") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError("is there already; choose another with --output", Place(output)) from None
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", Place(output)) from None
    print(f"{output}: contract of {name}, {len(entries[name])} parameters; fill in the shapes, grid and block")
    return 0


def _relative(kernel: Path, folder: Path) -> str:
    return os.path.relpath(kernel, folder)


def skeleton(source: str, entry: str, parameters: list[Parameter]) -> str:
    """The text of a contract that reads: every 64-bit integer is taken for a pointer, which the user corrects."""
    names = {p.name: _short(p.name, entry, place) for place, p in enumerate(parameters)}
    pointers = [p for p in parameters if p.size == 8 and p.type[0] in _INTEGERS]
    integers = [p for p in parameters if p.size < 8 and p.type[0] in _INTEGERS]
    floats = [p for p in parameters if p.type[0] not in _INTEGERS]
    lines = [f"name = {json.dumps(entry)}", ""]
    lines += ["[dims]", "n = 256", *(f"{names[p.name]} = 256" for p in integers), ""]
    for place, p in enumerate(pointers):
        role = "out" if place == len(pointers) - 1 else "in"
        lines += [f"[tensors.{names[p.name]}]", 'dtype = "f32"', 'shape = ["n"]']
        lines += [f'role  = "{role}"   # in | out | inout | scratch', ""]
    for p in floats:
        lines += [f"[scalars.{names[p.name]}]", f'dtype = "{p.type}"', "# value = 1.0   # absent: for every value", ""]
    lines += ["# [reference]", '# spec = "spec.py:function"', "", "[candidate]"]
    arguments = ", ".join(json.dumps(names[p.name]) for p in parameters)
    lines += [f"source = {json.dumps(source)}", f"entry  = {json.dumps(entry)}", 'grid   = ["(n+127)//128"]', "block  = [128]"]
    return "\n".join([*lines, f"args   = [{arguments}]", ""])


def _short(name: str, entry: str, place: int) -> str:
    """nvcc's `kernel_param_3` becomes `p3`; other names stay, as far as they are names."""
    rest = name.removeprefix(entry).lstrip("_")
    match = re.fullmatch(r"param_(\d+)", rest)
    if match:
        return f"p{match.group(1)}"
    word = re.sub(r"\W", "_", rest)
    return word if re.fullmatch(r"[A-Za-z_]\w*", word) and word not in ("n", "null", "min", "max") else f"p{place}"
