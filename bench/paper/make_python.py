"""Makes the PTX of the kernels in Triton and TileLang again: `python bench/paper/make_python.py [SOURCE.py ...]`.

The compilers and their versions are those of the corpus (tests/corpus/README.md). They need no GPU; what is not installed is
named, and its files are left alone. Kernels in CUDA are made by `examples/build_ptx.py`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests" / "corpus"))

from makers import MissingToolError, make  # noqa: E402

MAKERS = {"tilelang": "tilelang-sm80", "triton": "triton-sm80"}  # folder -> maker


def main(arguments: list[str]) -> int:
    """Compiles the named sources, or all; returns the exit status."""
    sources = [Path(argument).resolve() for argument in arguments]
    failed = 0
    for source in sources or sorted(path for folder in MAKERS for path in (HERE / folder).glob("*.py")):
        maker = MAKERS[source.parent.name]
        target = source.with_name(f"{source.stem}.{maker}.ptx")
        try:
            text = make(source, maker).text(source.name)
        except (MissingToolError, RuntimeError) as error:
            failed += 1
            print(f"failed  {target.relative_to(HERE)}\n{error}", file=sys.stderr)
            continue
        old = target.read_text() if target.exists() else None
        target.write_text(text)
        print(f"{'new' if old is None else 'same' if text == old else 'changed':8}{target.relative_to(HERE)}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
