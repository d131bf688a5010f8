"""Which barriers, fences and waits of a kernel do nothing: each is taken out in turn, and the kernel checked and proved again.

In its place comes a fence of the CTA, which has no effect on what is checked, so that all places in messages stay right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from volta_pipe.driver.findings import check_finding, source_place
from volta_pipe.driver.pipeline import Combination, Options, job_of
from volta_pipe.driver.session import Session
from volta_pipe.driver.stage import LoweredValue
from volta_pipe.driver.stages import STAGES
from volta_pipe.ir.errors import BudgetError, UnsupportedError
from volta_pipe.ir.ptx.lazy import LazyModule

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from volta_pipe.ir.ptx import InstructionOp

# What orders threads or copies. Those with results (bar.red, waits for an mbarrier) are left alone: their answers are used.
_MNEMONICS = ("bar", "barrier", "membar", "fence", "cp")
_SUFFICE = ("equivalent", "safe")


@dataclass(frozen=True)
class Removal:
    """One instruction that orders. `words`: its name; `needed`: "" where the verdict stays without it on all dims, else what
    happens; `finding`: of the verdict's form, where there is one."""

    words: str
    ptx_line: int
    source: Mapping[str, Any] | None
    needed: str
    finding: Mapping[str, Any] | None


class NotProved(Exception):  # noqa: N818 (an answer, no error)
    """The contract's verdict is neither equivalent nor safe, so there is nothing to keep."""


def removals(session: Session, options: Options) -> Iterator[Removal]:
    """All of the candidate's instructions that order, each taken out alone. Errors: NotProved."""
    from volta_pipe.ir.ptx import InstructionOp, walk_kernel

    if session.document["verdict"] not in _SUFFICE:
        raise NotProved(str(session.document["verdict"]))
    lowered: LoweredValue = session.engine.value(session.combinations[0].steps["candidate", "lower"])
    for index, op in enumerate(walk_kernel(lowered.module)):
        if not isinstance(op, InstructionOp) or not _orders(op):
            continue
        without = replace(lowered, made=LazyModule.of(_without(lowered.module, index)))
        needed, finding = "", None
        for one in session.combinations:
            needed, finding = _again(session, one, without, options)
            if needed:
                break
        words = ".".join([op.mnemonic, *op.modifier_names])
        yield Removal(words, lowered.lines.ptx_line(index), source_place(lowered.lines, index), needed, finding)


def _orders(op: InstructionOp) -> bool:
    """Whether it can order anything. A fence between proxies does, in a way that is not modelled: it stays."""
    words = op.modifier_names
    waits = op.mnemonic != "cp" or any(word.startswith("wait") for word in words)
    return op.mnemonic in _MNEMONICS and waits and not op.results and "proxy" not in words


def _without(module: ModuleOp, index: int) -> ModuleOp:
    """A copy in which that instruction is a fence of the CTA."""
    from volta_pipe.ir.ptx import INSTRUCTIONS, walk_kernel

    copy = module.clone()
    op = next(op for place, op in enumerate(walk_kernel(copy)) if place == index)
    block = op.parent
    assert block is not None
    block.insert_op_before(INSTRUCTIONS["membar"].make(("cta",), (), (), ()), op)
    block.erase_op(op)
    return copy


def _again(session: Session, one: Combination, lowered: LoweredValue, options: Options) -> tuple[str, Mapping[str, Any] | None]:
    """("" where the verdict stays, else what happens; the finding, where there is one)."""
    job = job_of(session.contract, options, one, "both", lambda _: None)
    try:
        program = STAGES["unroll"].run(job, [lowered])
        report = STAGES["check"].run(job, [program, lambda: lowered])
        if report.findings:
            shown = check_finding(one, "candidate", report.findings[0].to_dict(), session.engine)
            return f"there is a finding: {report.findings[0].kind}", shown
        if session.contract.reference is None:
            return "", None
        sides = [session.engine.value(one.side("reference")[-1]), STAGES["vc"].run(job, [program])]
        decision = STAGES["decide"].run(job, [STAGES["canon"].run(job, sides), *sides])
    except (UnsupportedError, BudgetError) as error:
        return f"not decided: {error}", None
    return ("", None) if decision.verdict == "equivalent" else (f"the proof does not hold: {decision.verdict}", None)
