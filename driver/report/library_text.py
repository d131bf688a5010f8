"""A function of the library of specs as text: its own lines, and those of what it uses of the library."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from volta_pipe.driver.library import LIBRARY, PACKAGE

Definition = ast.FunctionDef | ast.Assign


def library_text(path: Path, name: str) -> str:
    """The source of function `name` in `path`, a file of the library, and below it whatever of the library it uses, directly or
    not. Errors: OSError, SyntaxError where the installation is damaged."""
    parts: list[str] = []
    seen = {(path, name)}
    left = [(path, name)]
    while left:
        file, wanted = left.pop(0)
        text = file.read_text(encoding="utf-8")
        module = ast.parse(text)
        node = next((one for one in module.body if wanted in _defined(one)), None)
        if not isinstance(node, Definition):
            continue
        parts.append("\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]))
        for used in _names(node):
            place = _place(module, file, used)
            if place is not None and place not in seen:
                seen.add(place)
                left.append(place)
    return "\n\n\n".join(parts) + "\n"


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef):
        return [node.name]
    return [target.id for target in node.targets if isinstance(target, ast.Name)] if isinstance(node, ast.Assign) else []


def _names(node: ast.AST) -> Iterator[str]:
    """Names that are read where the code runs, in the order of the text: not those of annotations."""
    if isinstance(node, ast.Name):
        yield node.id
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from _names(part)


def _place(module: ast.Module, file: Path, name: str) -> tuple[Path, str] | None:
    """Where the library defines what a module calls `name`; None of what it has from elsewhere."""
    for node in module.body:
        if name in _defined(node):
            return file, name
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}."):
            for alias in node.names:
                if name == (alias.asname or alias.name):
                    return LIBRARY / f"{(node.module or '').removeprefix(f'{PACKAGE}.')}.py", alias.name
    return None
