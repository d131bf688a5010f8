"""What is the same on several combinations of dims is shown once, and a counterexample can be computed by the command shown."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from driver_commands import Cli, Commands

from volta_pipe.driver.render import folded

ROOT = Path(__file__).resolve().parents[2]


def test_a_finding_of_two_combinations_is_shown_once(command: Cli) -> None:
    command.project.fact("finding race")
    assert command("explain", str(command.project.contract)) == 1
    lines = command.out.splitlines()
    # Both sides have it, at n=4 and at n=8.
    assert [line for line in lines if line.startswith("  race")] == [
        f"  race ×2 ({side}, n=4) at shared s[35], byte 140" for side in ("reference", "candidate")
    ]
    assert lines.count("    likewise at n=8 ×2") == 2
    assert sum("write by thread 3" in line for line in lines) == 2
    notes = [line for line in lines if line.startswith("  note")]
    assert notes == [f"  note ({side}, n=4): a note" for side in ("reference", "candidate")]
    assert lines.count("    likewise at n=8") == 2


def test_reasons_are_folded(command: Cli) -> None:
    command.project.fact("verdict unknown")
    assert command.run() == 3
    lines = command.out.splitlines()
    place = lines.index("  why, n=4: too hard")
    assert lines[place + 1] == "    likewise at n=8"
    assert sum("too hard" in line for line in lines) == 1


def test_copies_of_an_unrolled_loop_are_shown_as_one(real: Commands) -> None:
    """The loop of a tree over 128 threads is unrolled: strides 64 to 1 have a racing pair each, all at line 17."""
    assert real("run", "examples/broken-race/volta.toml") == 1
    lines = [line for line in real.out.splitlines() if " s  " not in line]
    assert sum(line.startswith("  race") for line in lines) == 1
    assert "    6 more like it at the same places in the source (volta-pipe explain shows all)" in lines
    assert real("explain", "examples/broken-race/volta.toml") == 1
    assert sum(line.startswith("  race") for line in real.out.splitlines()) == 7 and "more like it" not in real.out


def test_findings_at_other_places_are_not(real: Commands) -> None:
    assert real("run", "examples/broken-tail/volta.toml") == 1
    assert sum(line.startswith("  out-of-bounds") for line in real.out.splitlines()) == 3  # x read, y read, y written


def test_a_budget_that_ran_out_names_its_option(real: Commands) -> None:
    assert real("run", "examples/axpy/volta.toml", "--max-steps", "100") == 3
    lines = real.out.splitlines()
    place = lines.index("    the step budget of 100 thread-instructions ran out; 64 ran here: threads 0-63")
    assert lines[place + 1] == "    --max-steps N allows more"
    assert lines.count("    likewise at n=256; n=257") == 2


def item(n: int, text: str) -> dict[str, Any]:
    return {"dims": {"n": n}, "message": text}


def test_items_of_one_combination_are_never_folded() -> None:
    items = [item(1, "a"), item(1, "a"), item(1, "b"), item(2, "a"), item(3, "b"), item(3, "a"), item(3, "a")]
    groups = [
        (first["message"], first["dims"]["n"], [o["dims"]["n"] for o in others]) for first, others in folded(items, _text)
    ]
    assert groups == [("a", 1, [2, 3]), ("a", 1, [3]), ("b", 1, [3])]


def _text(one: Any) -> str:
    return str(one["message"])


def test_the_command_that_explain_shows_computes_the_counterexample(real: Commands) -> None:
    assert real("explain", "examples/broken-index/volta.toml") == 1
    (shown,) = [line for line in real.out.splitlines() if line.strip().startswith("volta-pipe replay")]
    assert real(*shlex.split(shown)[1:]) == 1
    assert real.out.splitlines() == [
        "counterexample at rows=32 cols=64, computed with PTX's rounding:",
        "  x[1,0] = 1",
        "  x[0,1] = 0",
        "  y[0,1] is 1 in the reference and 0 in the candidate",
        "  they are apart by 1 of the larger one (beyond what is allowed, 0.0001)",
    ]
    assert real("replay", "examples/broken-index/volta.toml", "--counterexample", "--tolerance", "1.5") == 0
    assert "(within what is allowed, 1.5)" in real.out


def test_a_seed_and_a_counterexample_exclude_each_other(real: Commands) -> None:
    assert real("replay", "examples/broken-index/volta.toml", "--counterexample", "--seed", "0") == 2
    assert "--seed draws inputs, and --counterexample has its own" in real.err


@pytest.mark.parametrize("name", ["axpy", "broken-race"])
def test_without_a_counterexample_there_is_nothing_to_compute(real: Commands, name: str) -> None:
    assert real("replay", f"examples/{name}/volta.toml", "--counterexample") == 2
    verdict = {"axpy": "equivalent", "broken-race": "unsafe"}[name]
    assert f"the verdict is {verdict}, without a counterexample to replay" in real.err
    assert real("explain", f"examples/{name}/volta.toml") == (0 if name == "axpy" else 1)
    assert "replay" not in real.out


def test_against_numpy_inputs_are_rounded_to_their_dtypes(real: Commands, tmp_path: Path) -> None:
    """y = a x + y against a spec with -y; a counterexample's numbers are rationals, which an f32 may not hold."""
    contract = (ROOT / "examples" / "axpy-spec" / "volta.toml").read_text()
    kernel = (ROOT / "examples" / "axpy" / "axpy.ptx").as_posix()
    (tmp_path / "volta.toml").write_text(contract.replace("../axpy/axpy.ptx", kernel).replace("[1, 128, 300]", "[2]"))
    (tmp_path / "spec.py").write_text("def axpy(x, y, a):\n    return {'y': a * x - y}\n")
    assert real("replay", str(tmp_path / "volta.toml"), "--counterexample", "--skip", "dynamic") == 1
    heading, *inputs, others, values, apart = real.out.splitlines()
    assert heading == "counterexample at n=2, computed with PTX's rounding:"
    given = {}
    for line in inputs:
        name, value, *rounded = line.split(" = ")[0].strip(), *line.split(" = ")[1].split(" ", 1)
        exact = Fraction(value)
        assert bool(rounded) == (Fraction(float(np.float32(float(exact)))) != exact), line
        given[name] = float(np.float32(float(exact)))
    assert given == {"y[0]": 1.0}  # a x + y and a x - y differ by 2 y
    assert others == "  all other inputs that y[0] depends on are 0 (2)"
    product = 0.0
    reference, candidate = (
        float(word) for word in re.findall(r"is (\S+) in the reference and (\S+) in the candidate", values)[0]
    )
    assert reference == pytest.approx(product - given["y[0]"], rel=1e-6)
    assert candidate == pytest.approx(product + given["y[0]"], rel=1e-6)
    assert "beyond what is allowed, 0.0001" in apart
