"""What stages behind `lower` depend on: the whole kernel but the version and the target of its PTX."""

from __future__ import annotations

import pytest

from volta_pipe.driver.meaning import meaning
from volta_pipe.passes.lower import lower

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
.reqntid 32, 1, 1
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    ret;
}
"""


def of(old: str = "", new: str = "") -> bytes:
    assert old in PTX
    return meaning(lower(PTX.replace(old, new), "k.ptx", "k").text.encode())


@pytest.mark.parametrize(("old", "new"), [("sm_80", "sm_90a"), ("sm_80", "sm_80, debug"), (".version 8.0", ".version 8.7")])
def test_the_machine_is_no_part_of_it(old: str, new: str) -> None:
    assert of(old, new) == of()


@pytest.mark.parametrize(
    ("old", "new"),
    [("u32 [%rd1]", "u32 [%rd1+4]"), ("tid.x", "tid.y"), ("32, 1, 1", "64, 1, 1"), (" k(", ' other('), (".u64 p", ".s64 p")],
)  # fmt: skip
def test_all_else_is(old: str, new: str) -> None:
    name = "other" if "other" in new else "k"
    assert meaning(lower(PTX.replace(old, new), "k.ptx", name).text.encode()) != of()


def test_text_of_another_form_is_taken_whole() -> None:
    assert len({meaning(b"a"), meaning(b"b"), meaning(b', target = "a", version = "b"} {x'), meaning(b"")}) == 4
    assert (
        meaning(b'x, target = "a\\"b", version = "b"} {\n')
        == meaning(b'x, target = "", version = ""} {\n')
        == meaning(b"x} {\n")
    )
