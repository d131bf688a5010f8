"""What `explain` says of a counterexample, and what `replay` computes at it: inputs that matter, ranges, both values."""

from __future__ import annotations

import json
import re
from pathlib import Path

from driver_commands import Commands

from volta_pipe.driver.counterexample_text import counterexample_lines, first_of, spans_of
from volta_pipe.driver.render import outputs_text

ROOT = Path(__file__).resolve().parents[2]
AXPY = ROOT / "examples" / "axpy-spec" / "volta.toml"
PROOF = ("--skip", "dynamic")


def axpy(folder: Path, spec: str, x: str = "", y: str = "") -> str:
    """A contract of y = a x + y against another spec, with ranges."""
    text = AXPY.read_text().replace("../axpy/axpy.ptx", (ROOT / "examples" / "axpy" / "axpy.ptx").as_posix())
    text = text.replace("[1, 128, 300]", "[3]")
    for name, spread in (("x", x), ("y", y)):
        text = text.replace(f"[tensors.{name}]\n", f"[tensors.{name}]\nrange = {spread}\n" if spread else f"[tensors.{name}]\n")
    (folder / "volta.toml").write_text(text)
    (folder / "spec.py").write_text(f"import numpy as np\n\n\ndef axpy(x, y, a):\n    return {{'y': {spec}}}\n")
    return str(folder / "volta.toml")


def test_explain_shows_what_matters_and_replay_computes_it(real: Commands, tmp_path: Path) -> None:
    """a x + y and a x - y differ by 2 y: y is 1, and a and x are 0 (by hand)."""
    contract = axpy(tmp_path, "a * x - y")
    assert real("explain", contract, *PROOF) == 1
    lines = real.out.splitlines()
    start = lines.index("    counterexample (evaluated on both sides):")
    assert lines[start + 1 : start + 7] == [
        "      element = y[0]",
        "      inputs that matter:",
        "        y[0] = 1",
        "      all other inputs that y[0] depends on are 0 (2)",
        "      reference = -1",
        "      candidate = 1",
    ]
    assert lines[-1].split() == ["volta-pipe", "replay", contract, "--counterexample"]
    assert real("replay", contract, "--counterexample", *PROOF) == 1
    assert "  y[0] is -1 in the reference and 1 in the candidate" in real.out.splitlines()


def test_a_counterexample_lies_in_the_ranges_where_there_is_one(real: Commands, tmp_path: Path) -> None:
    contract = axpy(tmp_path, "a * x - y", y="[2.5, 9.0]")
    assert real("run", contract, "--json", "--quiet", *PROOF) == 1
    (found,) = (f["counterexample"] for f in json.loads(real.out)["findings"])
    assert found["inputs"]["y[0]"] == "3" and found["outside_range"] == []
    assert (found["matters"], found["complete"]) == (["y[0]"], True)
    assert real("replay", contract, "--counterexample", *PROOF) == 1
    assert "y[0] is -3 in the reference and 3 in the candidate" in real.out


def test_another_range_is_another_counterexample(real: Commands, tmp_path: Path) -> None:
    """`decide` runs again where only a range has changed, and nothing else does."""
    assert real("run", axpy(tmp_path, "a * x - y", y="[2.5, 9.0]"), *PROOF) == 1
    assert real("run", axpy(tmp_path, "a * x - y", y="[5.5, 9.0]"), "--json", "--quiet", *PROOF) == 1
    document = json.loads(real.out)
    assert document["findings"][0]["counterexample"]["inputs"]["y[0]"] == "6"
    assert [row["name"] for row in document["stages"] if not row["cached"]] == ["decide"]


def test_where_all_differences_are_outside_the_ranges_it_says_so(real: Commands, tmp_path: Path) -> None:
    """a x + y and a max(x, 0) + y are the same for x from 0 to 4."""
    contract = axpy(tmp_path, "a * np.maximum(x, np.float32(0)) + y", x="[0.0, 4.0]")
    assert real("explain", contract, *PROOF) == 1
    lines = [line.strip() for line in real.out.splitlines()]
    assert "y[0] is 0 in the reference and -1 in the candidate; inputs lie outside the range of x" in lines
    assert "outside the contract's range: x[0]; nothing was found within it" in lines
    assert {"x[0] = -1", "a = 1"} <= set(lines)
    assert real("replay", contract, "--counterexample", *PROOF) == 1


def test_the_text_names_inputs_in_groups() -> None:
    inputs = {"x[0]": "0", "x[1]": "2", "x[2]": "1", "x[3]": "0"}
    found = {
        "element": "y[0]", "inputs": inputs, "matters": ["x[0]", "x[1]"], "complete": False, "outside_range": [],
        "reference": "1", "candidate": "2", "formulas": {"reference": "f", "candidate": ""},
    }  # fmt: skip
    assert [line.strip() for line in counterexample_lines(found, full=True)][2:] == [
        "inputs that matter:", "x[1] = 2", "x[0] = 0",
        "inputs of which no change was seen to matter:", "x[2] = 1",
        "more inputs may matter: the search for them ran out of its evaluations",
        "all other inputs that y[0] depends on are 0 (1)",
        "reference = 1", "candidate = 2", "formula of the reference = f",
    ]  # fmt: skip
    many = found | {"inputs": {f"x[{i}]": str(1 + i % 2) for i in range(20)}, "matters": [f"x[{i}]" for i in range(20)]}
    assert "… 12 more" in [line.strip() for line in counterexample_lines(many, full=False)]
    nothing = found | {"inputs": {"x[0]": "0"}, "matters": [], "complete": True}
    assert "all inputs that y[0] depends on are 0 (1)" in [line.strip() for line in counterexample_lines(nothing, full=True)]


def test_neighbours_with_one_value_are_one_line() -> None:
    """A 2 x 3 matrix of which one row is 1, and all of another tensor; JSON has each element."""
    inputs = {f"x[{i},{j}]": str(i) for i in range(2) for j in range(3)} | {
        f"w[{i},{j}]": "2" for i in range(4) for j in range(5)
    }
    inputs |= {"a": "2", "v[0]": "1", "v[1]": "1", "v[3]": "1", "v[4]": "1/3"}
    names = [*inputs]
    assert spans_of(inputs, names) == [
        ("x[0,0..2]", 3), ("x[1,0..2]", 3), ("w[0..3,0..4]", 20), ("a", 1), ("v[0..1]", 2), ("v[3]", 1), ("v[4]", 1),
    ]  # fmt: skip
    assert sum(count for _, count in spans_of(inputs, names)) == len(inputs)
    assert first_of("w[0..3,0..4]") == "w[0,0]" and first_of("a") == "a"
    # No run over the end of a row, and none where the rows differ.
    assert spans_of(dict.fromkeys(("x[0,1]", "x[0,2]", "x[1,0]"), "1"), ["x[0,1]", "x[0,2]", "x[1,0]"]) == [
        ("x[0,1..2]", 2), ("x[1,0]", 1),
    ]  # fmt: skip
    found = {
        "element": "y[0]", "inputs": inputs, "matters": names, "complete": True, "outside_range": names[6:26],
        "reference": "1", "candidate": "2", "formulas": {},
    }  # fmt: skip
    lines = [line.strip() for line in counterexample_lines(found, full=True)]
    assert "w[0..3,0..4] = 2   (20 inputs)" in lines and "x[1,0..2] = 1   (3 inputs)" in lines
    assert "outside the contract's range: w[0..3,0..4]; nothing was found within it" in lines


def test_a_mismatch_says_how_much_is_known(real: Commands) -> None:
    """Of a 32 x 64 transpose in tiles of 32, what is read at swapped indices is right on two diagonals of 32."""
    assert real("run", "examples/broken-index/volta.toml") == 1
    lines = real.out.splitlines()
    assert "  mismatch in 1,984 elements (candidate, rows=32 cols=64) at global y[0,1], byte 4" in lines
    assert "    1,984 of 2,048 output elements differ in this way, 64 are proved equal" in lines
    assert real("run", "examples/broken-index/volta.toml", "--json", "--quiet") == 1
    (finding,) = json.loads(real.out)["findings"]
    assert finding["outputs"] == {"compared": 2048, "differ": 1984, "equal": 64, "open": 0} and finding["count"] == 1984
    words = outputs_text({"compared": 9, "differ": 1, "equal": 1, "open": 7})
    assert words == "1 of 9 output elements differ, 1 is proved equal, 7 were neither proved nor refuted"


WRITTEN = re.compile(r"(reference|candidate): write by thread (\d+) .* at (\S+:\d+) \(PTX line \d+\)")


def test_explain_shows_where_an_element_is_written_as_the_report_does(real: Commands, tmp_path: Path) -> None:
    """y[0,1] is of column 0 and row 1: thread (0,1) of 16 by 16 in the naive kernel, the second of a tile in the other."""
    assert real("explain", "examples/broken-index/volta.toml") == 1
    found = WRITTEN.findall(real.out)
    assert found == [("reference", "16", "transpose_naive.cu:7"), ("candidate", "1", "transpose_wrong_index.cu:23")]
    assert "         23 |             y[col * rows + row] = tile[j][tx];" in real.out
    assert real("run", "examples/broken-index/volta.toml") == 1 and not WRITTEN.findall(real.out)
    assert real("report", "examples/broken-index/volta.toml", "-o", str(tmp_path / "r.json")) == 1
    (finding,) = json.loads((tmp_path / "r.json").read_text())["findings"]
    assert [WRITTEN.findall(place["text"])[0] for place in finding["places"]] == found


def test_a_function_has_no_place(real: Commands) -> None:
    assert real("explain", "tests/contracts/library/softmax_wrong_axis.toml") == 1
    assert [side for side, _, _ in WRITTEN.findall(real.out)] == ["candidate"]
