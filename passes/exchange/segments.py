"""Groups of operands as IRDL has them. There every element of a group has one and the same type, so each operand of an
instruction is a group of its own: as many places as the mnemonic can have inputs, one for the guard, and one for the old value
of each result. `operandSegmentSizes` is then a list of zeros and ones."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i32

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.instructions import FORMS, MATRIX
from volta_pipe.ir.ptx import InstructionOp

# Most registers of a matrix instruction: 8 of A, B and C each (PTX ISA 9.7.14.4), an address and a stride apart.
_MATRIX_INPUTS, _MATRIX_RESULTS = 26, 8
_UNMODELLED = 32
_SIZES = "operandSegmentSizes"
_RESULT_SIZES = "resultSegmentSizes"


@lru_cache(maxsize=256)
def places(mnemonic: str) -> tuple[int, int]:
    """(most inputs, most results) of an instruction."""
    forms = [form for form in FORMS if form.mnemonic == mnemonic]
    if not forms:
        return _UNMODELLED, _UNMODELLED
    inputs = results = 0
    for form in forms:
        if form.op in MATRIX:
            inputs = _MATRIX_INPUTS
            results = max(results, 0 if form.signatures[0].startswith("=") else _MATRIX_RESULTS)
            continue
        words = form.optional | form.required
        vector = next((length for length in (8, 4, 2) if f"v{length}" in words), 1)
        for signature in form.signatures:
            made, given = (side.split(",") if side else [] for side in signature.split("="))
            results = max(results, sum(vector if letter == "V" else 1 for letter in made))
            inputs = max(inputs, sum(vector if letter == "V" else 1 for letter in given) + ("L2::cache_hint" in words))
    return inputs, results


def spread_segments(module: ModuleOp) -> None:
    """Write every operand as a group, in place. Errors: UnsupportedError where there are more than places."""
    for op in module.walk():
        if not isinstance(op, InstructionOp):
            continue
        inputs, results = places(op.mnemonic)
        if len(op.inputs) > inputs or len(op.res) > results:
            raise UnsupportedError(f"{op.name} has more operands than its definition has places")
        sizes = [*_ones(len(op.inputs), inputs), int(op.guard is not None), *_ones(len(op.old), results)]
        op.properties[_SIZES] = DenseArrayBase.from_list(i32, sizes)
        if op.mnemonic == "unmodelled":
            op.attributes[_RESULT_SIZES] = DenseArrayBase.from_list(i32, _ones(len(op.res), results))


def gather_segments(module: ModuleOp) -> None:
    """The way back: inputs, guard and old values as three groups. What has three already stays. Errors: InputError."""
    for op in module.walk():
        if not isinstance(op, InstructionOp):
            continue
        inputs, results = places(op.mnemonic)
        sizes = op.properties.get(_SIZES)
        numbers = list(sizes.iter_values()) if isinstance(sizes, DenseArrayBase) else []
        op.attributes.pop(_RESULT_SIZES, None)
        if len(numbers) == 3 and inputs + 1 + results != 3:
            continue
        if len(numbers) != inputs + 1 + results or not all(number in (0, 1) for number in numbers):
            raise InputError(f"{op.name}: {_SIZES} has not one entry for each of {inputs + 1 + results} places")
        parts = numbers[:inputs], numbers[inputs : inputs + 1], numbers[inputs + 1 :]
        if any(part != _ones(sum(part), len(part)) for part in parts):
            raise InputError(f"{op.name}: {_SIZES} leaves out a place before one that it has")
        op.properties[_SIZES] = DenseArrayBase.from_list(i32, [sum(part) for part in parts])


def _ones(count: int, places: int) -> list[int]:
    return [1] * count + [0] * (places - count)
