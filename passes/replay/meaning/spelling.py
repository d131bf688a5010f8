"""The table of concrete meanings, keyed by the spelled form: mnemonic, modifiers (a set) and types.

A family module registers a builder per mnemonic. The builder reads the spelling, takes the modifiers that it understands, and
returns a function on bit arrays; what it leaves untaken makes the form unsupported, so no modifier is ever ignored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from volta_pipe.ir.errors import UnsupportedError

Array = np.ndarray[Any, np.dtype[Any]]
# Inputs in PTX order, each uint64 [lanes] and contiguous, to results in PTX order, whose bits above the type's width are zero.
# Forms that read or write the carry flag (add.cc, addc, …) take it as their last input and give it as their last result, a
# predicate.
Function = Callable[..., tuple[Array, ...]]


@dataclass(frozen=True)
class Meaning:
    """What a form computes. `approximate`: the ISA leaves the last bits of the result open (.approx, .full), so hardware may
    give others; comparisons then need a tolerance."""

    function: Function
    approximate: bool = False

    def __call__(self, *operands: Array) -> tuple[Array, ...]:
        """The results; NumPy's warnings (overflow, invalid, division by zero) are silent, as IEEE 754's defaults apply.
        `function` alone is faster, for callers that silence them around many calls."""
        with np.errstate(all="ignore"):
            return self.function(*operands)


@dataclass
class Spelling:
    """A form while a builder reads it; `rest` are the modifiers that nobody has taken."""

    mnemonic: str
    types: tuple[str, ...]
    rest: set[str]
    approximate: bool = False
    seen: set[str] = field(default_factory=set)

    def flag(self, name: str) -> bool:
        """Takes a modifier; whether it was there."""
        found = name in self.rest
        self.rest.discard(name)
        return found

    def one_of(self, names: str, default: str = "") -> str:
        """Takes the one modifier among `names` (blank-separated) that is there. Errors: UnsupportedError on several of them."""
        found = [name for name in names.split() if name in self.rest]
        if len(found) > 1:
            raise self.refusal(f"has both .{found[0]} and .{found[1]}")
        self.rest.difference_update(found)
        return found[0] if found else default

    @property
    def type(self) -> str:
        """The first type, "" where the form has none."""
        return self.types[0] if self.types else ""

    def refusal(self, why: str = "has no concrete meaning here") -> UnsupportedError:
        """The error for this form."""
        return UnsupportedError(f"{self} {why}")

    def need(self, condition: bool, why: str = "has no concrete meaning here") -> None:
        """Refuses the form where the condition does not hold. Errors: UnsupportedError."""
        if not condition:
            raise self.refusal(why)

    def __str__(self) -> str:
        return ".".join([self.mnemonic, *sorted(self.seen), *self.types])


Builder = Callable[[Spelling], Function]
_BUILDERS: dict[str, list[tuple[Callable[[str], bool], Builder]]] = {}


def meaning_for(mnemonics: str, types: Callable[[str], bool]) -> Callable[[Builder], Builder]:
    """Registers a builder for mnemonics (blank-separated) where `types` holds for the first type."""

    def register(builder: Builder) -> Builder:
        for mnemonic in mnemonics.split():
            _BUILDERS.setdefault(mnemonic, []).append((types, builder))
        return builder

    return register


def meaning_of(mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> Meaning:
    """The concrete meaning of a form. Errors: UnsupportedError where it has none here."""
    _load()
    spelling = Spelling(mnemonic, tuple(types), set(modifiers), seen=set(modifiers))
    for accepts, builder in _BUILDERS.get(mnemonic, ()):
        if accepts(spelling.type):
            function = builder(spelling)
            if spelling.rest:
                raise spelling.refusal(f"has no concrete meaning here (.{', .'.join(sorted(spelling.rest))})")
            return Meaning(function, spelling.approximate)
    raise spelling.refusal()


def mnemonics() -> tuple[str, ...]:
    """All mnemonics with a meaning, sorted."""
    _load()
    return tuple(sorted(_BUILDERS))


def among(*names: str) -> Callable[[str], bool]:
    """A test of the first type."""
    return frozenset(names).__contains__


def _load() -> None:
    """Imports the families, which register themselves."""
    from volta_pipe.passes.replay.meaning import families  # noqa: F401
