"""The pipeline on fake stages: order, caching, early cutoff, where it stops, and the verdict document."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from driver_project import PTX, Project

from volta_pipe.driver import pipeline
from volta_pipe.driver.findings import source_name
from volta_pipe.driver.pipeline import Options, Watch
from volta_pipe.driver.session import verify
from volta_pipe.driver.step import Step
from volta_pipe.driver.store import Store
from volta_pipe.driver.streams import OutputError
from volta_pipe.driver.verdict import exit_code
from volta_pipe.ir.errors import InputError


def _without_stages(document: dict[str, object]) -> str:
    return json.dumps({key: value for key, value in document.items() if key != "stages"})


def test_all_stages_then_all_cached(project: Project) -> None:
    first = project.run()
    assert first.document["verdict"] == "equivalent" and exit_code(first.document) == 0
    # lower once a side (two entries); the others once a side and combination
    assert sorted(project.fakes.runs) == sorted(["lower"] * 2 + ["unroll", "check", "vc"] * 4 + ["canon", "decide"] * 2)
    second = project.run()
    assert project.fakes.runs == []
    assert all(stage["cached"] for stage in second.document["stages"])
    assert _without_stages(first.document) == _without_stages(second.document)
    assert first.document["coverage"] == {"dims": [{"n": 4}, {"n": 8}], "ctas": "all", "outputs": 12}
    assert first.document["assumptions"] == ["expf is exp", "floats are real numbers", "log2 e"]
    assert [(s["name"], s["side"]) for s in first.document["stages"]][:4] == [
        ("lower", "reference"), ("unroll", "reference"), ("check", "reference"), ("vc", "reference"),
    ]  # fmt: skip


@pytest.mark.parametrize("error", [BrokenPipeError, OutputError("standard output: no space")])
def test_a_reader_that_is_gone_is_no_fault_of_the_store(project: Project, error: Any) -> None:
    """As with `volta-pipe run | head`, or with standard output on a full disk."""

    class Gone(Watch):
        def report(self, side: str, dims: Mapping[str, int], step: Step) -> None:
            raise error

    project.run()
    project.fakes.runs.clear()
    expected = error if isinstance(error, type) else type(error)
    with Store(project.folder / "store", project.warnings.append) as store, pytest.raises(expected):
        verify(project.contract, store, watch=Gone(), stages=project.fakes.table())
    assert project.fakes.runs == [] and project.warnings == []


def test_results_do_not_depend_on_jobs(project: Project) -> None:
    project.fact("finding race")
    documents = []
    for jobs in (1, 2, 4):
        documents.append(_without_stages(project.run(Options(jobs=jobs), force=("all",)).document))
    assert len(set(documents)) == 1


def test_a_step_of_the_other_side_may_come_at_any_moment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides run in threads of their own, and put what they did into one dictionary."""

    class Interrupted(dict[tuple[str, str], Step]):
        def items(self) -> Any:
            # Where the main thread looks, or both sides have all that they get, nobody else writes.
            alone = threading.current_thread() is threading.main_thread()
            done = all((side, "vc") in self for side in ("reference", "candidate"))
            return super().items() if alone or done else self._pairs()

        def _pairs(self) -> Iterator[Any]:
            try:
                for pair in super().items():
                    self["other", "stage"] = pair[1]
                    yield pair
            finally:
                del self["other", "stage"]

    expected = _without_stages(project.run(force=("all",)).document)
    plain = pipeline.Combination
    monkeypatch.setattr(pipeline, "Combination", lambda plan: plain(plan, Interrupted()))
    assert _without_stages(project.run(force=("all",)).document) == expected


def test_an_edit_that_does_not_change_the_output_of_lower_stops_there(project: Project) -> None:
    project.run()
    project.ptx("# dropped by lower\n" + PTX)
    project.run()
    assert project.fakes.runs == ["lower", "lower"]


def test_a_new_version_of_a_stage_runs_it_and_stops_where_nothing_changes(project: Project) -> None:
    project.run()
    project.fakes.versions["check"] = "2"
    project.run()
    assert project.fakes.runs == ["check"] * 4
    project.fakes.versions["unroll"] = "2"
    project.run()
    assert project.fakes.runs == ["unroll"] * 4


def test_force(project: Project) -> None:
    project.run()
    project.run(force=("vc",))
    assert project.fakes.runs == ["vc"] * 4


def test_a_contract_edit_that_changes_no_launch_is_cached(project: Project) -> None:
    before = project.run()
    project.change('name = "copy"', 'name = "a copy"   # renamed')
    after = project.run()
    assert project.fakes.runs == []
    assert before.document["contract"]["digest"] != after.document["contract"]["digest"]


@pytest.mark.parametrize(
    ("fact", "verdict", "code", "kind"),
    [
        ("finding race", "unsafe", 1, "race"),
        ("finding unwritten-output", "unsafe", 1, "unwritten-output"),
        ("finding data-dependent-control", "unsupported", 3, "data-dependent-control"),
        ("finding budget", "unknown", 3, "budget"),
        ("vc unsupported", "unsupported", 3, "unsupported-instruction"),
        ("vc budget", "unknown", 3, "budget"),
        ("unroll memory", "unknown", 3, "budget"),
        ("verdict not-equivalent", "not-equivalent", 1, "mismatch"),
        ("verdict unknown", "unknown", 3, None),
        ("params u64 u64 b8", "unsupported", 3, "unsupported-instruction"),
    ],
)
def test_verdicts(project: Project, fact: str, verdict: str, code: int, kind: str | None) -> None:
    if fact == "params u64 u64 b8":
        fact = "params u64 u64 struct"
    project.fact(fact)
    document = project.run().document
    assert (document["verdict"], exit_code(document)) == (verdict, code)
    assert {f["kind"] for f in document["findings"]} == ({kind} if kind else set())
    again = project.run().document
    assert _without_stages(document) == _without_stages(again)
    if kind == "budget":
        assert {"unroll memory": "unroll", "vc budget": "vc", "finding budget": "check"}[fact] in project.fakes.runs
    else:
        assert project.fakes.runs == []


def test_a_finding_in_full(project: Project) -> None:
    project.fact("finding race")
    project.change('grid   = ["n"]\nblock  = [32]', 'grid   = ["n"]\nblock  = [32, 2]')
    finding = project.run().document["findings"][0]
    assert finding == {
        "kind": "race", "side": "reference", "ptx_line": 7, "source": {"file": "k.cu", "line": 12}, "dims": {"n": 4},
        "cta": [0, 0, 0], "threads": [3, 35], "address": {"space": "shared", "name": "s", "offset": 140, "index": [35]},
        "message": "m", "count": 2,
        "explanation": [{"message": "how s came about", "ptx_line": 8, "source": {"file": "k.cu", "line": 13}}],
        "accesses": [
            {"thread": 3, "thread_xyz": [3, 0, 0], "cta": [0, 0, 0], "action": "write", "ptx_line": 7,
             "source": {"file": "k.cu", "line": 12}},
            {"thread": 35, "thread_xyz": [3, 1, 0], "cta": [0, 0, 0], "action": "read", "ptx_line": 8,
             "source": {"file": "k.cu", "line": 13}},
        ],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ22reduce_missing_barrierE4part", "part"),
        ("_ZZ1fPKfE5tileE", "tileE"),
        ("_ZZ1fE4part_0", "part"),
        ("_ZZ1fE9part", "_ZZ1fE9part"),
        ("buffer", "buffer"),
    ],
)
def test_names_as_in_the_source(symbol: str, name: str) -> None:
    assert source_name(symbol) == name


def test_a_mismatch_carries_the_counterexample(project: Project) -> None:
    project.fact("verdict not-equivalent")
    finding = project.run().document["findings"][0]
    formulas = {"reference": "f", "candidate": "g"}
    values = {"element": "y[0]", "inputs": {"x[0]": "1/3", "a": "2"}, "reference": "1", "candidate": "2", "formulas": formulas}
    values |= {"matters": ["x[0]"], "complete": True, "outside_range": []}
    assert finding["counterexample"] == values and finding["address"] == {
        "space": "global", "name": "y", "offset": 12, "index": [3],
    }  # fmt: skip


def test_an_unsupported_instruction_has_its_line(project: Project) -> None:
    project.fact("vc unsupported")
    finding = project.run().document["findings"][0]
    assert (finding["ptx_line"], finding["source"]) == (8, {"file": "k.cu", "line": 13})


def test_budgets_are_never_cached(project: Project) -> None:
    small = Options(max_steps=5)
    assert project.run(small).document["verdict"] == "unknown"
    assert project.run(small).document["verdict"] == "unknown"
    assert "unroll" in project.fakes.runs
    assert project.run().document["verdict"] == "equivalent"


def test_stopping_early(project: Project) -> None:
    document = project.run(Options(last="vc")).document
    assert document["verdict"] is None and document["stopped_after"] == "vc" and exit_code(document) == 0
    assert "canon" not in project.fakes.runs
    project.fact("finding race")
    assert exit_code(project.run(Options(last="check")).document) == 1


def test_without_a_reference_only_safety_is_checked(project: Project) -> None:
    text = project.contract.read_text()
    start, end = text.index("[reference]"), text.index("[candidate]")
    project.contract.write_text(text[:start] + text[end:])
    document = project.run().document
    assert document["verdict"] == "safe" and "vc" not in project.fakes.runs
    assert document["notes"][0] == {"side": "candidate", "dims": {"n": 4}, "message": "a note"}


def test_a_spec_takes_the_place_of_the_reference(project: Project) -> None:
    (project.folder / "helper.py").write_text("A = 0\n")
    (project.folder / "spec.py").write_text("import helper\ndef copy(x, a):\n    return {'y': x}\n")
    text = project.contract.read_text()
    start, end = text.index("[reference]"), text.index("[candidate]")
    project.contract.write_text(text[:start] + '[reference]\nspec = "spec.py:copy"\n' + text[end:])
    assert project.run().document["verdict"] == "equivalent"
    assert project.fakes.runs.count("trace") == 2 and project.fakes.runs.count("lower") == 1
    project.run()
    assert project.fakes.runs == []
    (project.folder / "helper.py").write_text("A = 1\n")  # what the spec imports counts
    project.run()
    assert sorted(project.fakes.runs) == ["dynamic", "dynamic", "trace", "trace"]


def test_a_race_on_one_side_stops_both_before_vc(project: Project) -> None:
    (project.folder / "racy.ptx").write_text(PTX + "// fake: finding race\n")
    project.change('source = "k.ptx"\nentry  = "copy"', 'source = "racy.ptx"\nentry  = "copy"')
    assert project.run().document["verdict"] == "unsafe"
    assert "vc" not in project.fakes.runs


def test_errors_show_where_the_ptx_lies(project: Project) -> None:
    project.ptx("syntax error")
    with pytest.raises(InputError, match="unexpected '!'") as caught:
        project.run()
    assert str(caught.value).startswith(f"{project.folder / 'k.ptx'}:3:5: ")
    project.fact("params u64")
    with pytest.raises(InputError, match="takes 1 arguments, the contract gives 3"):
        project.run()


@pytest.mark.parametrize("how", ["truncate", "flip", "remove"])
def test_damage_is_computed_again_with_a_warning(project: Project, how: str) -> None:
    first = project.run()
    for path in list((project.folder / "store" / "objects").glob("??/*")):
        data = path.read_bytes()
        path.unlink()
        if how != "remove":
            path.write_bytes(data[: len(data) // 2] if how == "truncate" else bytes([data[0] ^ 1]) + data[1:])
    second = project.run()
    assert "lower" in project.fakes.runs and "decide" in project.fakes.runs and project.warnings
    assert _without_stages(first.document) == _without_stages(second.document)
    project.warnings.clear()
    project.run()
    assert project.fakes.runs == [] and not project.warnings


def test_damage_found_only_when_a_value_is_loaded(project: Project) -> None:
    import os

    first = project.run()
    for path in (project.folder / "store" / "objects").glob("??/*"):
        status, data = path.stat(), path.read_bytes()
        path.write_bytes(bytes([data[0] ^ 1]) + data[1:])
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    second = project.run(force=("decide",))
    assert _without_stages(first.document) == _without_stages(second.document)
    assert "lower" in project.fakes.runs and any("damaged" in warning for warning in project.warnings)
