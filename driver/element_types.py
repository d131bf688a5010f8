"""What the elements of a tensor are, as far as the types of the instructions say that make and use them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from xdsl.ir import Block, SSAValue

from volta_pipe.ir.ptx import BranchOp, CondBranchOp, InstructionOp, LoadParamOp, UnmodelledOp

_MATRIX = ("mma", "wmma", "wgmma")
# Work on bits, for which people use unsigned integers, and sums, which are the same with and without a sign.
_UNSIGNED = frozenset({"xor", "not", "shl", "shr", "popc", "clz", "brev", "bfind", "shf"})
_EITHER = frozenset({"add", "sub", "mul", "mad", "addc", "subc"})
_INTEGERS = ("u", "s", "i")
# Instructions that hand bits on as they are.
_COPIES = frozenset({"mov", "selp", "prmt", "shfl", "and", "or", "lop3"})


def element_dtypes(operation: InstructionOp) -> list[str]:
    """What an access says of the elements: its own type, or for integers and mere bits, as which compilers move any type, the
    types of what makes or uses them."""
    kinds = [kind for kind in map(_plain, operation.type_names) if kind]
    own = kinds[-1] if kinds else ""
    if (own and own[0] not in _INTEGERS) or (own and operation.mnemonic in ("atom", "red")):
        return [own]
    seen: set[SSAValue] = set()
    if operation.res and operation.mnemonic not in ("atom", "red"):
        found = [kind for value in operation.res for kind in _uses(value, seen, 6)]
    else:
        found = [kind for value in operation.inputs[1:] for kind in _makes(value, seen, 6)]
    width = _bits(operation.type_names[-1]) if operation.type_names else 0
    fitting = [kind for kind in found if not width or _bits(kind) <= width]
    floats = [kind for kind in fitting if kind[0] not in _INTEGERS]
    if floats:
        return [Counter(floats).most_common(1)[0][0]]
    if not found and width != 8:  # it is only copied
        return ["f16"] if width == 16 else []
    signs = {kind[0] for kind in fitting if _bits(kind) == width}
    if own[:1] == "s" or "s" in signs or (width >= 32 and "u" not in signs):
        return [f"s{width}"]
    return [f"u{width}"] if width else []


def _plain(word: str) -> str:
    """The element's dtype of a type of an instruction: f16 of f16x2, "" of mere bits and predicates."""
    word = word.partition("x")[0] if not word.startswith("ex") else word
    word = "f32" if word == "tf32" else word  # in memory it is a float32
    known = ("f64", "f32", "f16", "bf16", "e4m3", "e5m2", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64")
    return word if word in known else ""


def _bits(word: str) -> int:
    digits = word.lstrip("abcdefghijklmnopqrstuvwxyz").partition("x")[0]
    return {"e4m3": 8, "e5m2": 8}.get(word, int(digits) if digits.isdigit() else 0)


def _uses(value: SSAValue, seen: set[SSAValue], depth: int) -> list[str]:
    """The types that the users of a value take it for."""
    if value in seen or depth == 0:
        return []
    seen.add(value)
    found: list[str] = []
    for use in value.uses:
        user = use.operation
        if isinstance(user, InstructionOp) and not isinstance(user, UnmodelledOp):
            types = user.type_names
            if user.mnemonic in _COPIES:
                found += [kind for result in user.res for kind in _uses(result, seen, depth - 1)]
            elif types and user.offset is None:
                found.append(_taken(user))
        else:
            found += [kind for target in _handed(user, value) for kind in _uses(target, seen, depth - 1)]
    return [kind for kind in found if kind]


def _makes(value: SSAValue, seen: set[SSAValue], depth: int) -> list[str]:
    """The types of the instructions that a value comes from."""
    if value in seen or depth == 0:
        return []
    seen.add(value)
    owner = value.owner
    if isinstance(owner, Block):
        place = list(owner.args).index(value)  # type: ignore[arg-type]
        handed = [list(args)[place] for block in _preceding(owner) for args in _arguments(block, owner)]
        return [kind for one in handed for kind in _makes(one, seen, depth - 1)]
    if isinstance(owner, LoadParamOp):
        return [kind for kind in [_plain(owner.type_name)] if kind]
    if not isinstance(owner, InstructionOp) or isinstance(owner, UnmodelledOp):
        return []
    if owner.mnemonic in _COPIES:
        return [kind for one in owner.inputs for kind in _makes(one, seen, depth - 1)]
    kind = _taken(owner, result=True)
    return [kind] if kind else []


def matrix_dtype(operations: Iterable[Any]) -> str:
    """What the tensor cores of a kernel multiply, or ""."""
    for one in operations:
        if isinstance(one, InstructionOp) and one.mnemonic in _MATRIX and (kind := _taken(one)):
            return kind
    return ""


def _taken(operation: InstructionOp, *, result: bool = False) -> str:
    """The dtype that an instruction takes its operands for, or makes; i32 for an integer with or without a sign."""
    types = operation.type_names
    if not types:
        return ""
    many = operation.mnemonic in ("cvt", *_MATRIX)
    word = types[0] if result and many else types[1] if operation.mnemonic in _MATRIX and len(types) > 2 else types[-1]
    kind = _plain(word)
    if operation.mnemonic in _UNSIGNED and word[0] == "b":
        return f"u{_bits(word)}"
    if operation.mnemonic in _EITHER and kind[:1] in ("s", "u") and not {"wide", "hi"} & set(operation.modifier_names):
        return f"i{kind[1:]}"
    return kind


def _preceding(block: Block) -> list[Block]:
    region = block.parent_region()
    return [one for one in region.blocks if one.last_op and block in one.last_op.successors] if region else []


def _arguments(block: Block, target: Block) -> Iterator[Any]:
    last = block.last_op
    if isinstance(last, BranchOp) and last.target is target:
        yield last.arguments
    elif isinstance(last, CondBranchOp):
        if last.then is target:
            yield last.then_arguments
        if last.els is target:
            yield last.else_arguments


def _handed(branch: Any, value: SSAValue) -> list[SSAValue]:
    """The arguments of blocks that a branch hands a value to."""
    if isinstance(branch, BranchOp):
        pairs = list(zip(branch.arguments, branch.target.args, strict=True))
    elif isinstance(branch, CondBranchOp):
        pairs = list(zip(branch.then_arguments, branch.then.args, strict=True))
        pairs += zip(branch.else_arguments, branch.els.args, strict=True)
    else:
        pairs = []
    return [target for source, target in pairs if source is value]
