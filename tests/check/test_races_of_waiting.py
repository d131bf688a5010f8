"""Kernels that wait in a loop for what another thread writes, and what the PTX memory model (PTX ISA 8) says of them.

A weak load and a write of other threads at the same place, ordered by nothing, are a race, whichever side the machine runs
first. Strong loads and stores are none, so a loop of these is refused. A loop that waits for what nobody writes, or can write,
never ends: that is refused, too, and no race."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_explanations import FIRST_LINE, PTX, TOML

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

CLEAR = "@%q st.shared.u32 [s], 0; @%q st.shared.u32 [s+4], 0; bar.sync 0;"
# From here on %q is of the loops, so who writes is told by %r.
WHO = "mov.u32 %r, %t;"
LOOPS = {
    "do": "L: LD %v, [AT]; setp.eq.u32 %q, %v, 0; @%q bra L;",
    "while": "L: LD %v, [AT]; setp.ne.u32 %q, %v, 0; @%q bra OUT; bra L;",
    "with a body": "L: LD %v, [AT]; setp.ne.u32 %q, %v, 0; @%q bra OUT; nanosleep.u32 20; bra L;",
    "with a fence": "L: LD %v, [AT]; membar.cta; setp.eq.u32 %q, %v, 0; @%q bra L;",
    # Its state never comes back: it takes all steps.
    "that counts": "mov.u32 %i, 0; L: LD %v, [AT]; add.u32 %i, %i, 1; setp.eq.u32 %q, %v, 0; @%q bra L; add.u32 %t, %t, %i;",
}
# Who writes: one lane of the first warp, of which the others wait, too; a lane of the other warp; a whole warp.
WRITERS = {
    "a lane": "setp.ne.u32 %p, %r, 0; @%p bra WAIT; WRITE bra OUT; WAIT: LOOP OUT:",
    "a lane, the other way in the text": "setp.eq.u32 %p, %r, 0; @%p bra WRITES; LOOP bra OUT; WRITES: WRITE OUT:",
    "of the other warp": "setp.ne.u32 %p, %r, 40; @%p bra WAIT; WRITE bra OUT; WAIT: LOOP OUT:",
    "a lane for the other warp": "@!%p bra WAIT; setp.eq.u32 %q, %r, 3; @%q WRITE bra OUT; WAIT: LOOP OUT:",
    "behind a barrier of its own": "@!%p bra WAIT; bar.sync 1, 32; setp.eq.u32 %q, %r, 3; @%q WRITE bra OUT; WAIT: LOOP OUT:",
}
BY_CTA = (
    "mov.u32 %i, %ctaid.x; setp.eq.u32 %p, %i, WRITER; @%p bra WRITES; LOOP ret; WRITES: setp.eq.u32 %q, %t, 0; @%q WRITE ret;"
)


def found(folder: Path, body: str, grid: int = 1, steps: int = 20_000_000) -> tuple[str, list[dict[str, Any]]]:
    """(verdict, findings) of the kernel with that body, which may use the variable g in global memory, that begins as 0."""
    variables = ".global .align 4 .u32 g[2] = {0, 0}; .shared"
    (folder / "k.ptx").write_text(PTX.replace("BODY", body).replace(".shared", variables, 1))
    (folder / "volta.toml").write_text(TOML.replace("grid = [1]", f"grid = [{grid}]"))
    with Store(folder / "store") as store:
        made = verify(folder / "volta.toml", store, Options(max_steps=steps, skip=frozenset({"dynamic"}))).document
    return made["verdict"], made["findings"]


def filled(body: str, loop: str, load: str, write: str, place: str) -> str:
    return (
        body.replace("LOOP", LOOPS[loop])
        .replace("WRITE ", f"{write} [{place}], 1; ")
        .replace("LD", load)
        .replace("AT]", f"{place}]")
    )


def kinds(findings: list[dict[str, Any]]) -> set[str]:
    return {one["kind"] for one in findings}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_weak_load_in_the_loop_races_with_the_write(tmp_path: Path, loop: str, writer: str) -> None:
    verdict, findings = found(tmp_path, CLEAR + WHO + filled(WRITERS[writer], loop, "ld.shared.u32", "st.shared.u32", "s"))
    (race,) = (one for one in findings if one["kind"] == "race")
    assert verdict == "unsafe" and race["address"]["name"] == "s"
    assert {access["action"] for access in race["accesses"]} == {"read", "write"}


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("strength", ["volatile", "relaxed.cta"])
def test_strong_loads_and_stores_are_no_race_but_not_followed(tmp_path: Path, strength: str, loop: str, writer: str) -> None:
    body = filled(WRITERS[writer], loop, f"ld.{strength}.shared.u32", f"st.{strength}.shared.u32", "s")
    verdict, findings = found(tmp_path, CLEAR + WHO + body)
    assert verdict in ("unsupported", "unknown") and kinds(findings) <= {"unsupported-instruction", "budget"} and findings


@pytest.mark.parametrize("writer", range(3))
def test_a_race_with_another_cta(tmp_path: Path, writer: int) -> None:
    body = filled(BY_CTA.replace("WRITER", str(writer)), "do", "ld.global.u32", "st.global.u32", "g")
    verdict, findings = found(tmp_path, body, grid=3)
    (race,) = (one for one in findings if one["kind"] == "race")
    assert verdict == "unsafe" and {access["action"] for access in race["accesses"]} == {"read", "write"}
    assert (
        writer in {access["cta"][0] for access in race["accesses"]}
        and len({access["cta"][0] for access in race["accesses"]}) == 2
    )


def test_with_another_cta_strong_accesses_are_no_race(tmp_path: Path) -> None:
    body = filled(BY_CTA.replace("WRITER", "1"), "do", "ld.volatile.global.u32", "st.volatile.global.u32", "g")
    verdict, findings = found(tmp_path, body, grid=3)
    assert verdict == "unsupported" and "race" not in kinds(findings)


def test_both_places_are_named(tmp_path: Path) -> None:
    writes = [CLEAR, "setp.ne.u32 %p, %t, 0;", "@%p bra W;", "st.shared.u32 [s], 1;", "bra E;"]
    waits = ["W:", "ld.shared.u32 %v, [s];", "setp.eq.u32 %q, %v, 0;", "@%q bra W;", "E:"]
    _, findings = found(tmp_path, "\n".join(writes + waits))
    race, endless = findings
    assert {(access["action"], access["ptx_line"] - FIRST_LINE) for access in race["accesses"]} == {
        ("write", 3),
        ("read", 6),
    }
    assert "waits for memory to change" in endless["message"] and endless["accesses"][0]["ptx_line"] == FIRST_LINE + 6


def test_what_is_read_first_may_be_uninitialised(tmp_path: Path) -> None:
    verdict, findings = found(tmp_path, WHO + filled(WRITERS["a lane"], "do", "ld.shared.u32", "st.shared.u32", "s"))
    assert verdict == "unsafe" and kinds(findings) == {"race", "uninitialized-read"}


def test_two_threads_that_wait_in_turn(tmp_path: Path) -> None:
    wait = "M: ld.shared.u32 %v, [s+4]; setp.eq.u32 %q, %v, 0; @%q bra M;"
    there = "LOOP st.shared.u32 [s+4], 1; bra OUT;"
    body = f"@%p bra HERE; {there} HERE: setp.eq.u32 %q, %t, 0; @%q st.shared.u32 [s], 1; {wait} OUT:"
    verdict, findings = found(tmp_path, CLEAR + filled(body, "do", "ld.shared.u32", "st.shared.u32", "s"))
    assert verdict == "unsafe" and "race" in kinds(findings)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("setp.eq.u32 %p, %t, 0; @%p bra OUT; LOOP OUT:", id="nobody writes"),
        pytest.param("LOOP setp.eq.u32 %q, %t, 0; @%q WRITE ", id="all wait before they write"),
        pytest.param("setp.eq.u32 %p, %t, 0; @%p bra B; LOOP bra OUT; B: st.shared.u32 [s+4], 1; OUT:", id="another word"),
        pytest.param("@%p bra B; LOOP bar.sync 0; bra OUT; B: bar.sync 0; setp.eq.u32 %q, %t, 0; @%q WRITE OUT:",
                     id="the write is behind a barrier to which those that wait do not come"),
        pytest.param("@%p bra B; LOOP st.shared.u32 [s+4], 1; bra OUT; B: M: ld.shared.u32 %v, [s+4]; setp.eq.u32 %q, %v, 0; "
                     "@%q bra M; setp.eq.u32 %q, %t, 0; @%q WRITE OUT:", id="each waits for the other"),
        pytest.param("@%p bra OUT; LOOP OUT: bar.sync 0;", id="the others stand at a barrier"),
    ],
)  # fmt: skip
def test_a_wait_that_never_ends_is_refused_and_no_race(tmp_path: Path, body: str) -> None:
    verdict, findings = found(tmp_path, CLEAR + filled(body, "do", "ld.shared.u32", "st.shared.u32", "s"))
    assert verdict == "unsupported" and [one["kind"] for one in findings] == ["unsupported-instruction"]


def test_a_barrier_in_place_of_the_loop_is_safe(tmp_path: Path) -> None:
    verdict, findings = found(
        tmp_path, CLEAR + "setp.eq.u32 %q, %t, 0; @%q st.shared.u32 [s], 1; bar.sync 0; ld.shared.u32 %v, [s];"
    )
    assert (verdict, findings) == ("safe", [])
