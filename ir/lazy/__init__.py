"""Packages whose names are imported when they are asked for, so that who needs one module does not load the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package. homes: by module, the names that are there, with blanks between them. What was asked for
    once is found at once the next time. Errors: AttributeError for another name."""
    home = {name: module for module, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(f"{package}.{home[name]}"), name)
        setattr(sys.modules[package], name, found)
        return found

    return get
