"""The inputs that a mismatch of a large kernel needs: what the element's threads read, and what the search leaves of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import Session, verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.launch import Launch
from volta_pipe.ir.program import Program
from volta_pipe.passes.dynamic import touched
from volta_pipe.passes.dynamic.touched import lines_of, read_by, touching

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
KERNELS = {
    "naive": {"source": "matmul/matmul_naive.ptx", "entry": "matmul_naive", "grid": ["n//16", "n//16"], "block": [16, 16]},
    "tiled": {
        "source": "matmul-tiled/matmul_tiled.ptx",
        "entry": "matmul_tiled",
        "grid": ["n//16", "n//16"],
        "block": [16, 16],
    },
    "registers": {"source": "matmul/matmul_registers.ptx", "entry": "matmul_registers", "grid": ["n//128"] * 2, "block": [256]},
}


def contract(kernel: str, n: int, spec: str) -> Contract:
    """A product of n x n matrices against a function in `spec.py` beside the examples' folder."""
    tensor = {"dtype": "f32", "shape": ["n", "n"]}
    return Contract.from_dict(
        {
            "dims": {"n": n},
            "tensors": {"a": tensor | {"role": "in"}, "b": tensor | {"role": "in"}, "c": tensor | {"role": "out"}},
            "reference": {"spec": spec},
            "candidate": KERNELS[kernel] | {"args": ["a", "b", "c", *["n"] * (3 if kernel == "tiled" else 1)]},
        },
        EXAMPLES,
    )


def product(kernel: str, n: int, folder: Path, body: str, options: Options) -> Session:
    (folder / "spec.py").write_text(f"def f(a, b):\n    n = len(a)\n    return {{'c': {body}}}\n")
    with Store(folder / "store") as store:
        return verify(contract(kernel, n, f"{folder / 'spec.py'}:f"), store, options)


def unrolled(kernel: str, n: int, folder: Path) -> tuple[Program, Launch]:
    session = product(kernel, n, folder, "a @ b", Options("unroll"))
    one = session.combinations[0]
    return session.engine.value(one.steps["candidate", "unroll"]), one.plan.candidate.launch()


def box(n: int, rows: slice, columns: slice) -> np.ndarray:
    found = np.zeros((n, n), np.bool_)
    found[rows, columns] = True
    return found


ALL = slice(None)


def test_what_one_thread_reads(tmp_path: Path) -> None:
    program, launch = unrolled("naive", 32, tmp_path)
    threads = touching(program, launch, "c", 5 * 32 + 20)
    assert [(program.cta_ids[cta].tolist(), set(who or ())) for cta, who in threads.items()] == [([1, 0, 0], {5 * 16 + 4})]
    read = read_by(program, launch, threads)
    assert np.array_equal(read["a"], box(32, slice(5, 6), ALL)) and np.array_equal(read["b"], box(32, ALL, slice(20, 21)))
    assert not read["c"].any()
    (cta,) = threads
    every = read_by(program, launch, {cta: None})
    assert np.array_equal(every["a"], box(32, slice(16), ALL)) and np.array_equal(every["b"], box(32, ALL, slice(16, 32)))


def test_what_threads_read_for_others_and_in_fours(tmp_path: Path) -> None:
    program, launch = unrolled("tiled", 32, tmp_path)
    threads = touching(program, launch, "c", 5 * 32 + 20)
    read = read_by(program, launch, threads)
    assert read["a"].sum() == read["b"].sum() == 2  # its part of two tiles
    assert read_by(program, launch, dict.fromkeys(threads))["a"].sum() == 16 * 32
    program, launch = unrolled("registers", 128, tmp_path)
    threads = touching(program, launch, "c", 9)  # in the middle of a store of four elements
    assert [len(who or ()) for who in threads.values()] == [1]
    assert read_by(program, launch, dict.fromkeys(threads))["a"].all()


def test_an_element_that_nobody_touches(tmp_path: Path) -> None:
    program, launch = unrolled("naive", 32, tmp_path)
    assert touching(program, launch, "c", 32 * 32 - 1) and not read_by(program, launch, {})["a"].any()
    assert touching(program, launch, "b", 0).keys() == {0, 2}  # the CTAs of its column, which read it


def test_of_too_many_rows_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, launch = unrolled("naive", 32, tmp_path)
    threads = touching(program, launch, "c", 0)
    assert not read_by(program, launch, threads)["a"].all()
    monkeypatch.setattr(touched, "_MOST_ROWS", 3)
    assert all(read.all() for read in read_by(program, launch, threads).values())


@pytest.mark.parametrize(
    ("elements", "lines"),
    [
        ([[0, 1, 1], [0, 0, 0]], [[1, 1, 1], [0, 0, 0]]),
        ([[0, 1, 0], [0, 0, 0]], [[0, 1, 0], [0, 0, 0]]),
        ([[0, 1, 0], [0, 1, 0]], [[0, 1, 0], [0, 1, 0]]),
        ([[0, 1, 0], [0, 0, 1]], [[1, 1, 1], [1, 1, 1]]),
        ([[0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]]),
    ],
)
def test_lines(elements: list[list[int]], lines: list[list[int]]) -> None:
    assert lines_of(np.array(elements, np.bool_)).astype(int).tolist() == lines


@pytest.mark.parametrize(
    ("kernel", "body", "most"),
    [
        ("naive", "a[:, :-1] @ b[:-1]", 2),  # the kernel reads one more than it should
        ("naive", "a @ b + a[:, :1] * b[:1]", 2),
        ("tiled", "a[:, :-1] @ b[:-1]", 2),
        ("naive", "a @ b + (a.T @ b.T)[:1]", 500),  # what matters is read by the reference alone: the search is cut short
    ],
)
def test_few_inputs_are_left_of_a_large_kernel(kernel: str, body: str, most: int, tmp_path: Path) -> None:
    """32,768 inputs, and time for six rounds of trials on all of them."""
    document = product(kernel, 128, tmp_path, body, Options(skip=frozenset({"check", "proof"}))).document
    (found,) = document["findings"]
    assert found["kind"] == "mismatch" and 1 <= len(found["counterexample"]["inputs"]) <= most
