"""The corpus is complete and consistent: table and files agree, headers and contracts name what exists, specs run on arrays."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.expectations import expectation
from volta_pipe.driver.plan import plan
from volta_pipe.passes.trace import load_spec
from volta_pipe.passes.trace.trace import NUMPY_DTYPES

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import makers  # noqa: E402
from census import forms, report  # noqa: E402
from table import Entry, entries  # noqa: E402

sys.path.remove(str(HERE))

ENTRIES = list(entries())
KERNELS = sorted({entry.contract: entry for entry in reversed(ENTRIES)}.values(), key=lambda entry: entry.contract)


def kernel_id(entry: Entry) -> str:
    return f"{entry.family}/{entry.kernel}"


def test_the_table_and_the_files_agree() -> None:
    on_disk = {path for path in HERE.glob("*/*") if path.suffix in (".ptx", ".toml", ".cu")}
    on_disk |= {path for path in HERE.glob("*/*.py") if path.name != "spec.py"}
    named = {path for entry in ENTRIES for path in (entry.ptx, entry.contract, entry.source)}
    assert on_disk == named
    assert len(KERNELS) >= 120


def test_the_makers_are_all_there() -> None:
    wanted = {"nvcc-sm80", "nvcc-sm90a", "nvcc-sm80-fast", "nvcc-sm90a-fast", "nvrtc-sm80", "triton-sm80", "tilelang-sm80"}
    assert {entry.maker for entry in ENTRIES} == wanted | {"numba-sm80"}


@pytest.mark.parametrize("family", sorted({entry.family for entry in ENTRIES}))
def test_headers_paths_and_entries(family: str) -> None:
    for entry in (entry for entry in ENTRIES if entry.family == family):
        text = entry.ptx.read_text()
        header = text.splitlines()[:4]
        keys = ["// tool: ", "// options: ", "// source: ", "// launch: "]
        assert all(line.startswith(key) for line, key in zip(header, keys, strict=True)), entry.ptx
        assert header[2] == f"// source: {entry.source.name}"
        assert f"{entry.contract.name}" in header[3]
        if dynamic := re.search(r"(\d+) bytes of dynamic shared memory", header[3]):
            said = re.search(r"^shared\s*=\s*(\d+)", entry.contract_text(), re.MULTILINE)
            assert (said[1] if said else "0") == dynamic[1], entry.contract
        assert not re.search(r'\.file\s+\d+\s+"[^"]*[/\\]', text), f"{entry.ptx} holds a path"
        assert not re.search(r'["\s](/[\w.-]+){2,}', text), f"{entry.ptx} holds an absolute path"
        # Debug sections spell strings byte by byte: 47 is a slash.
        assert not re.search(r"^\.b8 47\b", text, re.MULTILINE), f"{entry.ptx} holds a path in its debug sections"
        contract = entry.contract_text()
        assert f'source = "{entry.ptx.name}"' in contract
        assert re.search(rf"\.entry\s+{re.escape(_field(contract, 'entry'))}\b", text), entry.ptx
        target = "sm_90a" if "sm90a" in entry.maker else "sm_80"
        assert f".target {target}" in text
        assert forms(text)["ret"] > 0


def test_census_counts_what_is_written(tmp_path: Path) -> None:
    """Counted by hand: guards, labels, scopes, vectors, several statements a line, modifiers in any order, comments."""
    body = """// add.s32 in a comment
.visible .entry k(.param .u64 p) { .reg .b32 %r<4>; .reg .pred %p1;
$L__BB0_1: @%p1 bra $L__BB0_1; /* sub.s32 */
    .loc 1 2 3
    { .reg .b32 t; add.s32 t, %r1, 1; add.s32 %r2, t, 1; }
    ld.global.v2.u32 {%r1, %r2}, [%rd1];
    ld.v2.global.u32 { %r1, %r2 }, [%rd1+8];
    @!%p1 st.shared::cta.b32 [%r1], %r2; mov.b64 {%r1, %r2}, %rd1;
    ret;
}
"""
    wanted = {"bra": 1, "add.s32": 2, "ld.global.u32.v2": 2, "st.b32.shared::cta": 1, "mov.b64": 1, "ret": 1}
    assert dict(forms(body)) == wanted
    (tmp_path / "k.a.ptx").write_text(body)
    (tmp_path / "k.b.ptx").write_text(body)
    lines = report(sorted(tmp_path.glob("*.ptx"))).splitlines()
    assert lines[0] == "# 6 opcode forms, 16 instructions, 1 kernels, 2 files"
    assert "       4       1      2  add.s32" in lines


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(makers.shutil, "which", lambda _: None)
    makers._nvcc_version.cache_clear()
    with pytest.raises(makers.MissingToolError, match="nvcc is not installed"):
        makers.make(ENTRIES[0].source, "nvcc-sm80")


def test_folders_are_cut_from_file_directives() -> None:
    text = '\t.file\t1 "/somewhere/else/k.cu"\n.file 2 "D:\\\\x\\\\y.h"\n.file 3 "z.h"\n'
    assert makers.base_names(text) == '\t.file\t1 "k.cu"\n.file 2 "y.h"\n.file 3 "z.h"\n'


def _field(contract: str, key: str) -> str:
    found = re.search(rf'^{key}\s*=\s*"([^"]*)"', contract, re.MULTILINE)
    assert found, key
    return found[1]


@pytest.mark.parametrize("entry", KERNELS, ids=kernel_id)
def test_contracts_and_specs(entry: Entry) -> None:
    """Each contract reads, covers three shapes, and its spec gives arrays of the outputs' shapes on plain arrays."""
    wanted = expectation(entry.contract)
    assert wanted.verdict in ("equivalent", "not-equivalent", "unsupported", "unsafe")
    if wanted.verdict != "equivalent":
        assert entry.contract.read_text().splitlines()[1].startswith("# "), "says why"
    contract = read_contract(entry.contract)
    assert len(contract.combinations()) >= 3
    assert isinstance(contract.reference, SpecReference)
    spec = load_spec(contract.reference.text, entry.contract.parent)
    rng = np.random.default_rng(1)
    for dims in contract.combinations():
        tensors = plan(contract, dims).candidate.tensors
        arguments = _arguments(contract, tensors, rng)
        names = spec.function.__code__.co_varnames[: spec.function.__code__.co_argcount]
        before = {name: np.array(value) for name, value in arguments.items()}
        with np.errstate(over="ignore"):
            results = spec.function(**{name: arguments[name] for name in names})
        outputs = {t.spec.name: t for t in tensors if t.spec.role in ("out", "inout")}
        assert set(results) == set(outputs)
        for name, tensor in outputs.items():
            value = np.asarray(results[name])
            assert value.shape == tensor.shape, f"{name} at {dims}"
            assert (value.dtype.kind == "f") == tensor.spec.dtype.startswith(("f", "b", "e", "t")), name
            assert value.dtype.kind == "f" or value.dtype == NUMPY_DTYPES[tensor.spec.dtype], name
            assert value.dtype.kind != "f" or np.isfinite(value).all(), name
        assert all(np.array_equal(before[name], arguments[name]) for name in names), "a spec leaves its arguments alone"


def _arguments(contract: Contract, tensors: Any, rng: np.random.Generator) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for tensor in tensors:
        spec = tensor.spec
        if spec.role not in ("in", "inout"):
            continue
        known = tensor.build().values
        # 16- and 8-bit floats come as singles.
        dtype = np.dtype(NUMPY_DTYPES[spec.dtype])
        dtype = np.dtype(np.float32) if dtype == np.float16 else dtype
        if known is not None:
            values[spec.name] = np.array(known, dtype)
        elif dtype.kind == "f":
            low, high = spec.range or (-4.0, 4.0)
            values[spec.name] = rng.uniform(low, high, tensor.shape).astype(dtype)
        else:
            low, high = spec.range or (np.iinfo(dtype).min, np.iinfo(dtype).max)
            values[spec.name] = rng.integers(int(low), int(high), tensor.shape, dtype, endpoint=True)
    for scalar in contract.scalars:
        number = NUMPY_DTYPES[scalar.dtype]
        values[scalar.name] = number(rng.uniform(0.25, 2.0) if scalar.value is None else scalar.value)
    return values
