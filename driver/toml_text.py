"""A contract's TOML as plain values, with errors that help; and the same values given as a dict of Python."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from volta_pipe.driver.fields import shown
from volta_pipe.driver.toml_lines import Source, Step, key_lines, show_path
from volta_pipe.ir.errors import InputError, Place

_BITS = 4096  # of an integer: no dtype holds as much, and Python writes none of more than 4300 digits
_DEPTH = 100  # of tables and lists in each other; a contract has five


def read_toml(data: bytes, file: str) -> tuple[dict[str, Any], Source]:
    """The values of a TOML text, and the lines of its keys. Errors: InputError with the line, `file` being the text's name."""
    try:
        text = data.decode("utf-8-sig")  # some editors put a byte order mark in front
    except UnicodeDecodeError as error:
        raise InputError("is not a TOML text (not UTF-8)", Place(file, data[: error.start].count(b"\n") + 1)) from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(file, text, str(error)) from None
    except RecursionError:
        raise InputError("is nested too deeply", Place(file)) from None
    except ValueError:  # of Python's int, which stops at sys.get_int_max_str_digits()
        long = re.search(r"[0-9_]{4000,}", text)
        line = text.count("\n", 0, long.start()) + 1 if long else 0
        digits = f" ({len(long.group()):,} digits)" if long else ""
        raise InputError(f"holds a number that is too long{digits}", Place(file, line)) from None
    return values, Source(file, key_lines(text.replace("\r\n", "\n")))


# What tomllib says, where that does not help.
_PLAINER = {
    "Cannot overwrite a value": "a key of this name is there already, it is given twice",
    "Illegal character '\\n'": "a text that starts on this line does not end on it",
    "Invalid value": 'here should be a value: a number, true, false, a "text", a [list] or a {table}',
}


def _syntax_error(file: str, text: str, message: str) -> InputError:
    what, _, where = message.rpartition(" (at ")
    numbers = [int(word) for word in where.rstrip(")").replace(",", "").split() if word.isdigit()]
    what = _PLAINER.get(what, what)
    if len(numbers) == 2:
        return InputError(f"not valid TOML: {what}", Place(file, numbers[0], numbers[1]))
    return InputError(f"not valid TOML: {message.partition(' (at')[0]}", Place(file, text.count("\n") + 1))


def toml_values(values: Mapping[str, Any], file: str) -> dict[str, Any]:
    """`values` as what `read_toml` would give: dicts, lists, texts and numbers of Python alone. Errors: InputError that names
    the key of what TOML has nothing for."""
    return _table(values, file, ())


def _table(values: Mapping[Any, Any], file: str, path: tuple[Step, ...]) -> dict[str, Any]:
    for key in values:
        if not isinstance(key, str):
            raise InputError(f"has the key {shown(key)}, keys are texts", Place(file, field=show_path(path)))
    return {key: _value(value, file, (*path, key)) for key, value in values.items()}


def _value(value: Any, file: str, path: tuple[Step, ...]) -> Any:
    if len(path) > _DEPTH:
        raise InputError("is nested too deeply", Place(file))
    if isinstance(value, Mapping):
        return _table(value, file, path)
    if isinstance(value, list | tuple):
        return [_value(item, file, (*path, place)) for place, item in enumerate(value)]
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if type(value) is int and value.bit_length() > _BITS:
        raise InputError("is a number that is too long", Place(file, field=show_path(path)))
    if type(value) in (str, int, float, bool):
        return value
    message = f"is of type {type(value).__name__}, a contract holds texts, numbers, true and false, lists and tables"
    raise InputError(message, Place(file, field=show_path(path)))
