"""Loops that wait with ordinary loads for what another thread writes.

Such a load and the store that ends the loop conflict, and nothing orders them: neither is morally strong (PTX ISA 8.7), so
each of these kernels has a race at the flag, in whatever order its text has the branches and whoever runs first."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_explanations import FIRST_LINE, document

# %q: thread 0; %p: the first warp; %t: the thread; s: shared memory, of which word 0 is cleared before all meet.
CLEAR = "@%q st.shared.u32 [s], 0; @%q st.shared.u32 [s+4], 0; bar.sync 0;"
SET, SET2 = "st.shared.u32 [s], 1;", "st.shared.u32 [s+4], 1;"
POLL = "{0}: ld.shared.u32 %v, [s]; setp.eq.u32 %q, %v, 0; @%q bra {0};"
WHILE = "{0}: ld.shared.u32 %v, [s]; setp.ne.u32 %q, %v, 0; @%q bra {0}1; bra {0}; {0}1:"
LONG = (
    "{0}: ld.shared.u32 %v, [s]; and.b32 %r, %v, 1; xor.b32 %r, %r, 1; setp.ne.u32 %q, %r, 0;"
    "@!%q bra {0}1; add.u32 %i, %r, 4; mul.lo.u32 %i, %i, 3; bra {0}; {0}1:"
)
POLL2 = "{0}: ld.shared.u32 %v, [s+4]; setp.eq.u32 %q, %v, 0; @%q bra {0};"
WHO = {"a thread": "%q", "a warp": "%p", "no thread of the first warp": "!%p"}


def shapes(poll: str) -> dict[str, str]:
    """Who waits first in the text, and who by the branch's condition."""
    wait = poll.format("W")
    return {
        "waits at the end": f"@!G bra W0; {SET} bra OUT; W0: {wait} OUT:",
        "waits at the end, by the other condition": f"@G bra S; bra W0; S: {SET} bra OUT; W0: {wait} OUT:",
        "waits first": f"@G bra S; {wait} bra OUT; S: {SET} OUT:",
        "waits first, by the other condition": f"@!G bra W0; bra S; W0: {wait} bra OUT; S: {SET} OUT:",
    }


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("poll", [POLL, WHILE, LONG], ids=["do while", "while", "with a body"])
@pytest.mark.parametrize("shape", shapes(POLL))
def test_the_flag_is_a_race(tmp_path: Path, shape: str, poll: str, who: str) -> None:
    body = shapes(poll)[shape].replace("@!G", f"@!{WHO[who]}").replace("@G", f"@{WHO[who]}").replace("!!", "")
    made = document(tmp_path, CLEAR, body)
    assert made["verdict"] == "unsafe"
    races = made["findings"]
    assert races and {one["kind"] for one in races} == {"race"}
    assert all({access["action"] for access in one["accesses"]} <= {"read", "write"} for one in races)
    assert any({access["action"] for access in one["accesses"]} == {"read", "write"} for one in races)
    assert all(access["ptx_line"] == FIRST_LINE + 1 for one in races for access in one["accesses"])


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f"@!%p bra B; {POLL.format('A')} {SET2} bra OUT; B: {SET} {POLL2.format('C')} OUT:",
            id="and answers at another flag",
        ),
        pytest.param(f"@!%p bra B; {POLL.format('A')} {POLL2.format('A2')} bra OUT; B: {SET} {SET2} OUT:", id="for two flags"),
        pytest.param(
            f"@%p bra B; {POLL.format('A')} bar.sync 1, 32; bra OUT; B: bar.sync 2, 32; {SET} OUT:", id="beside other barriers"
        ),
        pytest.param(f"@%p bra B; {POLL.format('A')} bra OUT; B: {SET} OUT: bar.sync 0;", id="before all meet"),
    ],
)
def test_several_waits(tmp_path: Path, body: str) -> None:
    made = document(tmp_path, CLEAR, body)
    assert made["verdict"] == "unsafe"
    assert {one["kind"] for one in made["findings"]} == {"race"}


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(POLL.format("A"), id="that nobody sets"),
        pytest.param(f"@%p bra OUT; {POLL.format('A')} OUT:", id="that nobody sets, beside others"),
        pytest.param(f"@%p bra OUT; {POLL.format('A')} {SET} OUT: bar.sync 0;", id="while the others wait for them"),
        pytest.param(f"@%p bra B; {POLL.format('A')} {SET2} bra OUT; B: {POLL2.format('C')} {SET} OUT:", id="for each other"),
        pytest.param(f"@%p bra B; {POLL.format('A')} {SET} B: bar.sync 0;", id="who would set it"),
    ],
)
def test_nobody_ends_the_loop(tmp_path: Path, body: str) -> None:
    """It is not safe: either the kernel never ends, or, in another schedule, neither."""
    made = document(tmp_path, CLEAR, body)
    assert made["verdict"] == "unsupported"
    assert "waits for memory to change" in made["findings"][0]["message"]


@pytest.mark.parametrize("load", ["ld.volatile.shared.u32", "ld.relaxed.cta.shared.u32", "ld.acquire.cta.shared.u32"])
def test_a_signal_is_still_refused(tmp_path: Path, load: str) -> None:
    """A strong load and a strong store do not race, so that there is nothing to be found: what they order is not followed."""
    store = SET.replace("st.", "st.volatile." if "volatile" in load else "st.relaxed.cta.")
    for first in (
        f"@%p bra S; {POLL.format('W')} bra OUT; S: {store} OUT:",
        f"@!%p bra W; {store} bra OUT; {POLL.format('W')} OUT:",
    ):
        made = document(tmp_path, CLEAR, first.replace("ld.shared.u32", load))
        assert made["verdict"] == "unsupported"
        assert "waits for memory to change" in made["findings"][0]["message"]


def test_an_unset_flag_is_an_uninitialised_read(tmp_path: Path) -> None:
    made = document(tmp_path, f"@%p bra S; {POLL.format('W')} bra OUT; S: {SET} OUT:")
    assert made["verdict"] == "unsafe"
    assert {one["kind"] for one in made["findings"]} <= {"race", "uninitialized-read", "uninitialized-branch"}


def test_a_loop_that_a_barrier_orders_is_safe(tmp_path: Path) -> None:
    """The neighbour that is right: the flag is set before all meet, and the loop ends at once."""
    made = document(tmp_path, CLEAR, f"@%q {SET} bar.sync 0; {POLL.format('W')}")
    assert (made["verdict"], made["findings"]) == ("safe", [])
