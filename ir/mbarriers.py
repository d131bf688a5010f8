"""The mbarrier family (PTX ISA 9.7.13.15): its rows of the instruction table, and what the variant (`sub`) of one says.

Objects live in shared memory of the CTA. Forms with .shared::cluster (arrivals at objects of other CTAs) are left out."""

from __future__ import annotations

from volta_pipe.ir.operations import Form, Op, form

# Bits of the variant. SPACE: the address is one of .shared, else a generic one. RELAXED: orders no memory accesses. Of a
# signal: ARRIVES with a count, EXPECTS or DELIVERS bytes (the tx-count), DROPS its arrivals from later phases, must NOT_END the
# phase, and its token is COUNTED (some mbarrier.pending_count may read it; set by `unroll`). Of an arrival of copies: UNCOUNTED
# (.noinc). Of a wait: PARITY of a phase in place of a token.
SPACE, RELAXED, ARRIVES, EXPECTS, DELIVERS, DROPS, NOT_END, COUNTED, UNCOUNTED, PARITY = (1 << bit for bit in range(10))
# Largest counts of arrivals and of bytes (9.7.13.15.2); an object is 8 bytes, aligned to as many.
MOST = (1 << 20) - 1
OBJECT_BYTES = 8

_SPACE = "shared shared::cta"
_SCOPE = "cta cluster"
_WAIT = f"acquire relaxed {_SCOPE} {_SPACE}"
_ARRIVE = f"release relaxed {_SCOPE} {_SPACE}"


def _form(signature: str, op: Op, section: str, need: str, may: str, name: str = "mbarrier") -> Form:
    return form(name, ("b64",), signature, op, f"9.7.13.15.{section}", need=need, may=may)


MBARRIER_FORMS: tuple[Form, ...] = (
    _form("=A,u", Op.MBARRIER_INIT, "9", "init", _SPACE),
    _form("=A", Op.MBARRIER_INVAL, "10", "inval", _SPACE),
    _form("=A,u", Op.MBARRIER_SIGNAL, "11", "expect_tx", f"relaxed {_SCOPE} {_SPACE}"),
    _form("=A,u", Op.MBARRIER_SIGNAL, "12", "complete_tx", f"relaxed {_SCOPE} {_SPACE}"),
    *(
        row
        for name, section in (("arrive", "13"), ("arrive_drop", "14"))
        for row in (
            _form("T=A T=A,u", Op.MBARRIER_SIGNAL, section, name, _ARRIVE),
            _form("T=A,u", Op.MBARRIER_SIGNAL, section, f"{name} expect_tx", _ARRIVE),
            _form("T=A,u", Op.MBARRIER_SIGNAL, section, f"{name} noComplete", f"release cta {_SPACE}"),
        )
    ),
    _form("=A", Op.MBARRIER_TRACK, "15", "async mbarrier arrive", f"noinc {_SPACE}", "cp"),
    _form("p=A,T", Op.MBARRIER_WAIT, "16", "test_wait", _WAIT),
    _form("p=A,u", Op.MBARRIER_WAIT, "16", "test_wait parity", _WAIT),
    _form("p=A,T p=A,T,u", Op.MBARRIER_WAIT, "16", "try_wait", _WAIT),
    _form("p=A,u p=A,u,u", Op.MBARRIER_WAIT, "16", "try_wait parity", _WAIT),
    _form("u=T", Op.MBARRIER_COUNT, "17", "pending_count", ""),
)


def mbarrier_variant(words: set[str]) -> int:
    """The bits for the modifiers of an instruction."""
    arrives = words & {"arrive", "arrive_drop"} and "async" not in words
    bits = [
        (SPACE, words & {"shared", "shared::cta"}), (ARRIVES, arrives), (EXPECTS, "expect_tx" in words),
        (DELIVERS, "complete_tx" in words), (DROPS, "arrive_drop" in words), (NOT_END, "noComplete" in words),
        (UNCOUNTED, "noinc" in words), (PARITY, "parity" in words),
        # .relaxed is all that expect_tx and complete_tx can be.
        (RELAXED, "relaxed" in words or (words & {"expect_tx", "complete_tx"} and not arrives)),
    ]  # fmt: skip
    return sum(bit for bit, holds in bits if holds)
