"""What memory does that is not followed is refused: reads through the non-coherent cache of what the launch has written, and
loops that wait for memory to change. Their neighbours that do neither stay safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_explanations import FIRST_LINE, document

# The body has %y: address of the thread's element of y, %x: of the first of x, %t: the thread, %i: its word of shared memory.
NC, LDU = "ld.global.nc.u32 %v, [%y];", "ldu.global.u32 %v, [%y];"
WRITE = "st.global.u32 [%y], %t;"
BEFORE = "setp.eq.u32 %q, %t, 1; bar.sync 0; @%q ld.global.nc.u32 %v, [%y+-4];"
# Flag in shared memory: thread 0 clears it, all meet; the threads of warp 1 (or 0) wait until it is set.
CLEAR = "@%q st.shared.u32 [s], 0; bar.sync 0;"
POLL = "L: ld.volatile.shared.u32 %v, [s]; setp.eq.u32 %q, %v, 0; @%q bra L;"


def verdict(folder: Path, body: str) -> tuple[str, list[dict[str, Any]]]:
    made = document(folder, body)
    return made["verdict"], made["findings"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(WRITE + NC, id="its own store"),
        pytest.param(WRITE + LDU, id="by ldu"),
        pytest.param("red.global.add.u32 [%y], 1;" + NC, id="an atomic"),
        pytest.param(WRITE + "bar.sync 0; membar.sys;" + NC, id="behind a barrier and a fence"),
        pytest.param("st.global.u8 [%y+3], 7;" + NC, id="the last byte of the word"),
        pytest.param(WRITE + BEFORE + "bar.sync 0;", id="another thread's store"),
    ],
)  # fmt: skip
def test_a_stale_read_is_refused(tmp_path: Path, body: str) -> None:
    found, findings = verdict(tmp_path, body)
    (finding,) = (one for one in findings if "non-coherent" in one["message"])
    assert found == "unsupported" and finding["kind"] == "unsupported-instruction"
    assert finding["address"]["name"] == "y" and len(finding["accesses"]) == 2
    assert {access["action"] for access in finding["accesses"]} in ({"read", "write"}, {"read", "atomic"})


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("add.s64 %x, %x, %o; ld.global.nc.u32 %v, [%x];" + WRITE, id="a tensor that nobody writes"),
        pytest.param(WRITE + "ld.global.u32 %v, [%y];", id="an ordinary read"),
        pytest.param(WRITE + "add.s64 %x, %x, %o; ld.global.nc.u32 %v, [%x];", id="another tensor is written"),
        pytest.param("@%q st.global.u8 [%y+7], 1; bar.sync 0; @%q " + NC, id="the byte behind the word"),
    ],
)  # fmt: skip
def test_other_reads_are_not(tmp_path: Path, body: str) -> None:
    _, findings = verdict(tmp_path, body)
    assert [one for one in findings if "non-coherent" in one["message"]] == []
    assert {one["kind"] for one in findings} <= {"uninitialized-read"}  # y holds nothing before it is written


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(CLEAR + "@%p bra SET;" + POLL + "bra OUT; SET: @%q st.volatile.shared.u32 [s], 1; OUT:", id="a flag"),
        pytest.param(CLEAR + "L: atom.shared.cas.b32 %v, [s], 0, 1; setp.ne.u32 %q, %v, 0; @%q bra L;", id="a lock"),
        pytest.param(CLEAR + "@%p bra OUT;" + POLL + "OUT:", id="that nobody sets"),
    ],
)  # fmt: skip
def test_a_loop_that_waits_for_memory_is_refused(tmp_path: Path, body: str) -> None:
    found, findings = verdict(tmp_path, body)
    assert found == "unsupported" and {one["kind"] for one in findings} == {"unsupported-instruction"}


def test_a_long_loop_that_reads_the_same_word_goes_on(tmp_path: Path) -> None:
    # Three million steps: the register that counts is what changes.
    body = "mov.u32 %r, 15000; L: ld.volatile.global.u32 %v, [%x]; sub.u32 %r, %r, 1; setp.ne.u32 %q, %r, 0; @%q bra L;"
    assert verdict(tmp_path, body) == ("safe", [])


def test_a_loop_that_waits_names_its_read(tmp_path: Path) -> None:
    _, findings = verdict(tmp_path, CLEAR + "\n" + POLL)
    assert "waits for memory to change" in findings[0]["message"]
    line = FIRST_LINE + 1
    assert findings[0]["accesses"][0]["ptx_line"] == line
