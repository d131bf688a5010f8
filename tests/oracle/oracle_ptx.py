"""The PTX text of a tiny program, its launch, and what the stages say of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from oracle_program import BYTES, INITIAL, Op, Program

from volta_pipe.ir.launch import Argument, Launch, Tensor
from volta_pipe.passes.check import check
from volta_pipe.passes.lower import lower
from volta_pipe.passes.unroll import unroll
from volta_pipe.passes.vc import vc

_START, _LAST = 15, 14  # barriers of the frame around the program, whose own numbers are smaller
_TYPES = {1: "u8", 2: "u16", 4: "u32"}
_HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 memory, .param .u64 output)
{
.reg .b32 %r<32>; .reg .b64 %d<8>; .reg .pred %p<8>;
.shared .align 8 .b8 bytes[8];
ld.param.u64 %d1, [memory]; ld.param.u64 %d2, [output]; mov.u32 %r0, %tid.x; mov.u64 %d0, bytes;
"""


def text(program: Program) -> str:
    """One list of instructions in the order of their numbers, or a part of the text for each thread."""
    lines = [_HEAD]
    if program.space == "shared":
        low, high = (int.from_bytes(bytes(INITIAL[i : i + 4]), "little") for i in (0, 4))
        lines.append("setp.ne.u32 %p0, %r0, 0; @%p0 bra BEGIN;")
        lines.append(f"mov.u32 %r1, {low}; mov.u32 %r2, {high}; st.shared.v2.u32 [bytes], {{%r1, %r2}};")
        lines.append(f"BEGIN: bar.sync {_START};")
    lines += _together(program) if program.listed else _apart(program)
    return "\n".join([*lines, "ret;", "}", ""])


def _apart(program: Program) -> list[str]:
    """Each thread goes to its own part."""
    lines = [f"setp.eq.u32 %p0, %r0, {tid}; @%p0 bra T{t};" for t, tid in enumerate(program.tids)]
    lines.append("ret;")
    for t, ops in enumerate(program.threads):
        lines.append(f"T{t}:")
        for k, op in enumerate(ops):
            lines.append(
                " ".join(f"mov.u32 %r{register}, {values[0]};" for register, values in _operands(program, [(t, k, op)]))
            )
            lines += _instruction(program, op, _slot(program, (t, k)))
        lines.append("ret;")
    return lines


def _together(program: Program) -> list[str]:
    """One list of instructions; each is jumped over by those that it does not concern."""
    lines = ["mov.u32 %r8, 0;"]
    lines += [f"setp.eq.u32 %p1, %r0, {tid}; selp.u32 %r8, 1, %r8, %p1;" for tid in program.tids]
    lines.append("setp.eq.u32 %p0, %r8, 0; @%p0 ret;")
    left: dict[int, list[tuple[int, int, Op]]] = {}
    for t, ops in enumerate(program.threads):
        for k, op in enumerate(ops):
            left.setdefault(op.static, []).append((t, k, op))
    for static, who in sorted(left.items()):
        lines.append("mov.u32 %r8, 0;")
        first = who[0][2]
        for register, values in _operands(program, who):
            lines.append(f"mov.u32 %r{register}, {values[0]};")
            if len(set(values)) > 1:
                for (t, _, _), value in zip(who[1:], values[1:], strict=True):
                    lines.append(f"setp.eq.u32 %p1, %r0, {program.tids[t]}; @%p1 mov.u32 %r{register}, {value};")
        lines += [f"setp.eq.u32 %p1, %r0, {program.tids[t]}; @%p1 mov.u32 %r8, 1;" for t, _, _ in who]
        lines.append("setp.ne.u32 %p2, %r8, 0;")
        if program.guarded:
            lines += _instruction(program, first, None, "@%p2 ")
        else:
            lines += [f"@!%p2 bra L{static};", *_instruction(program, first, None), f"L{static}:"]
    return lines


def _operands(program: Program, who: list[tuple[int, int, Op]]) -> list[tuple[int, list[int]]]:
    """The registers that an instruction needs, with the value of each thread that executes it."""
    kind = who[0][2].kind
    if kind == "warpsync":
        return [(5, [op.mask for _, _, op in who])]
    if kind in ("commit", "wait"):
        return []
    if kind == "copy":
        return [(3, [op.at for _, _, op in who]), (4, [op.source for _, _, op in who])]
    if kind in ("sync", "arrive"):
        return [(6, [op.number for _, _, op in who]), (7, [op.count for _, _, op in who])]
    second = (9, [_slot(program, (t, k)) for t, k, _ in who]) if kind == "ld" else (4, [op.value for _, _, op in who])
    return [(3, [op.at for _, _, op in who]), second]


def _slot(program: Program, place: tuple[int, int]) -> int:
    loads = program.loads()
    return loads.index(place) if place in loads else 0


def _instruction(program: Program, op: Op, slot: int | None, guard: str = "") -> list[str]:
    """At %r3 the address, %r4 a value, %r5 a mask, %r6 and %r7 number and count of a barrier, %r9 the slot where it is None."""
    if op.kind == "warpsync":
        return [f"{guard}bar.warp.sync %r5;"]
    if op.kind in ("sync", "arrive"):
        return [f"{guard}{'bar' if op.aligned else 'barrier'}.{op.kind} %r6{', %r7' if op.count else ''};"]
    if op.kind == "commit":
        return [f"{guard}cp.async.commit_group;"]
    if op.kind == "wait":
        return [f"{guard}cp.async.wait_all;" if op.count < 0 else f"{guard}cp.async.wait_group {op.count};"]
    space = "global" if op.at >= BYTES else program.space
    lines = [f"cvt.u64.u32 %d3, %r3; add.u64 %d4, {'%d0' if space == 'shared' else '%d1'}, %d3;"]
    if op.kind == "copy":
        lines.append("cvt.u64.u32 %d5, %r4; add.u64 %d6, %d1, %d5;")
        return [*lines, f"{guard}cp.async.ca.shared.global [%d4], [%d6], {op.size};"]
    kind = _TYPES[op.size]
    if op.kind == "st":
        return [*lines, f"{guard}st.{space}.{kind} [%d4], %r4;"]
    if op.kind != "ld":
        return [*lines, f"{guard}red.{space}.{op.kind}.u32 [%d4], %r4;"]
    lines.append(f"{guard}ld.{space}.{kind} %r10, [%d4];")
    if slot is None:
        return [*lines, f"mul.wide.u32 %d5, %r9, 4; add.u64 %d6, %d2, %d5; {guard}st.global.u32 [%d6], %r10;"]
    return [*lines, f"st.global.u32 [%d2+{4 * slot}], %r10;"]


def launch(program: Program) -> Launch:
    slots = max(len(program.loads()), 1)
    memory = Tensor("memory", "u8", (2 * BYTES,), (1,), "inout", values=np.array(INITIAL))
    output = Tensor("output", "u32", (slots,), (1,), "inout", values=np.zeros(slots))
    arguments = (Argument("pointer", 0), Argument("pointer", 1))
    return Launch((memory, output), (), arguments, (1, 1, 1), (program.block, 1, 1))


@dataclass(frozen=True)
class Answer:
    """What the checker says: kinds and messages of its findings, and, without findings, memory (None: not known, as that half
    lies in shared memory) and loaded values at the end."""

    kinds: frozenset[str]
    messages: tuple[str, ...] = ()
    memory: tuple[int | None, ...] = ()
    loaded: tuple[int, ...] = ()


def answer(program: Program, values: bool = True) -> Answer:
    """lower, unroll, check and, for the values, vc."""
    at = launch(program)
    run = unroll(lower(text(program), "tiny.ptx", "k").module, at, max_steps=200_000)
    report = check(run, at)
    if report.findings:
        return Answer(frozenset(f.kind for f in report.findings), tuple(f.message for f in report.findings))
    if not values:
        return Answer(frozenset())
    conditions = vc(run, at)
    memory, loaded = (
        tuple(int(conditions.graph.constant(int(root))) if root else None for root in conditions.outputs[i]) for i in (0, 1)
    )
    slots = len(program.loads())
    kept = tuple(INITIAL[i] if byte is None else byte for i, byte in enumerate(memory))
    known = kept if program.space == "global" else (*[None] * BYTES, *kept[BYTES:])
    return Answer(frozenset(), (), known, tuple(word or 0 for word in loaded[:slots]))
