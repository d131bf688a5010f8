"""Stages as functions on artifacts: the same bytes as those of a run, saved and opened again; what does not fit is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from volta_pipe import (
    Artifact,
    ArtifactError,
    CanonArtifact,
    Contract,
    DynamicArtifact,
    InputError,
    LowerArtifact,
    Pipeline,
    UnsupportedError,
    VcArtifact,
    open_artifact,
    verify,
)
from volta_pipe.driver.api import facts_file
from volta_pipe.driver.api.opening import KINDS
from volta_pipe.driver.stage import ORDER
from volta_pipe.driver.stages import STAGES

ROOT = Path(__file__).resolve().parents[2]
AXPY = "examples/axpy/volta.toml"
EXAMPLES = (AXPY, "examples/softmax/volta.toml", "examples/softmax-spec/volta.toml", "examples/broken-index/volta.toml")


def all_of(pipeline: Pipeline) -> list[Artifact[Any]]:
    """Every artifact of a pipeline, whose last one is the decision."""
    made: list[Artifact[Any]] = []
    for side in ("reference", "candidate"):
        if side == "reference" and pipeline.contract.reference is not None and hasattr(pipeline.contract.reference, "function"):
            made.append(pipeline.trace())
            continue
        module = pipeline.lower(side)
        program = pipeline.unroll(module)
        made += [module, program, pipeline.check(program, module), pipeline.vc(program)]
    reference, candidate = (
        next(a for a in made if isinstance(a, VcArtifact) and a.side == s) for s in ("reference", "candidate")
    )
    forms = pipeline.canon(reference, candidate)
    return [*made, forms, pipeline.decide(forms, reference, candidate)]


@pytest.mark.parametrize("path", EXAMPLES)
def test_artifacts_are_those_of_a_run(path: str) -> None:
    pipeline = Pipeline(path)
    stages = verify(path, skip=["dynamic"]).stages
    run = {(row["name"].replace("trace", "vc"), row["side"]): row["artifact"] for row in stages if row["dims"] == pipeline.dims}
    made = {(one.stage, one.side): one.digest for one in all_of(pipeline)}
    assert made == run


def test_saved_artifacts_are_opened_as_what_they_are(tmp_path: Path) -> None:
    pipeline = Pipeline(AXPY, {"n": 256})
    assert pipeline.dims == {"n": 256}
    for number, one in enumerate(all_of(pipeline)):
        path = one.save(tmp_path / f"{number}.artifact")
        again = open_artifact(path)
        assert type(again) is type(one) and again.digest == one.digest and again.side == "" and path.read_bytes() == one.data
        assert again.summary.keys() == one.summary.keys()
        assert one.digest[7:19] in repr(one) and again.text()


def test_what_check_found_is_said_without_lines() -> None:
    pipeline = Pipeline("examples/broken-race/volta.toml")
    module = pipeline.lower()
    lines = pipeline.check(pipeline.unroll(module), module).text().splitlines()
    assert lines[0] == "5,116 accesses to memory and 4 barriers checked: 7 findings" and len(lines) == 8
    assert lines[1].startswith(
        "  race ×256: write by thread 64 and read by thread 0 of CTA (0, 0, 0) hit shared memory part+256"
    )


def test_facts_of_another_module_are_refused(tmp_path: Path) -> None:
    """Also where somebody gave them the right digest: lines that do not fit would be told of other operations."""
    axpy, softmax = Pipeline(AXPY).lower(), Pipeline("examples/softmax/volta.toml").lower()
    path = axpy.save(tmp_path / "k.mlir")
    facts_file.beside(path).write_bytes(facts_file.encode(softmax.value, axpy.digest))
    with pytest.raises(ArtifactError, match="their numbers of operations differ"):
        open_artifact(path)


def test_stages_go_on_from_saved_artifacts(tmp_path: Path) -> None:
    pipeline = Pipeline(AXPY)
    paths = [one.save(tmp_path / str(number)) for number, one in enumerate(all_of(pipeline))]
    module, program, _, reference, *_ = (open_artifact(path) for path in paths)
    assert isinstance(module, LowerArtifact) and module.parameters[0] == ("axpy_param_0", "u64", 8)
    again = Pipeline(AXPY)
    assert again.unroll(module, "reference").digest == program.digest
    assert again.check(program, module, "reference").safe  # type: ignore[arg-type]
    assert again.vc(program, "reference").digest == reference.digest  # type: ignore[arg-type]
    forms, candidate = open_artifact(paths[-2]), open_artifact(paths[-3])
    decision = again.decide(forms, reference, candidate)  # type: ignore[arg-type]
    assert decision.verdict == "equivalent" and decision.digest == open_artifact(paths[-1]).digest


def test_a_module_of_ones_own_is_taken(tmp_path: Path) -> None:
    """In either form of MLIR, without what PTX says besides."""
    pipeline = Pipeline(AXPY)
    module = pipeline.lower()
    for text in (module.text(), module.mlir):
        again = LowerArtifact.from_mlir(text)
        assert again.digest == module.digest and again.parameters == module.parameters
        assert pipeline.unroll(again).digest == pipeline.unroll(module).digest
    (tmp_path / "k.mlir").write_text(module.mlir)
    assert open_artifact(tmp_path / "k.mlir").digest == module.digest


def test_digests_lead_into_the_store(kept: Path) -> None:
    stages = verify(AXPY).stages
    for row in stages:
        one = open_artifact(row["artifact"], kept)
        assert one.digest == row["artifact"] and one.stage == row["name"]
    lowered = open_artifact(next(row["artifact"] for row in stages if row["name"] == "lower"))
    assert isinstance(lowered, LowerArtifact) and lowered.value.lines.ptx and lowered.value.variables == ()
    row = next(r for r in verify("examples/softmax-spec/volta.toml").stages if r["name"] == "dynamic")
    found = open_artifact(row["artifact"][7:40])
    assert isinstance(found, DynamicArtifact) and found.value.mismatch is None


def test_every_kind_that_a_stage_makes_can_be_opened() -> None:
    assert {*KINDS.values(), "lower"} == {*STAGES} - {"trace"} and set(ORDER) <= {*KINDS.values(), "lower"}


def test_formulas_name_elements_by_the_shapes_that_are_known(tmp_path: Path) -> None:
    conditions = Pipeline("examples/softmax/volta.toml", {"n": 20}).expressions("candidate")
    assert "x[1,3]" in conditions.formula("y[1,3]")
    again = open_artifact(conditions.save(tmp_path / "c"))
    assert isinstance(again, VcArtifact) and again.formula("y[23]").splitlines()[-1].startswith("y[23] = ")
    assert "x[23]" in again.formula("y[23]") and "x[20]" not in conditions.formula("y[1,3]")
    with pytest.raises(InputError, match="there is no element"):
        conditions.formula("y[2,0]")


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    pipeline, other = Pipeline(AXPY), Pipeline(AXPY, {"n": 256})
    module, reference = pipeline.lower(), pipeline.lower("reference")
    program = pipeline.unroll(module)
    with pytest.raises(ArtifactError, match=r"a tensor x .in, 400 bytes. of another contract"):
        other.vc(program)
    with pytest.raises(InputError, match="is of the candidate, not of the reference"):
        pipeline.vc(program, "reference")
    with pytest.raises(InputError, match="is of the reference, not of the candidate"):
        pipeline.check(program, reference)
    edited = LowerArtifact.from_mlir(module.text().replace("ptx.fma", "ptx.mad"))
    with pytest.raises(ArtifactError, match="was not unrolled from this module"):
        pipeline.check(pipeline.unroll(LowerArtifact.from_mlir(module.text().replace("ge.s32", "gt.s32"))), edited)
    opened = open_artifact(pipeline.unroll(reference).save(tmp_path / "p"))
    with pytest.raises(ArtifactError, match="blocks of \\[128, 1, 1\\], the contract \\[64, 1, 1\\]"):
        pipeline.vc(opened)  # type: ignore[arg-type]
    for call in (lambda: pipeline.unroll(program), lambda: pipeline.vc(module), lambda: pipeline.canon(program, module)):
        with pytest.raises(InputError, match="wants the artifact of"):
            call()  # type: ignore[no-untyped-call]
    with pytest.raises(InputError, match="is given a str"):
        pipeline.unroll("k.mlir")  # type: ignore[arg-type]


def test_forms_of_other_expressions_prove_nothing(tmp_path: Path) -> None:
    """Both say `equivalent` of themselves; put together they would say it of the wrong pair."""
    wrong = Pipeline("examples/broken-index/volta.toml")
    reference, candidate = wrong.expressions("reference"), wrong.expressions("candidate")
    honest = wrong.canon(reference, candidate)
    assert wrong.decide(honest, reference, candidate).verdict == "not-equivalent"
    flattering = wrong.canon(reference, reference)
    for forms in (flattering, open_artifact(flattering.save(tmp_path / "forms"))):
        assert isinstance(forms, CanonArtifact)
        with pytest.raises(ArtifactError, match="not those of these expressions"):
            wrong.decide(forms, reference, candidate)
    again = open_artifact(honest.save(tmp_path / "forms"))
    assert isinstance(again, CanonArtifact) and wrong.decide(again, reference, candidate).verdict == "not-equivalent"


def test_contracts_and_sides_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="no combination of dims with n=7"):
        Pipeline(AXPY, {"n": 7})
    with pytest.raises(InputError, match="'both' is no side"):
        Pipeline(AXPY).lower("both")
    with pytest.raises(InputError, match="is a NumPy function"):
        Pipeline("examples/softmax-spec/volta.toml").lower("reference")
    with pytest.raises(InputError, match="is no NumPy function"):
        Pipeline(AXPY).trace()
    text = (ROOT / AXPY).read_text()
    alone = text[: text.index("[reference]")] + text[text.index("[candidate]") :]
    with pytest.raises(InputError, match="is absent"):
        Pipeline(Contract.from_text(alone, "examples/axpy")).lower("reference")
    with pytest.raises(InputError, match="takes 4 arguments, the contract gives 3"):
        Pipeline(Contract.from_text(alone.replace(', "n"]', "]"), "examples/axpy")).lower()


def test_a_program_that_is_not_complete_has_no_expressions() -> None:
    with pytest.raises(UnsupportedError, match="the program is not complete") as error:
        pipeline = Pipeline(AXPY, max_steps=10)
        pipeline.vc(pipeline.unroll(pipeline.lower()))
    assert error.value.kind == "budget"


def test_facts_are_of_one_module(tmp_path: Path) -> None:
    pipeline = Pipeline(AXPY)
    pipeline.lower().save(tmp_path / "a.mlir")
    pipeline.lower("reference").save(tmp_path / "b.mlir")
    (tmp_path / "a.mlir.facts").write_bytes((tmp_path / "b.mlir.facts").read_bytes())
    with pytest.raises(ArtifactError, match=r"a.mlir.facts: these facts are of another module"):
        open_artifact(tmp_path / "a.mlir")


def test_variables_of_a_contract_need_the_facts(tmp_path: Path) -> None:
    """The dialect does not say what type a variable has, by which its contents are written."""
    ptx = (
        ".version 8.0\n.target sm_80\n.address_size 64\n.const .align 4 .f32 scale;\n"
        ".visible .entry k(.param .u64 y)\n{\n.reg .b64 %d<3>;\n.reg .f32 %f<2>;\n"
        "ld.param.u64 %d1, [y];\nld.const.f32 %f1, [scale];\nst.global.f32 [%d1], %f1;\nret;\n}\n"
    )
    (tmp_path / "k.ptx").write_text(ptx)
    values: dict[str, Any] = {
        "tensors": {"y": {"dtype": "f32", "shape": [1], "role": "out"}}, "globals": {"scale": 2.5},
        "candidate": {"source": "k.ptx", "entry": "k", "grid": [1], "block": [1], "args": ["y"]},
    }  # fmt: skip
    contract = Contract.from_dict(values, tmp_path)
    pipeline = Pipeline(contract)
    module = pipeline.lower()
    assert pipeline.vc(pipeline.unroll(module)).formula("y[0]") == "y[0] = 2.5"
    opened = open_artifact(module.save(tmp_path / "k.mlir"))
    again = Pipeline(contract)
    assert isinstance(opened, LowerArtifact)
    program = again.unroll(opened)
    assert again.vc(program).formula("y[0]") == "y[0] = 2.5"
    with pytest.raises(InputError, match=r"globals.scale: cannot be laid out: .* without its .facts"):
        again.unroll(LowerArtifact.from_mlir(module.text()))
    with pytest.raises(InputError, match=r"globals.scale: is laid out by `unroll` of this pipeline"):
        Pipeline(contract).vc(program)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"volta-pipe/col/1", "column format"),
        (b"volta-pipe/col/1" + (5).to_bytes(8, "little") + b"\x85abcd", "column format"),
        (b"no artifact", "damaged ptx module"),
        (b"\xff\xfe\x00", "neither columns nor MLIR text"),
        (b"builtin.module {}", "holds 0 kernels"),
    ],
)
def test_files_that_are_no_artifacts(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "a").write_bytes(data)
    with pytest.raises(ArtifactError, match=said) as error:
        open_artifact(tmp_path / "a")
    assert str(error.value).startswith(f"{tmp_path / 'a'}: ")


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    for what, said in (
        (tmp_path / "none", "artifact does not exist"),
        (str(tmp_path / "none"), "and is no digest"),
        ("abcd0123", "the store has no artifact"),
        (tmp_path, "is a directory"),
    ):
        with pytest.raises(InputError, match=said):
            open_artifact(what, tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_changed_bytes_are_refused_or_harmless(tmp_path: Path) -> None:
    """Never anything but an ArtifactError, whatever is changed."""
    rng = np.random.default_rng(0)
    refused = 0
    for number, one in enumerate(all_of(Pipeline(AXPY))):
        path = one.save(tmp_path / f"a{number}")
        for _ in range(40):
            data = bytearray(one.data)
            for place in rng.integers(0, len(data), rng.integers(1, 4)):
                data[place] = rng.integers(0, 256)
            path.write_bytes(bytes(data[: rng.integers(1, len(data))] if rng.random() < 0.2 else data))
            try:
                open_artifact(path).text()
            except ArtifactError:
                refused += 1
    assert refused > 100
