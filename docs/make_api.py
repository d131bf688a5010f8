"""Makes docs/api.md from the docstrings of what `import volta_pipe` offers: `python docs/make_api.py`.

A test compares the file with what this gives."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import volta_pipe

TARGET = Path(__file__).resolve().parent / "api.md"
WIDTH = 110  # of a signature on one line
SECTIONS = (
    ("Verdicts", ("verify", "Verdict", "Contract")),
    ("Single stages", ("Pipeline",)),
    (
        "Artifacts",
        ("open_artifact", "Artifact", "LowerArtifact", "UnrollArtifact", "CheckArtifact", "VcArtifact", "CanonArtifact",
         "DecideArtifact", "DynamicArtifact"),
    ),
    ("Errors", ("VoltaError", "InputError", "ArtifactError", "UnsupportedError", "BudgetError", "Place")),
)  # fmt: skip
HEAD = """# The Python API

Made by `docs/make_api.py` from the docstrings of the code; a test runs the examples. Everything here is imported from
`volta_pipe`, whose import takes a few milliseconds: what a name needs is imported when it is first used. The package is typed
(`py.typed`). [contract.md](contract.md) says what a contract and a verdict hold, [architecture.md](architecture.md) what
the stages do and what their artifacts are.

The command line is a thin layer over the same functions: `run` is `verify` with a line for each stage.
"""


def document() -> str:
    """All of it, as Markdown."""
    listed = [name for _, names in SECTIONS for name in names]
    if sorted(listed) != sorted(volta_pipe.__all__):
        raise SystemExit(f"names without a section: {sorted(set(volta_pipe.__all__) ^ set(listed))}")
    lines = [HEAD]
    for title, names in SECTIONS:
        lines.append(f"## {title}\n")
        for name in names:
            lines += _entry(name, getattr(volta_pipe, name))
    return "\n".join(lines).rstrip() + "\n"


def _entry(name: str, found: Any) -> Iterator[str]:
    yield f"### `{name}`\n"
    if not inspect.isclass(found):
        yield from _callable(found, name)
        return
    bases = [base.__name__ for base in found.__bases__ if base.__name__ in volta_pipe.__all__]
    if bases:
        yield f"A `{bases[0]}`, with all that this has.\n"
    if "__init__" in vars(found) and hasattr(found.__init__, "__code__") and not hasattr(found, "__dataclass_fields__"):
        yield f"```python\n{_signature(found.__init__, name)}\n```\n"
    yield from _text(found)
    for key, member in vars(found).items():
        if key.startswith("_"):
            continue
        inner = getattr(member, "fget", None) or getattr(member, "func", None) or getattr(member, "__func__", member)
        if not inspect.isfunction(inner):
            continue
        yield f"#### `{name}.{key}`\n"
        if inner is member or isinstance(member, staticmethod):
            yield from _callable(inner, f"{name}.{key}" if isinstance(member, staticmethod) else key)
        else:
            returns = _node(inner).returns
            yield f"```python\n{key}: {ast.unparse(returns) if returns else 'Any'}\n```\n"
            yield from _text(inner)


def _callable(found: Any, name: str) -> Iterator[str]:
    yield f"```python\n{_signature(found, name)}\n```\n"
    yield from _text(found)


def _node(function: Any) -> ast.FunctionDef:
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(node, ast.FunctionDef)
    return node


def _signature(function: Any, name: str) -> str:
    """As written, without `self`; over several lines where it is long."""
    node = _node(function)
    node.args.args = [argument for argument in node.args.args if argument.arg != "self"]
    returns = f" -> {ast.unparse(node.returns)}" if node.returns is not None and node.name != "__init__" else ""
    arguments = _arguments(node.args)
    line = f"{name}({', '.join(arguments)}){returns}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {one}," for one in arguments), f"){returns}"])


def _arguments(arguments: ast.arguments) -> list[str]:
    missing = [None] * (len(arguments.args) - len(arguments.defaults))
    plain = [_argument(*pair) for pair in zip(arguments.args, [*missing, *arguments.defaults], strict=True)]
    named = [_argument(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return [*plain, *(["*"] if named else []), *named]


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    """As it is written in the code, with its text in double quotes."""
    if default is None:
        return ast.unparse(argument)
    return f"{ast.unparse(argument)} = {ast.unparse(default)}".replace("'", '"')


def _text(found: Any) -> Iterator[str]:
    """A docstring: its paragraphs, and its examples in fences."""
    text = inspect.getdoc(found) or ""
    for paragraph in text.strip().split("\n\n"):
        head, mark, example = paragraph.partition(">>> ")
        if head.strip():
            yield f"{head.strip()}\n"
        if mark:
            yield f"```pycon\n>>> {example}\n```\n"


if __name__ == "__main__":
    TARGET.write_text(document())
