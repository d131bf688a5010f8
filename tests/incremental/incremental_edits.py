"""Edits of the kernels and contracts of two examples, and the stages that each has to run; everything else must be cached."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOTHING: frozenset[str] = frozenset()
LOWER = frozenset(("lower",))
UNROLL = LOWER | {"unroll"}
VC = UNROLL | {"check", "vc"}
ALL = VC | {"canon", "decide"}
SAFETY = frozenset(("unroll", "check"))
# Without what reads of the kernel itself: a contract that says something else of the tensors.
LAUNCH = ALL - LOWER


@dataclass(frozen=True)
class Edit:
    """change: from the text of `file` of the example to another one. ran: the stages that run on the side that was edited (or
    for both); sides: whose they are, r and c. verdict: what comes out."""

    name: str
    example: str
    file: str
    change: Callable[[str], str]
    ran: frozenset[str]
    sides: str = "r"
    verdict: str = "equivalent"


def put(*pairs: tuple[str, str]) -> Callable[[str], str]:
    """Replaces texts, each of which must be there."""

    def change(text: str) -> str:
        for old, new in pairs:
            assert old in text, old
            text = text.replace(old, new)
        return text

    return change


def renamed(prefix: str, other: str) -> Callable[[str], str]:
    """Registers `%prefix7` become `%other7`, with their declaration."""

    def change(text: str) -> str:
        text = text.replace(f"%{prefix}<", f"%{other}<")
        return re.sub(rf"%{prefix}(\d+)\b", rf"%{other}\1", text)

    return change


def shipped(name: str) -> Callable[[str], str]:
    """What another compiler, or the same with other options, makes of the same source."""
    return lambda _: (HERE / name).read_text()


def exchanged(first: str, second: str) -> Callable[[str], str]:
    """Two neighbouring lines in the other order."""
    return put((f"{first}\n{second}\n", f"{second}\n{first}\n"))


def last_block_first(text: str) -> str:
    """The block behind $L__BB0_7 moves in front of the loop, which jumps over it."""
    head, tail = text.split("$L__BB0_7:\n")
    block, end = tail.split("\tret;\n", 1)
    top, rest = head.split("$L__BB0_3:\n")
    return f"{top}\tbra \t$over;\n$L__BB0_7:\n{block}\tret;\n$over:\n$L__BB0_3:\n{rest}\tbra \t$L__BB0_7;\n{end}"


NAIVE, REGISTERS, CONTRACT = "matmul_naive.ptx", "matmul_registers.ptx", "volta.toml"
STORED, ONLINE = "attention_naive.ptx", "attention_online.ptx"
LOADS = "\tld.global.f32 \t%f12, [%rd30];", "\tld.global.f32 \t%f13, [%rd21];"
SUM = "\tst.global.f32 \t[%rd29], %f29;"
THREAD = "\tmov.u32 \t%r17, %tid.y;"
TWICE = "shl.b32 \t%r16, %r15, 4;", "shl.b32 \t%r16, %r15, 3;\n\tadd.s32 \t%r16, %r16, %r16;"
OTHER_WAY = "\t@%p4 bra \t$L__BB0_7;", "\t@!%p4 bra \t$more;\n\tbra \t$L__BB0_7;\n$more:"
PLACES = "\tmul.wide.s32 \t%rd3, %r4, 4;", "\tmul.wide.s32 \t%rd20, %r3, 4;"
BYTES = "mul.wide.s32 \t%rd22, %r99, 4;", "mul.wide.s32 \t%rd22, %r99, 2;\n\tadd.s64 %rd22, %rd22, %rd22;"
TILES = "\tadd.s32 \t%r4, %r33, %r25;", "\tmov.u32 \t%r34, _ZZ19attention_online_64E6v_tile;"
WIDER = ('"n//16", "n//16"', '"n//8", "n//32"'), ("[16, 16]", "[8, 32]")

MATMUL = [
    Edit("comment", "matmul", NAIVE, put(("$L__BB0_3:", "// the products\n$L__BB0_3:")), LOWER),
    Edit("lines", "matmul", NAIVE, put((".loc\t1 9 9", ".loc\t1 19 9")), LOWER),
    Edit("registers", "matmul", NAIVE, renamed("f", "value"), LOWER),
    Edit("labels", "matmul", NAIVE, put(("$L__BB0_3", "$again")), LOWER),
    Edit("declarations", "matmul", NAIVE, exchanged("\t.reg .pred \t%p<6>;", "\t.reg .f32 \t%f<30>;"), LOWER),
    Edit("target", "matmul", NAIVE, put((".target sm_80", ".target sm_90")), LOWER),
    Edit("moved block", "matmul", NAIVE, last_block_first, LOWER),
    Edit("dead code", "matmul", NAIVE, put((THREAD, f"{THREAD}\n\tadd.s32 %r30, %r17, 3;")), LOWER),
    Edit("shift", "matmul", NAIVE, put(("shl.b32 \t%r16, %r15, 4;", "mul.lo.s32 \t%r16, %r15, 16;")), LOWER),
    Edit("address", "matmul", NAIVE, put(TWICE), UNROLL),
    Edit("other branch", "matmul", NAIVE, put(OTHER_WAY), LOWER),
    Edit("reordered integers", "matmul", NAIVE, exchanged(*PLACES), LOWER),
    Edit("reordered loads", "matmul", NAIVE, exchanged(*LOADS), LOWER),
    Edit("exchanged factors", "matmul", NAIVE, put(("%f14, %f13, %f12, %f29", "%f14, %f12, %f13, %f29")), LOWER),
    Edit("other loop", "matmul", NAIVE, shipped("matmul_naive.O1.ptx"), VC),
    Edit("other compiler", "matmul", NAIVE, shipped("matmul_naive.sm_100.ptx"), VC),
    Edit("epilogue", "matmul", NAIVE, put((SUM, "\tadd.f32 %f29, %f29, 0f3F800000;\n" + SUM)), ALL, verdict="not-equivalent"),
    Edit("candidate's comment", "matmul", REGISTERS, put((".address_size 64", ".address_size 64\n// n = 128")), LOWER, "c"),
    Edit("candidate's registers", "matmul", REGISTERS, renamed("rd", "pointer"), LOWER, "c"),
    Edit("contract's comment", "matmul", CONTRACT, put(("[dims]", "# one size\n[dims]")), NOTHING),
    Edit("contract's name", "matmul", CONTRACT, put(("naive against", "simple against")), NOTHING),
    Edit("block", "matmul", CONTRACT, put(*WIDER), SAFETY, verdict="unsafe"),
]  # fmt: skip
ATTENTION = [
    Edit("comment", "attention", STORED, put((".address_size 64", ".address_size 64 // wide")), LOWER),
    Edit("registers", "attention", STORED, renamed("r", "index"), LOWER),
    Edit("address", "attention", STORED, put(BYTES), UNROLL),
    Edit("other compiler", "attention", STORED, shipped("attention_naive.sm_100.ptx"), VC),
    Edit("candidate's comment", "attention", ONLINE, put((".address_size 64", ".address_size 64 // wide")), LOWER, "c"),
    Edit("reordered integers", "attention", ONLINE, exchanged(*TILES), LOWER, "c"),
    Edit("scale", "attention", CONTRACT, put(("value = 0.125", "value = 0.25")), LAUNCH, "rc"),
]  # fmt: skip
EDITS = [*MATMUL, *ATTENTION]
