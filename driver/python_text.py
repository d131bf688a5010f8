"""Names, numbers and tuples of a contract as Python spells them."""

from __future__ import annotations

import keyword
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volta_pipe.driver.expressions import respelled
from volta_pipe.driver.fields import Expression

# The parameters of the function of `dispatch.py`.
PARAMETERS = ("dims", "tensors", "scalars", "launch", "contents", "variables")
# What its text calls; a dim or tensor of such a name is renamed.
_CALLED = (
    "abs", "accepts", "bool", "bytes", "float", "max", "min", "pack", "range", "sha256", "str", "tuple", "__debug__",
)  # fmt: skip


@dataclass(frozen=True)
class Names:
    """The Python name of each dim, tensor and scalar: its own, with underscores behind it where that is taken."""

    of: Mapping[str, str]

    @staticmethod
    def choose(names: Sequence[str]) -> Names:
        """For `names`, which are all different."""
        of: dict[str, str] = {}
        for name in names:
            new = name
            while (
                keyword.iskeyword(new) or new in (*PARAMETERS, *_CALLED) or (new != name and new in names) or new in of.values()
            ):
                new += "_"
            of[name] = new
        return Names(of)

    def text(self, expression: Expression) -> str:
        """An expression of the contract in Python."""
        return str(expression) if isinstance(expression, int) else respelled(expression, self.of)

    def number(self, expression: Expression) -> str:
        """An expression as an operand."""
        text = self.text(expression)
        return text if text.isidentifier() or text.isdigit() else f"({text})"

    def row(self, expressions: Sequence[Expression]) -> str:
        """Expressions as a tuple."""
        return row_text([self.text(expression) for expression in expressions])


def row_text(words: Sequence[str]) -> str:
    """A tuple of the expressions `words`."""
    return f"({', '.join(words)}{',' * (len(words) == 1)})"


def float_text(value: float) -> str:
    """A literal that is `value`."""
    return repr(value) if math.isfinite(value) else f'float("{value}")'
