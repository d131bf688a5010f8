#!/usr/bin/env python3
"""Make the .ptx beside every .cu under examples/, tests/kernels/, tests/contracts/, bench/paper/ and bench/scaling/.

Needs nvcc (CUDA 13; the shipped files are from 13.0). The .ptx files are shipped, so proving the examples does not.
nvcc writes absolute paths into `.file`; only the base name is kept, so that the output does not depend on the machine.

usage: python3 examples/build_ptx.py [FILE.cu ...]      (default: all of them)
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "tests/kernels", "tests/contracts", "bench/paper", "bench/scaling")
FLAGS = ["-ptx", "-arch=sm_80", "-lineinfo"]
FILE_DIRECTIVE = re.compile(r'^(\s*\.file\s+\d+\s+")([^"]*)(")', re.MULTILINE)


def find_nvcc() -> str | None:
    """The path of nvcc from $NVCC, $PATH or the usual place; None where there is none."""
    for name in (os.environ.get("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc"):
        found = shutil.which(name) if name else None
        if found:
            return found
    return None


def base_names(ptx: str) -> str:
    """The PTX text with every `.file` path cut down to its last component."""
    return FILE_DIRECTIVE.sub(lambda m: m[1] + re.split(r"[/\\]", m[2])[-1] + m[3], ptx)


def build(nvcc: str, source: pathlib.Path) -> str | None:
    """Compile one .cu; returns an error message, or None."""
    target = source.with_suffix(".ptx")
    made = target.with_suffix(".ptx.tmp")
    command = [nvcc, *FLAGS, source.name, "-o", made.name]
    done = subprocess.run(command, check=False, cwd=source.parent, capture_output=True, text=True)
    if done.returncode != 0:
        made.unlink(missing_ok=True)
        return done.stderr or done.stdout or f"nvcc ended with status {done.returncode}\n"
    sys.stderr.write(done.stderr)
    text = base_names(made.read_text())
    made.unlink()
    absolute = re.search(r'"[^"\n]*/[^"\n]*"', text)
    if absolute:
        return f"a path is left in the PTX: {absolute[0]}\n"
    old = target.read_text() if target.exists() else None
    if text != old:
        target.write_text(text)
    state = "new" if old is None else "same" if text == old else "changed"
    entries = re.findall(r"\.entry\s+([\w$]+)", text)
    print(f"{state:8}{target.relative_to(ROOT)}  {' '.join(entries)}")
    return None


def main(arguments: list[str]) -> int:
    """Build the named sources, or all; returns the exit status."""
    sources = [pathlib.Path(a).resolve() for a in arguments]
    if not sources:
        sources = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cu"))
    nvcc = find_nvcc()
    if nvcc is None:
        print(
            "nvcc not found: put CUDA's bin folder on PATH or set NVCC. The shipped .ptx files work without it.",
            file=sys.stderr,
        )
        return 2
    failed = 0
    for source in sources:
        message = build(nvcc, source)
        if message:
            failed += 1
            print(f"failed  {source}\n{message}", file=sys.stderr)
    print(f"{len(sources) - failed} of {len(sources)} made")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
