#!/usr/bin/env python3
"""Makes the .ptx beside every .cu under kernels/, and a contract under contracts/ for every case that their labels name.

Needs nvcc (CUDA 13; the shipped files are from 13.0); `--contracts` makes the contracts alone, without it. A file whose first
line is `// arch: sm_90a` is compiled for that, all others for sm_80.

usage: python3 tests/safety/make.py [--contracts] [FAMILY ...]      (default: all of them)
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from safety_labels import CONTRACTS, KERNELS, cases_of

ARCH = "// arch:"
FILE_DIRECTIVE = re.compile(r'^(\s*\.file\s+\d+\s+")([^"]*)(")', re.MULTILINE)


def compiled(source: Path) -> str:
    """The PTX text of a .cu, every `.file` path cut down to its last component. Errors: RuntimeError with nvcc's message."""
    nvcc = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    if nvcc is None:
        raise RuntimeError("nvcc not found: put CUDA's bin folder on PATH or set NVCC. The shipped .ptx files work without it.")
    first = source.read_text().partition("\n")[0]
    arch = first.removeprefix(ARCH).strip() if first.startswith(ARCH) else "sm_80"
    command = [nvcc, "-ptx", f"-arch={arch}", "-lineinfo", source.name, "-o", "-"]
    done = subprocess.run(command, check=False, cwd=source.parent, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr or f"nvcc ended with status {done.returncode}")
    return FILE_DIRECTIVE.sub(lambda m: m[1] + re.split(r"[/\\]", m[2])[-1] + m[3], done.stdout)


def main(arguments: list[str]) -> int:
    """Makes what is named, or everything; 1 when nvcc refuses a file."""
    names = [name for name in arguments if not name.startswith("-")]
    for source in sorted(KERNELS.glob("*.cu")):
        if names and source.stem not in names:
            continue
        if "--contracts" not in arguments:
            try:
                source.with_suffix(".ptx").write_text(compiled(source))
            except RuntimeError as error:
                print(f"{source.name}: {error}", file=sys.stderr)
                return 1
        folder = CONTRACTS / source.stem
        wanted = {case.contract: case.toml() for case in cases_of(source)}
        folder.mkdir(parents=True, exist_ok=True)
        for stale in set(folder.glob("*.toml")) - set(wanted):
            stale.unlink()
        for path, text in wanted.items():
            path.write_text(text)
        print(f"{source.stem}: {len(wanted)} contracts")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
