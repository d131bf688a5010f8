"""What attributes of the dialects `scta` and `vc` hold: numbers, arrays of numbers, words and text.

The dialects use nothing that IRDL cannot say: attributes and no properties, none of them optional, words instead of
enumerations, one list of operands an operation. So the real `mlir-opt` can load them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DenseArrayBase, IntegerAttr, IntegerType, StringAttr, i1, i64
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, EqAttrConstraint
from xdsl.utils.exceptions import VerifyException

Integer = IntegerAttr[IntegerType]
Integers = DenseArrayBase[IntegerType]
INTEGER: AttrConstraint[Integer] = IntegerAttr.constr(EqAttrConstraint(i64))
INTEGERS: AttrConstraint[Integers] = DenseArrayBase.constr(EqAttrConstraint(i64))
BOOLEAN: AttrConstraint[BoolAttr] = IntegerAttr.constr(EqAttrConstraint(i1))


def one_of(words: Iterable[str]) -> AttrConstraint[StringAttr]:
    """The constraint of a string that is one of at least two words."""
    first, second, *rest = (EqAttrConstraint(StringAttr(word)) for word in words)
    found = first | second
    for constraint in rest:
        found |= constraint
    return found


# Attributes are immutable, few distinct ones occur, and making one costs as much as an operation.
@lru_cache(maxsize=4096)
def integer(value: int) -> Integer:
    """An i64. Errors: VerifyException where it does not fit."""
    return IntegerAttr(value, i64)


@lru_cache(maxsize=4096)
def integers(values: tuple[int, ...]) -> Integers:
    """An array of i64."""
    return DenseArrayBase.from_list(i64, values)


@lru_cache(maxsize=4096)
def word(text: str) -> StringAttr:
    """A string of ASCII characters: what else there is would be read back as bytes, so it is escaped as Python does."""
    return StringAttr(text.encode("unicode_escape").decode("ascii"))


def boolean(value: bool) -> BoolAttr:
    """An i1."""
    return IntegerAttr.from_bool(value)


def text_of(attribute: StringAttr) -> str:
    """What `word` was given. Errors: VerifyException."""
    try:
        return attribute.data.encode("ascii").decode("unicode_escape")
    except UnicodeError:
        raise VerifyException(f"the string {attribute.data[:40]!r} is no text") from None


def number_of(attribute: Attribute) -> int:
    """The value of an IntegerAttr."""
    if not isinstance(attribute, IntegerAttr):
        raise VerifyException("a number is expected")
    return int(attribute.value.data)


def numbers_of(attribute: Attribute) -> tuple[int, ...]:
    """The values of an array of i64."""
    if not isinstance(attribute, DenseArrayBase):
        raise VerifyException("an array of numbers is expected")
    return tuple(int(value) for value in attribute.get_values())


def texts_of(attribute: ArrayAttr[StringAttr]) -> tuple[str, ...]:
    """The strings of an array."""
    return tuple(text_of(entry) for entry in attribute)
