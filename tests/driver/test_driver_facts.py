"""What stages keep to tell a vacuous contract by: what expressions depend on and copy, and the tensors that kernels touch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driver_kernels import contract, ptx, tensor

from volta_pipe.driver.facts import output_facts
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store

ROOT = Path(__file__).resolve().parents[2]
SPEC = """x, b, old, a: {
        "sum": x + a * b,
        "copy": x,
        "turned": x[::-1],
        "mixed": np.concatenate([x[:3], b[3:]]),
        "one": np.ones(4),
        "last": np.cumsum(x) * 0 + old,
    }"""


PROOF = Options(skip=frozenset({"dynamic"}))  # specs and kernels here have nothing to do with each other


def summaries(path: Path, stage: str, side: str = "candidate") -> list[dict[str, Any]]:
    with Store(path.parent / "store") as store:
        return [one.steps[side, stage].summary for one in verify(path, store, PROOF).combinations]


def test_what_outputs_depend_on_and_copy(tmp_path: Path) -> None:
    outputs = ("sum", "copy", "turned", "mixed", "one", "last")
    tensors = [tensor(name) for name in "xb"] + [tensor(name, "out") for name in outputs]
    tensors.append(tensor("old", "inout"))
    names = " ".join(["x", "b", "old", *outputs])
    body = "mov.f32 %f1, 0f00000000;\n" + "".join(f"st.global.f32 [%{name}], %f1;\n" for name in outputs)
    spec = SPEC.replace("}", "    'old': old,\n    }")
    path = contract(tmp_path, ptx(names, body), spec, tensors, args=names, n="4", more='[scalars.a]\ndtype = "f32"\n')
    (summary,) = summaries(path, "trace", "reference")
    facts = {name: (fact["inputs"], fact["copies"]) for name, fact in summary["facts"].items()}
    assert facts == {
        "sum": (["x", "b", "a"], {}),
        "copy": (["x"], {"x": 4}),
        "turned": (["x"], {}),
        "mixed": (["x", "b"], {"x": 3, "b": 1}),
        "one": ([], {}),
        "last": (["old"], {"old": 4}),
        "old": (["old"], {"old": 4}),
    }
    assert all((fact["elements"], fact["known"]) == (4, 4) for fact in summary["facts"].values())


@pytest.mark.parametrize(
    ("path", "read", "written"),
    [
        ("examples/axpy/volta.toml", {"x", "y"}, {"y"}),
        ("examples/softmax/volta.toml", {"x"}, {"y"}),
        ("examples/matmul-tiled/volta.toml", {"a", "b"}, {"c"}),
        ("tests/corpus/gemm/cp_async_f32.toml", {"a", "b"}, {"c"}),
        ("tests/corpus/gemm/wmma_f16.toml", {"a", "b"}, {"c"}),
        ("tests/corpus/reduce/sum_atomic.toml", {"x"}, {"y"}),
    ],
)
def test_what_kernels_touch(tmp_path: Path, path: str, read: set[str], written: set[str]) -> None:
    with Store(tmp_path / "store") as store:
        session = verify(ROOT / path, store)
    for one in session.combinations:
        touched = one.steps["candidate", "unroll"].summary["touched"]
        assert (set(touched["read"]), set(touched["written"])) == (read, written)


def test_lanes_of_one_load_may_touch_several_tensors(tmp_path: Path) -> None:
    """Even threads read x, odd ones b; n is 1, so that the other lanes are off, or 2."""
    body = "and.b32 %r1, %i, 1;\nsetp.eq.u32 %p1, %r1, 0;\nselp.b64 %a1, %x, %b, %p1;\nld.global.f32 %f1, [%a1];\n"
    body += "st.global.f32 [%y], %f1;\n"
    tensors = [tensor("x"), tensor("b"), tensor("y", "out")]
    path = contract(tmp_path, ptx("x b y", body), None, tensors, args="x b y", n="[1, 2]")
    found = [summary["touched"] for summary in summaries(path, "unroll")]
    assert found == [{"read": ["x"], "written": ["y"]}, {"read": ["x", "b"], "written": ["y"]}]


def test_a_graph_of_one_output_is_not_walked_and_gives_the_same(tmp_path: Path) -> None:
    """The shortcut for one output against the walk, on a real expression."""
    from dataclasses import replace

    with Store(tmp_path / "store") as store:
        session = verify(ROOT / "examples/softmax/volta.toml", store)
        conditions = session.engine.value(session.combinations[0].steps["candidate", "vc"])
    (number,) = conditions.outputs
    copied = replace(conditions.graph, **{name: getattr(conditions.graph, name).copy() for name in ("op", "a", "b", "c")})
    twice = replace(conditions, graph=copied, outputs={number: conditions.outputs[number], 0: conditions.outputs[number][:1]})
    assert output_facts(conditions)["y"] == output_facts(twice)["y"]
    assert output_facts(twice)["x"]["inputs"] == ["x"]
