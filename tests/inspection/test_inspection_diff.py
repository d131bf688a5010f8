"""`diff` in terms of lines, rows, elements and classes: by contracts and by digests, with exit codes and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inspection_edits import edited

AXPY, TREE = "examples/axpy/volta.toml", "examples/reduce-tree/volta.toml"
FMA = "fma.rn.f32 \t%f4, %f2, %f1, %f3;\n\tst.global.f32 \t[%rd7], %f4;"
MORE = ("axpy.ptx", FMA, FMA.replace(";\n", ";\n add.f32 %f4, %f4, %f3;\n"))
SIGN = ("reduce_tree.ptx", "add.f32 \t%f28, %f27, %f26;", "sub.f32 \t%f28, %f27, %f26;")
SIDE = ("--side", "reference")
STORE = "st.global.f32 \t[%rd38], %f91;"
ONE = """.reg .pred %p_one; .reg .b32 %r_one, %r_row;
 mov.u32 %r_one, %tid.x; mov.u32 %r_row, %ctaid.x; mad.lo.s32 %r_one, %r_row, 32, %r_one; setp.eq.s32 %p_one, %r_one, 37;
 @%p_one add.f32 %f91, %f91, 0f3F800000; """
PLUS = ("softmax_online.ptx", STORE, ONE + STORE)  # adds 1 to y[1,5]


def lines(volta: Any, *arguments: str) -> list[str]:
    assert volta("diff", *arguments) == 1, volta.err
    return [line.rstrip() for line in volta.out.splitlines()]


def test_operations_with_their_lines(volta: Any, tmp_path: Path) -> None:
    other = str(edited("axpy", tmp_path / "e", MORE))
    found = lines(volta, "lower", "--contract", AXPY, "--against", other, *SIDE)
    assert found[0] == f"the artifact of lower: - is reference of {AXPY}, + is reference of {other}"
    assert found[1:] == [
        "operations: 2 changed, added or removed, of 21 in - and 22 in +",
        "at axpy.cu:8 (PTX line 52)",
        '  + %18 = ptx.add "f32" %16, %17 : (i32, i32) -> i32',
        '  - ptx.st "global.f32" [%15 + 0], %17 : (i64, i32) -> ()',
        "at axpy.cu:8 (PTX line 53)",
        '  + ptx.st "global.f32" [%15 + 0], %18 : (i64, i32) -> ()',
    ]


def test_each_operation_stands_behind_its_own_place(volta: Any, tmp_path: Path) -> None:
    """Headings say what the document says of each operation, whichever side it is of."""
    other = str(edited("transpose", tmp_path / "e", ("transpose_tiled.ptx", "bar.sync \t0;", "\n\n\n")))
    both = ("lower", "--contract", "examples/broken-index/volta.toml", "--against", other)
    assert volta("diff", *both, "--json") == 1
    expected = []
    for change in json.loads(volta.out)["changes"]:
        for sign in "-+":
            if change[sign] and change[sign]["ptx_line"]:
                expected.append((f"{sign} {change[sign]['text']}", change[sign]["ptx_line"]))
    found, line = [], 0
    for text in lines(volta, *both):
        if text.startswith("at "):
            line = int(text.rpartition("PTX line ")[2].rstrip(")"))
        elif text == "without a line of the PTX":
            line = 0
        elif text[:4] in ("  - ", "  + ") and line:
            found.append((text[2:], line))
    assert found == expected and len({line for _, line in found}) > 4


def test_a_read_is_not_paired_with_a_computation(volta: Any, tmp_path: Path) -> None:
    """y is no longer read, and an addition stands where it was: these two rows have nothing in common."""
    edit = (
        "axpy.ptx",
        "ld.global.f32 \t%f3, [%rd7];\n\tfma.rn.f32 \t%f4, %f2",
        "add.f32 \t%f3, %f1, %f2;\n\tfma.rn.f32 \t%f4, %f2",
    )
    both = ("--contract", AXPY, "--against", str(edited("axpy", tmp_path / "e", edit)), *SIDE)
    assert volta("diff", "unroll", *both, "--json") == 1
    found = json.loads(volta.out)["first"]
    alone = [(sign, one[sign]["operation"]) for one in found for sign, other in ("-+", "+-") if one[other] is None]
    assert sorted(alone) == [("+", "add.f32"), ("-", "read.f32")]


def test_rows_with_operands_lanes_and_addresses(volta: Any, tmp_path: Path) -> None:
    other = str(edited("axpy", tmp_path / "e", MORE))
    found = lines(volta, "unroll", "--contract", AXPY, "--against", other, *SIDE)
    assert found[1] == "rows: 1 changed, 1 added, of 5 in - and 6 in +"
    assert found[-3:] == [
        "+ row 4  CTA (0,0,0)  threads 0..99  add.f32 of rows 2, 3  at axpy.cu:8 (PTX line 52)",
        "- row 4  CTA (0,0,0)  threads 0..99  write.f32 y+0, 4 apart of row 3  at axpy.cu:8 (PTX line 52)",
        "+ row 5  CTA (0,0,0)  threads 0..99  write.f32 y+0, 4 apart of row 4  at axpy.cu:8 (PTX line 53)",
    ]


def test_a_barrier_is_gone_and_races_have_come(volta: Any, tmp_path: Path) -> None:
    other = str(edited("transpose", tmp_path / "e", ("transpose_tiled.ptx", "bar.sync \t0;", "")))
    both = ("--contract", "examples/transpose/volta.toml", "--against", other)
    found = lines(volta, "unroll", *both)
    assert found[1] == "rows: 2 removed, of 34 in - and 32 in +"
    assert "- row 8  CTA (0,0,0)  threads 0..255  bar 0  at transpose_tiled.cu:16 (PTX line 201)" in found
    found = lines(volta, "check", *both)
    assert found[1] == "findings:" and found[2].startswith(
        "  + race ×112: write by thread 32 and read by thread 1 of CTA (0, 0, 0)"
    )
    assert found[3] == "  +   write by thread 32 at transpose_tiled.cu:13 (PTX line 139)"
    assert volta("diff", "vc", *both) == 3  # nothing is compared
    assert volta.out == "" and volta.err.startswith(f"{other}: vc of the candidate has no artifact, as the verdict at ")


def test_expressions_where_they_first_differ(volta: Any, tmp_path: Path) -> None:
    """The tree adds x[r,t] of t and t + 128, then + 64, then + 32: the third step is a difference now."""
    other = str(edited("reduce-tree", tmp_path / "e", SIGN))
    found = lines(volta, "vc", "--contract", TREE, "--against", other, *SIDE)
    assert found[1:5] == [
        "y: 4 of 4 elements have another expression",
        "  y[0]",
        "    where they first differ, 5 operators inside:",
        "  -   (((x[0,0] + x[0,128]) + (x[0,64] + x[0,192])) + ((x[0,32] + x[0,160]) + (x[0,96] + x[0,224])))",
    ]
    assert " - ((x[0,0] + x[0,128]) + (x[0,64] + x[0,192]))" in found[5]


def test_classes_and_claims(volta: Any, tmp_path: Path) -> None:
    both = ("--contract", AXPY, "--against", str(edited("axpy", tmp_path / "e", MORE)))
    found = lines(volta, "canon", *both)
    assert found[1] == "classes: 1 changed, of 1 in - and 1 in +"
    assert found[4:] == [
        "  + 100 elements, 5 and 4 nodes: the two normal forms differ",
        "  +   reference: 2·y[0] + a·x[0]",
        "  +   candidate: y[0] + a·x[0]",
    ]
    found = lines(volta, "decide", *both)
    assert found[1:4] == ["verdict:", "  - equivalent", "  + not-equivalent"] and "  + 100 elements like y[0]: refuted" in found


def test_one_element_and_the_parts_of_its_normal_form(volta: Any, tmp_path: Path) -> None:
    """Softmax with 1 added to one element of two rows."""
    other = str(edited("softmax", tmp_path / "e", PLUS))
    both = ("--contract", "examples/softmax/volta.toml", "--against", other, "--dims", "n=33")
    assert lines(volta, "vc", *both)[1] == "y: 1 of 66 elements has another expression"
    with_parts = "with 2^x, log2 e, named sums"
    assert [line for line in lines(volta, "decide", *both) if " like y[" in line] == [
        f"  - 2 elements like y[0,5]: equal {with_parts}",
        f"  + 1 element like y[0,5]: equal {with_parts}",
        f"  + 1 element like y[1,5]: refuted {with_parts}",
    ]


def test_the_two_sides_of_one_contract(volta: Any) -> None:
    assert volta("diff", "unroll", "--contract", AXPY) == 1
    assert volta.out.splitlines()[1] == "rows: 5 changed, 5 added, of 5 in - and 10 in +"
    found = lines(volta, "vc", "--contract", "examples/softmax-spec/volta.toml")
    assert found[0].startswith("the artifact of trace: - is reference of ")
    assert "  -   t1 = exp((x[0,0] - x[0,0]))" in found


def test_runs_and_expressions_of_a_spec(volta: Any, tmp_path: Path) -> None:
    edited("axpy", tmp_path / "axpy")  # whose kernel it is
    other = str(edited("axpy-spec", tmp_path / "e", ("spec.py", "a * x + y}", "a * x - y}")))
    both = ("--contract", "examples/axpy-spec/volta.toml", "--against", other)
    found = lines(volta, "dynamic", *both)
    assert found[1] == "runs:" and "  + ones, seed 0: 1 of 1 bad" in "\n".join(found) and "mismatch:" in found
    assert lines(volta, "trace", *both)[-2:] == ["  -   y[0] = (y[0] + (x[0] * a))", "  +   y[0] = ((x[0] * a) - y[0])"]


def test_other_parts_of_a_program(volta: Any, tmp_path: Path) -> None:
    """A tile with a row more: the same rows, another size of the memory behind them."""
    size = (".shared .align 4 .b8 _ZZ15transpose_tiledE4tile[4224];", ".shared .align 4 .b8 _ZZ15transpose_tiledE4tile[4356];")
    other = str(edited("transpose", tmp_path / "e", ("transpose_tiled.ptx", *size)))
    found = lines(volta, "unroll", "--contract", "examples/transpose/volta.toml", "--against", other)
    assert found[1:] == [
        "all 34 rows are the same",
        "memory:",
        "  - shared memory: 4,224 bytes, tile at 0",
        "  + shared memory: 4,356 bytes, tile at 0",
    ]


def test_line_tables_and_columns(volta: Any, tmp_path: Path) -> None:
    other = str(edited("axpy", tmp_path / "e", ("axpy.ptx", ".loc\t1 8 9\n\tmul", ".loc\t1 9 9\n\tmul")))
    assert volta("diff", "lower", "--contract", AXPY, "--against", other, *SIDE) == 0  # lines are no part of it
    both = ("--contract", AXPY, "--against", str(edited("axpy", tmp_path / "f", MORE)))
    assert "column row_mask: 5 values in -, 6 in +" in lines(volta, "unroll", *both, *SIDE, "--raw")
    assert '+    %18 = ptx.add "f32" %16, %17 : (i32, i32) -> i32' in lines(volta, "lower", *both, *SIDE, "--raw")


def test_a_document(volta: Any, tmp_path: Path) -> None:
    both = ("--contract", AXPY, "--against", str(edited("axpy", tmp_path / "e", MORE)))
    assert volta("diff", "unroll", *both, *SIDE, "--json") == 1
    found = json.loads(volta.out)
    assert (found["changed"], found["added"], found["removed"], found["rows"]) == (1, 1, 0, [5, 6])
    write = found["first"][1]["+"]
    assert write["memory"] == {"space": "global", "name": "y", "offset": 0, "step": 4, "bytes": 4}
    assert write["threads"] == [[0, 99]] and write["from_rows"] == [None, 4] and write["ptx_line"] == 53
    for stage in ("lower", "check", "vc", "canon", "decide"):
        side = SIDE if stage in ("lower", "check", "vc") else ()
        code = volta("diff", stage, *both, *side, "--json")
        assert json.loads(volta.out)["same"] is (code == 0) is (stage == "check")


def test_digests_have_the_lines_that_the_store_has(volta: Any, tmp_path: Path) -> None:
    digests: list[dict[str, str]] = []
    for contract in (AXPY, str(edited("axpy", tmp_path / "e", MORE))):
        volta("run", contract, "--json", "--quiet")
        rows = json.loads(volta.out)["stages"]
        chosen = [s for s in rows if s["side"] == "reference" and s["dims"].get("n", 100) == 100]
        digests.append({s["name"]: s["artifact"].removeprefix("sha256:")[:20] for s in chosen})
    old, new = digests
    assert "at axpy.cu:8 (PTX line 52)" in lines(volta, old["lower"], new["lower"])
    found = lines(volta, old["unroll"], new["unroll"])
    assert found[1] == "rows: 1 changed, 1 added, of 5 in - and 6 in +"
    assert any(line.startswith("  +        1 add.f32  at instruction ") for line in found)
    assert "  +   y[7] = (y[7] + fma(x[7], a, y[7]))" not in lines(volta, old["vc"], new["vc"])
    assert "  +   y[2] = (y[2] + fma(x[2], a, y[2]))" in lines(volta, old["vc"], new["vc"])
    assert volta("diff", old["vc"], old["vc"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["unroll", "abcdef"], "unroll is a stage: give contracts with --contract and --against, or two digests"),
        (["unrol"], "'unrol' is no stage, did you mean 'unroll'?"),
        (
            ["abcdef"],
            "'abcdef' is no stage: give a stage (lower, unroll, check, vc, trace, canon, decide, dynamic) or two digests",
        ),
        (["abcdef", "abcdee", "--side", "reference"], "--side does not apply to digests; it is for a stage"),
        (["canon", "--side", "reference"], "--side does not apply to canon, which is of both sides"),
        (["decide"], "decide is of both sides: give another contract to compare with (--against CONTRACT)"),
        (["unroll", "--side", "reference"], "--side chooses one side: give another contract to compare with"),
        (["vc", "--raw", "--json"], "--raw and --json show different things: give one of them"),
        (["vc", "--against", "nowhere.toml"], "nowhere.toml"),
        (["vc", "--dims", "n=5"], "--dims: the contract has no combination with n=5"),
    ],
)
def test_what_cannot_be_compared(volta: Any, arguments: list[str], message: str) -> None:
    stage = not arguments[0].startswith("abc") and arguments != ["unrol"] and "abcdef" not in arguments
    contract = ["--contract", AXPY] if stage else []
    assert volta("diff", *arguments, *contract) == 2
    assert volta.out == "" and message in volta.err and len(volta.err.splitlines()) == 1
