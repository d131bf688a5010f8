"""The operands of an instruction as text: which of them stand in braces, which in brackets, and how constants are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import SSAValue

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.ir.instructions import MATRIX, Form
from volta_pipe.ir.ptx import ConstantOp, InstructionOp
from volta_pipe.ir.ptx.signatures import Match, match, vector_length
from volta_pipe.ir.tensor import Multiply, describe
from volta_pipe.ir.tensor_memory import Transfer
from volta_pipe.passes.emit.registers import carry_in, carry_out, is_sink

# What no PTX literal can stand for in a place (PTX ISA 4.5): a register holds it then.
_HALVES = frozenset({"f16", "f16x2", "f32x2"})


def signature_of(op: InstructionOp) -> Match:
    """The row and signature of a verified operation."""
    found = match(op.form, op.modifier_names, op.type_names, len(op.res), len(op.inputs))
    if found is None:
        raise UnsupportedError(f"{op.name} has no such form")
    return found


def literal_text(op: ConstantOp, kind: str) -> str | None:
    """A constant read as `kind`; None where PTX has no literal for it."""
    width = op.value.type.width.data
    if kind in _HALVES:
        return None
    if kind == "f32":
        return f"0f{op.bits:08X}"
    if kind == "f64":
        return f"0d{op.bits:016X}"
    if width == 1:
        return str(op.bits)
    return str(op.bits - (op.bits >> (width - 1) << width))


def result_text(op: InstructionOp, name: Callable[[SSAValue], str]) -> str | None:
    """The destination, or None where there is none."""
    results = list(op.res)
    if carry_out(op) is not None:
        results.pop()
    names = ["_" if is_sink(op, place) else name(value) for place, value in enumerate(results)]
    if not names:
        return None
    form = op.form
    is_list = (form.op in MATRIX and op.mnemonic != "movmatrix") or "unpack" in op.modifier_names
    if is_list or (vector_length(op.modifier_names) > 1 and op.mnemonic in ("ld", "ldu")):
        return f"{{{', '.join(names)}}}"
    return "|".join(names)


def input_texts(op: InstructionOp, texts: Sequence[str]) -> list[str]:
    """The source operands, from the texts of the inputs (registers and literals)."""
    form = op.form
    rest = list(texts)
    if carry_in(op) is not None:
        rest.pop()
    hint = [rest.pop()] if "L2::cache_hint" in op.modifier_names else []
    offsets = [one.value.data for one in (op.offset, op.offset2) if one is not None]
    found = [_memory(rest.pop(0), offset) for offset in offsets]
    for size in _groups(op, form, len(rest)):
        group, rest = rest[:size], rest[size:]
        found.append(f"{{{', '.join(group)}}}")
    return [*found, *rest, *hint]


def _memory(base: str, offset: int) -> str:
    return f"[{base}{f'{offset:+d}'.replace('+-', '-').replace('-', '+-') if offset else ''}]"


def _groups(op: InstructionOp, form: Form, count: int) -> list[int]:
    """Sizes of the braced lists that the operands behind the addresses begin with."""
    words = op.modifier_names
    if form.op in MATRIX:
        tensor = describe(op.mnemonic, words, op.type_names)
        if isinstance(tensor, Multiply):
            return [fragment.registers for fragment in tensor.fragments[:3]]
        return [tensor.registers] if isinstance(tensor, Transfer) and not tensor.load else []
    if "pack" in words and op.mnemonic == "mov":
        return [count]
    length = vector_length(words)
    return [length] if length > 1 and op.mnemonic in ("st", "red") else []
