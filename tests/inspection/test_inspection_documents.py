"""`inspect --json`: what each stage made, as far as a program that reads it may need; and the same in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

AXPY, RACE, INDEX = (f"examples/{name}/volta.toml" for name in ("axpy", "broken-race", "broken-index"))


def document(volta: Any, *arguments: str) -> dict[str, Any]:
    assert volta("inspect", *arguments, "--json") == 0, volta.err
    found: dict[str, Any] = json.loads(volta.out)
    return found


def test_operations_of_a_module(volta: Any) -> None:
    found = document(volta, "lower", "--contract", AXPY, "--side", "reference")["operations"]
    assert len(found) == 20 + 1  # as in the module without its constants: ret is one, too
    fma = next(one for one in found if "ptx.fma" in one["text"])
    assert fma["ptx_line"] == 51 and fma["source"]["line"] == 8 and fma["block"] == 1


def test_rows_with_lanes_addresses_and_operands(volta: Any) -> None:
    """n = 100 on two CTAs of 64 threads: the second has 36 at work, 256 bytes behind the first."""
    found = document(volta, "unroll", "--contract", AXPY, "--rows", "6:10")["table"]
    assert found["of"] == 10 and [row["row"] for row in found["rows"]] == [6, 7, 8, 9]
    assert document(volta, "unroll", "--contract", AXPY, "--rows", "6:")["table"] == found
    load, _, fma, store = found["rows"]
    assert load["operation"] == "read.f32" and load["cta"] == [1, 0, 0] and load["threads"] == [[0, 35]]
    assert load["memory"] == {"space": "global", "name": "x", "offset": 256, "step": 4, "bytes": 4}
    assert fma["from_rows"] == [5, 6, 7] and store["from_rows"] == [None, 8]
    assert store["source"] == {"file": store["source"]["file"], "line": 18}
    whole = document(volta, "unroll", "--contract", AXPY)
    assert whole["operations"] == {"fma.f32": 2, "read.f32": 4, "scalar": 2, "write.f32": 2}
    assert [(one["name"], one["size"]) for one in whole["memory"]] == [("x", 400), ("y", 400)]


def test_rows_that_are_not_there(volta: Any) -> None:
    """What is said is the same whatever the rows are shown as."""
    cases = [
        ("10:12", "there are no rows 10:12, only 0:10"),
        ("8:11", "no rows 8:11"),
        ("4:4", "no rows 4:4"),
        ("10:", "10:10"),
    ]
    for rows, message in [*cases, ("1", "'1' is not A:B")]:
        for form in (["--json"], ["--mlir"], []):
            assert volta("inspect", "unroll", "--contract", AXPY, "--rows", rows, *form) == 2
            assert "--rows: " in volta.err and message in volta.err and len(volta.err.splitlines()) <= 2


def test_the_event_table(volta: Any) -> None:
    found = document(volta, "check", "--contract", RACE)["events"]
    assert [event["event"] for event in found] == ["finding"] * 7
    first = found[0]
    assert first["kind"] == "race" and first["count"] == 256 and first["address"]["name"] == "part"
    who = [(a["action"], a["thread"], a["source"]["line"], a["ptx_line"]) for a in first["accesses"]]
    assert who == [("write", 64, 17, 120), ("read", 0, 17, 129)]
    assert volta("inspect", "check", "--contract", RACE) == 0
    lines = volta.out.splitlines()
    assert lines[0] == "5,116 accesses to memory and 4 barriers checked: 7 findings"
    assert lines[2:4] == [
        "    write by thread 64 of CTA (0,0,0) at reduce_missing_barrier.cu:17 (PTX line 120)",
        "    read by thread 0 of CTA (0,0,0) at reduce_missing_barrier.cu:17 (PTX line 129)",
    ]


def test_an_expression_as_a_graph(volta: Any) -> None:
    found = document(volta, "vc", "--contract", AXPY, "--element", "y[3]")["elements"]
    nodes = found[0]["nodes"]
    assert found[0]["element"] == "y[3]" and found[0]["written"] and nodes[-1]["operator"] == "fma"

    def leaf(number: int) -> str:
        return str(nodes[number].get("element") or nodes[number].get("scalar"))

    assert [leaf(number) for number in nodes[-1]["operands"]] == ["x[3]", "a", "y[3]"]
    assert all(operand < place for place, node in enumerate(nodes) for operand in node.get("operands", ()))


def test_classes_as_formulas(volta: Any) -> None:
    found = document(volta, "canon", "--contract", INDEX)["classes"]
    assert [(c["like"], c["members"], c["outcome"]) for c in found] == [("y[0,0]", 64, "identical"), ("y[0,1]", 1984, "differ")]
    assert found[1]["forms"] == {"reference": "x[1,0]", "candidate": "x[0,1]"} and not found[1]["same"]
    assert len(found[1]["elements"]["y"]) == 1984 and found[1]["elements"]["y"][0] == 1
    assert volta("inspect", "canon", "--contract", INDEX) == 0
    lines = volta.out.splitlines()
    assert lines[3:] == ["    reference: y[0,1] = x[1,0]", "    candidate: y[0,1] = x[0,1]"]
    assert volta("inspect", "canon", "--contract", "examples/softmax/volta.toml") == 0
    assert "    both sides: y[0,0] = (1 + 2^(" in volta.out


def test_forms_that_are_the_same_up_to_the_cut(volta: Any, tmp_path: Path) -> None:
    """A sum of 40 inputs, and one that leaves out the last and has twice the one before: only these are shown."""
    spec = "def f(x, y):\n    return {'y': y * 0 + x[:39].sum() + x[38]}\n"
    (tmp_path / "spec.py").write_text(spec)
    (tmp_path / "sum.ptx").write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 px, .param .u64 py)\n{\n"
        ".reg .f32 %f<3>; .reg .b64 %rd<3>;\nld.param.u64 %rd1, [px]; ld.param.u64 %rd2, [py]; mov.f32 %f1, 0f00000000;\n"
        + "".join(f"ld.global.f32 %f2, [%rd1+{4 * i}]; add.f32 %f1, %f1, %f2;\n" for i in range(40))
        + "st.global.f32 [%rd2], %f1; ret;\n}\n"
    )
    tensors = "".join(
        f'[tensors.{name}]\ndtype = "f32"\nshape = [{n}]\nrole = "{role}"\n'
        for name, n, role in (("x", 40, "in"), ("y", 1, "inout"))
    )
    (tmp_path / "volta.toml").write_text(
        f'name = "sum"\n{tensors}[reference]\nspec = "spec.py:f"\n'
        '[candidate]\nsource = "sum.ptx"\nentry = "k"\ngrid = [1]\nblock = [1]\nargs = ["x", "y"]\n'
    )
    (one,) = document(volta, "canon", "--contract", str(tmp_path / "volta.toml"))["classes"]
    assert one["forms"] == {"reference": "… + 2·x[38]", "candidate": "… + x[38] + x[39]"}


def test_the_certificate(volta: Any) -> None:
    found = document(volta, "decide", "--contract", INDEX)["certificate"]
    same, apart = found["claims"]
    assert (same["claim"], apart["claim"], apart["like"]) == ("identical", "refuted", "y[0,1]")
    assert same["renaming"]["inputs"] == ["x[0,0]"] and len(same["elements"]["y"]) == 64
    # Member k reads the representative's input plus its shift: y[1,1], the second of them, reads x[1,1] of rows of 64.
    shifts = same["renaming"]["shifts"][same["renaming"]["pattern"][0]]
    assert len(shifts) == 64 and shifts[:2] == [0, 65]
    assert found["written_by_one_side"] == {"reference": 0, "candidate": 0}


def test_runs_on_concrete_inputs(volta: Any) -> None:
    """The document has the runs of the text, line by line, and as many as its own count."""
    contract = ("dynamic", "--contract", "examples/axpy-spec/volta.toml")
    found = document(volta, *contract)
    assert volta("inspect", *contract) == 0
    lines = [line.strip() for line in volta.out.splitlines() if ", seed " in line]
    assert len(found["runs"]) == found["trials"] == len(lines) == 12
    for run, line in zip(found["runs"], lines, strict=True):
        assert line.startswith(f"{run['kind']}, seed {run['seed']}: {run['compared']:,} compared") and run["bad"] == 0
        assert f" is {run['worst']} times" in line
    assert sum(run["compared"] for run in found["runs"]) == found["compared"]


def test_narrow_floats_have_their_names(volta: Any) -> None:
    contract = ("--contract", "tests/kernels/precision/tree_bf16.toml")
    assert volta("inspect", "unroll", *contract, "--thread", "0") == 0, volta.err
    assert " := fma.bf16 " in volta.out or " := add.bf16 " in volta.out
    assert any(name.endswith(".bf16") for name in document(volta, "unroll", *contract)["operations"])
