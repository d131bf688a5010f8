"""What a command of bench/ is asked to run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

import typer


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...


Thing = TypeVar("Thing", bound=Named)


def chosen(names: Sequence[str], all_of_them: Iterable[Thing], option: str) -> list[Thing]:
    """Those of these names, all for none. Errors: BadParameter for a name that nothing has."""
    everything = {one.name: one for one in all_of_them}
    strange = [name for name in names if name not in everything]
    if strange:
        raise typer.BadParameter(f"{', '.join(strange)}: not among {', '.join(everything)}", param_hint=option)
    return [everything[name] for name in names] or list(everything.values())
