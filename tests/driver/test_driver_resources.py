"""Resources of a kernel and launches that fail: shared memory and directives against the limits of the CUDA C++ programming
guide (technical specifications per compute capability), which are written down here once more; registers by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from volta_pipe.driver.resources import shared_limit
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.passes.lower import lower

CLUSTER = "(.reqnctapercluster)"
# One thread adds up what lies behind its pointer. Comments: registers of 32 bits that are alive behind the instruction.
BODY = """\
.reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .pred %p<2>;
ld.param.u64 %rd1, [p];             // 2
mov.u32 %r1, %tid.x;                // 3
mul.wide.u32 %rd2, %r1, 16;         // 4
add.s64 %rd3, %rd1, %rd2;           // 2
ld.global.f32 %f1, [%rd3];          // 3
ld.global.f32 %f2, [%rd3+4];        // 4
ld.global.f32 %f3, [%rd3+8];        // 5
add.f32 %f4, %f1, %f2;              // 4
add.f32 %f5, %f4, %f3;              // 3
st.global.f32 [%rd3], %f5;          // 0
ret;
"""
LOOP = """\
.reg .b32 %r<4>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .pred %p<2>;
ld.param.u64 %rd1, [p];             // 2
mov.f32 %f1, 0f00000000;            // 2: a constant
mov.f32 %f2, 0f3F800000;            // 2
mov.u32 %r1, 0;                     // 2
again:                              // 5: the pointer, two sums and the counter
ld.global.f32 %f3, [%rd1];          // 6
add.f32 %f1, %f1, %f3;              // 6: the load is still needed
fma.rn.f32 %f2, %f2, %f3, %f3;      // 5
add.u32 %r1, %r1, 1;                // 5
setp.lt.u32 %p1, %r1, 4;            // 5: a predicate is none
@%p1 bra again;
add.f32 %f1, %f1, %f2;              // 3
st.global.f32 [%rd1], %f1;
ret;
"""


def ptx(body: str = BODY, *, target: str = "sm_80", directives: str = "", variables: str = "") -> str:
    return (
        f".version 8.0\n.target {target}\n.address_size 64\n{variables}\n"
        f".visible .entry k(.param .u64 p)\n{directives}\n{{\n{body}}}\n"
    )


def document(folder: Path, kept: Path, text: str, *, block: str = "32", grid: str = "1", shared: str = "0") -> dict[str, Any]:
    """The verdict on a kernel without a reference."""
    (folder / "k.ptx").write_text(text)
    (folder / "volta.toml").write_text(
        f'[tensors.x]\ndtype = "f32"\nshape = [4096]\nrole = "inout"\n'
        f'[candidate]\nsource = "k.ptx"\nentry = "k"\ngrid = [{grid}]\nblock = [{block}]\nshared = {shared}\nargs = ["x"]\n'
    )
    with Store(kept) as store:
        result: dict[str, Any] = verify(folder / "volta.toml", store).document
    return result


def test_registers_and_shared_memory_are_those_counted_by_hand() -> None:
    variables = ".shared .align 1 .b8 a[5];\n.shared .align 8 .f64 b[3];\n.shared .align 4 .b32 unused;\n"
    body = BODY.replace("ret;", "mov.u32 %r2, a;\nmov.u32 %r3, b;\nst.shared.u8 [%r2], 1;\nst.shared.f32 [%r3], %f5;\nret;")
    found = lower(ptx(body, variables=variables), "k.ptx", "k").resources
    assert found is not None
    assert (found.target, found.shared, found.directives) == ("sm_80", 8 + 24, ())
    assert lower(ptx(), "k.ptx", "k").resources.registers == 5  # type: ignore[union-attr]
    assert lower(ptx(LOOP), "k.ptx", "k").resources.registers == 6  # type: ignore[union-attr]


def test_directives_have_their_line() -> None:
    found = lower(ptx(directives=".maxntid 64, 2\n.minnctapersm 2\n.maxnreg 40"), "k.ptx", "k").resources
    assert found is not None
    assert found.directives == (("maxntid", (64, 2), 6), ("minnctapersm", (2,), 7), ("maxnreg", (40,), 8))


@pytest.mark.parametrize(
    ("target", "kib"),
    [
        ("sm_50", 48), ("sm_61", 48), ("sm_70", 96), ("sm_72", 96), ("sm_75", 64), ("sm_80", 163), ("sm_86", 99),
        ("sm_87", 163), ("sm_89", 99), ("sm_90", 227), ("sm_90a", 227), ("sm_100a", 227), ("sm_103f", 227), ("sm_120", 99),
        ("sm_80,texmode_independent", 163),
    ],
)  # fmt: skip
def test_shared_memory_of_a_cta_by_architecture(target: str, kib: int) -> None:
    assert shared_limit(target) == kib * 1024


@pytest.mark.parametrize("target", ["sm_999", "sm_8", "", "compute_80", "sm_80x"])
def test_of_an_unknown_architecture_no_limit_is_claimed(target: str) -> None:
    assert shared_limit(target) is None


@pytest.mark.parametrize(
    ("directives", "launch", "message"),
    [
        (".maxntid 64, 1, 1", {"block": "64"}, ""),
        (".maxntid 64, 1, 1", {"block": "65"}, "the kernel allows 64 threads a CTA (.maxntid), the launch has 65"),
        (".maxntid 16, 2", {"block": "32"}, ""),
        (".maxntid 16, 2", {"block": "8, 8"}, "the kernel allows 32 threads a CTA (.maxntid), the launch has 64"),
        (".reqntid 64", {"block": "64"}, ""),
        (".reqntid 64", {"block": "32"}, "the kernel requires a block of [64, 1, 1] (.reqntid), the launch has [32, 1, 1]"),
        (".reqntid 64", {"block": "32, 2"}, "the kernel requires a block of [64, 1, 1] (.reqntid), the launch has [32, 2, 1]"),
        (".reqnctapercluster 2", {"grid": "4", "block": "1"}, ""),
        (
            ".reqnctapercluster 2",
            {"grid": "3", "block": "1"},
            f"a grid of [3, 1, 1] is no multiple of the clusters of [2, 1, 1] CTAs that the kernel requires {CLUSTER}",
        ),
    ],
)
def test_the_shape_of_a_launch(directives: str, launch: dict[str, str], message: str, tmp_path: Path, kept: Path) -> None:
    result = document(tmp_path, kept, ptx(directives=directives), **launch)
    launches = [finding for finding in result["findings"] if finding["kind"] == "launch-limit"]
    if not message:
        assert not launches
        return
    field, line = ("grid", 8) if "grid of" in message else ("block", 9)
    assert (result["verdict"], len(result["findings"])) == ("unsafe", 1)
    assert launches[0]["message"] == f"{message} (candidate.{field}: volta.toml:{line})"
    assert (launches[0]["ptx_line"], launches[0]["side"]) == (6, "candidate")
    assert [stage["name"] for stage in result["stages"]] == ["lower"]
    assert result["layers"][0] == {"name": "lower", "result": "failed", "detail": "launch-limit"}


DYNAMIC = ".extern .shared .align 16 .b8 room[];"
STATIC = ".shared .align 4 .b8 room[{}];"
USE = BODY.replace("ret;", "mov.u32 %r2, room;\nst.shared.f32 [%r2], %f5;\nret;")


@pytest.mark.parametrize(
    ("target", "variables", "shared", "message"),
    [
        ("sm_80", DYNAMIC, 163 * 1024, ""),
        ("sm_80", DYNAMIC, 163 * 1024 + 1, "166,913 bytes of shared memory are more than a CTA can have on sm_80 (166,912)"),
        ("sm_90a", DYNAMIC, 163 * 1024 + 1, ""),
        ("sm_89", DYNAMIC, 99 * 1024, ""),
        ("sm_89", DYNAMIC, 100 * 1024, "102,400 bytes of shared memory are more than a CTA can have on sm_89 (101,376)"),
        ("sm_999", DYNAMIC, 200 * 1024, ""),
        ("sm_80", STATIC.format(48 * 1024), 0, ""),
        (
            "sm_80",
            STATIC.format(48 * 1024 + 4),
            0,
            "49,156 bytes of static shared memory are more than a kernel can have (49,152): what is more has to be dynamic",
        ),
        ("sm_80", STATIC.format(1024), 162 * 1024, ""),
        (
            "sm_80",
            STATIC.format(1024),
            163 * 1024,
            "1,024 static and 166,912 dynamic bytes of shared memory are more than a CTA can have on sm_80 (166,912)",
        ),
    ],
)
def test_shared_memory(target: str, variables: str, shared: int, message: str, tmp_path: Path, kept: Path) -> None:
    result = document(tmp_path, kept, ptx(USE, target=target, variables=variables), block="1", shared=str(shared))
    if not message:
        assert (result["verdict"], result["findings"]) == ("safe", [])
        return
    (finding,) = result["findings"]
    where = "source: volta.toml:6" if "static shared" in message else "shared: volta.toml:10"
    assert (result["verdict"], finding["kind"]) == ("unsafe", "launch-limit")
    assert finding["message"] == f"{message} (candidate.{where})"


def test_the_resources_of_a_kernel_are_in_the_verdict(tmp_path: Path, kept: Path) -> None:
    result = document(tmp_path, kept, ptx(USE, variables=DYNAMIC, directives=".maxntid 128"), block="8, 4", shared="256")
    assert result["resources"] == [
        {
            "side": "candidate",
            "target": "sm_80",
            "threads": 32,
            "static_shared": 0,
            "dynamic_shared": 256,
            "limits": {"static_shared": 49152, "shared": 166912, "registers": 255},
            "live_registers": 5,
            "directives": {"maxntid": [128]},
            "dims": [{}],
        }
    ]
    assert document(tmp_path, kept, ptx(target="sm_999"))["resources"][0]["limits"] is None


def test_more_registers_than_a_thread_has_are_a_note_and_no_finding(tmp_path: Path, kept: Path) -> None:
    count = 260
    loads = "\n".join(f"ld.global.f32 %a{i}, [%rd1+{4 * i}];" for i in range(count))
    sums = "\n".join(f"add.f32 %a0, %a0, %a{i};" for i in range(1, count))
    head = f".reg .f32 %a<{count}>; .reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n"
    body = f"{head}{loads}\n{sums}\nst.global.f32 [%rd1], %a0;\nret;\n"
    result = document(tmp_path, kept, ptx(body), block="1")
    assert result["verdict"] == "safe"
    assert result["resources"][0]["live_registers"] == count + 2
    (note,) = result["notes"]
    assert note["message"].startswith("some 262 registers of 32 bits are alive at once in the PTX, and a thread has 255")
