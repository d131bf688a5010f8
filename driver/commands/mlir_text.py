"""`inspect --mlir` and `--rows`: what `unroll`, `vc` and `trace` made, as modules of the dialects `scta` and `vc`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from volta_pipe.driver.commands.formula import number_of, parse_element
from volta_pipe.driver.commands.row_table import chosen_rows
from volta_pipe.driver.elements import Shapes


def rows_text(program: Any, *, rows: str | None, cta: int | None, thread: int | None, generic: bool) -> Iterator[str]:
    """Lines of the module of these rows in the generic form; in the custom form, of its functions alone.

    Errors: InputError where there are no such rows, or too many."""
    from xdsl.dialects.func import FuncOp

    from volta_pipe.ir.modules import print_custom, print_generic
    from volta_pipe.ir.scta import Selection, module_of

    chosen = None if rows is None else chosen_rows(rows, program)
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
