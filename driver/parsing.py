"""Python texts as syntax trees, one after the other, whichever thread asks.

CPython counts the depth of the tree that it makes in one place for all threads. Where another one parses meanwhile, which the
garbage collector can bring about in the middle of a tree, `ast.parse` raises SystemError (seen with 3.11)."""

from __future__ import annotations

import ast
import threading

_ONE = threading.Lock()


def parse(source: bytes, name: str = "<unknown>") -> ast.Module:
    """The tree of a Python text. Errors: as of `ast.parse`."""
    with _ONE:
        return ast.parse(source, name)
