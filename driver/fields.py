"""Typed access to a TOML table that names file, line and field in every error, and refuses what nobody asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from volta_pipe.driver.toml_lines import Source, Step
from volta_pipe.ir.errors import InputError

# An expression over dims, kept as written until the dims are known.
Expression = int | str

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_RESERVED = ("null", "min", "max")
_ALIKE = 0.65  # of difflib's ratio: two letters that changed places in a word of three are 0.67, `externs` and `referense` 0.63
_SHORT = 3  # letters of an abbreviation: `eps` for `epsilon`
_WORDS = {str: "a string", int: "an integer", float: "a number", bool: "true or false", list: "a list", dict: "a table"}


class Table:
    """One table of the contract. Asking for a key marks it as known; `close` complains about the others."""

    def __init__(self, data: dict[str, Any], source: Source, path: tuple[Step, ...] = ()) -> None:
        self.data = data
        self.source = source
        self.path = path
        self.known: list[str] = []

    def error(self, message: str, *steps: Step) -> InputError:
        return self.source.error((*self.path, *steps), message)

    def has(self, key: str) -> bool:
        self.known.append(key)
        return key in self.data

    def get(self, key: str, kind: type, default: Any = None, *, required: bool = False) -> Any:
        """The value of `key`, checked to be a `kind` (a bool is no integer, an integer is a float)."""
        self.known.append(key)
        if key not in self.data:
            if required:
                near = close(key, tuple(word for word in self.data if word not in self.known))
                raise self.error(f"is missing ({_WORDS[kind]}){near.replace('did you mean', 'is it')}", key)
            return default
        value = self.data[key]
        if not _is(value, kind):
            raise self.error(f"must be {_WORDS[kind]}, is {shown(value)}", key)
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: str | None = None) -> str:
        value = str(self.get(key, str, default, required=default is None))
        if value not in choices:
            hint = close(value, choices)
            raise self.error(f"unknown value '{value}'{hint} (one of: {', '.join(choices)})", key)
        return value

    def any(self, key: str, default: Any = None) -> Any:
        self.known.append(key)
        return self.data.get(key, default)

    def expression(self, key: str, default: Expression) -> Expression:
        return self.as_expression(self.any(key, default), key)

    def as_expression(self, value: Any, *steps: Step) -> Expression:
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise self.error(f"must be an integer or an expression over dims, is {shown(value)}", *steps)
        return value

    def expressions(self, key: str, least: int, most: int) -> tuple[Expression, ...]:
        values = self.get(key, list, required=True)
        if not least <= len(values) <= most:
            raise self.error(f"needs {least} to {most} values, has {len(values)}", key)
        return tuple(self.as_expression(value, key, place) for place, value in enumerate(values))

    def table(self, key: str) -> Table:
        return Table(self.get(key, dict, {}), self.source, (*self.path, key))

    def tables(self, key: str) -> list[tuple[str, Table]]:
        """The named tables under `key`, in file order."""
        outer = self.table(key)
        return [(name, outer.table(outer.name(name))) for name in outer.data]

    def name(self, name: str) -> str:
        if not _NAME.fullmatch(name) or name in _RESERVED:
            raise self.error(f"'{name[:50]}' cannot be a name (letters, digits and _; not {', '.join(_RESERVED)})", name)
        return name

    def close(self) -> None:
        """Raises on the first field that nothing asked for."""
        for key in self.data:
            if key not in self.known:
                raise self.error(f"unknown field{close(key, tuple(self.known))}", key)


def close(word: str, words: tuple[str, ...]) -> str:
    """A hint at the nearest of `words`, or ""."""
    near = nearest(word, words)
    return f", did you mean '{near}'?" if near else ""


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of `words` that is most like `word`, or that it begins with or the other way round, whatever their case; "" where
    none is."""
    from difflib import get_close_matches

    known = {other.casefold(): other for other in words}
    wanted = word.casefold()
    near = get_close_matches(wanted, known, 1, _ALIKE)
    short = [w for w in known if min(len(w), len(wanted)) >= _SHORT and (w.startswith(wanted) or wanted.startswith(w))]
    return known[(near or short)[0]] if near or short else ""


def shown(value: Any) -> str:
    """A value for a message, short."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no integer of thousands of digits, which a caller from Python may give
        return "a number of too many digits"
    return text if len(text) <= 60 else text[:57] + "..."


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float) if kind is float else isinstance(value, kind)
