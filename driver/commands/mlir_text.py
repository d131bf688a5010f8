"""`inspect --mlir` and `--rows`: what `unroll`, `vc` and `trace` made, as modules of the dialects `scta` and `vc`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from volta_pipe.driver.commands.formula import number_of, parse_element
from volta_pipe.driver.elements import Shapes
from volta_pipe.ir.errors import InputError


def parse_rows(text: str) -> tuple[int, int | None]:
    """(A, B) of `A:B`, `A:` and `:B`; B None: to the end. Errors: InputError."""
    match = re.fullmatch(r"([0-9]{1,12})?:([0-9]{1,12})?", text.strip())
    if match is None:
        raise InputError(f"--rows: '{text[:40]}' is not A:B, such as 0:20 (rows are counted from 0 through all CTAs)")
    first, end = match.groups()
    return int(first or 0), None if end is None else int(end)


def rows_text(program: Any, *, rows: str | None, cta: int | None, thread: int | None, generic: bool) -> Iterator[str]:
    """Lines of the module of these rows in the generic form; in the custom form, of its functions alone.

    Errors: InputError where there are no such rows, or too many."""
    from xdsl.dialects.func import FuncOp

    from volta_pipe.ir.modules import print_custom, print_generic
    from volta_pipe.ir.scta import Selection, module_of

    chosen = None
    if rows is not None:
        first, end = parse_rows(rows)
        count = len(program.row_instr)
        chosen = range(first, count if end is None else end)
    module = module_of(program, Selection(cta, chosen, thread))
    if generic:
        yield from print_generic(module).splitlines()
        return
    for op in module.body.ops:
        if isinstance(op, FuncOp):
            yield from print_custom(op).splitlines()


def conditions_text(conditions: Any, shapes: Shapes, elements: Sequence[str]) -> Iterator[str]:
    """Lines of the module of these output elements, of all where none is named, in the generic form.

    Errors: InputError where there is no such element, or there are too many nodes."""
    from volta_pipe.ir.modules import print_generic
    from volta_pipe.ir.vc import module_of

    places = [number_of(conditions, shapes, *parse_element(text)) for text in elements]
    yield from print_generic(module_of(conditions, places or None)).splitlines()
