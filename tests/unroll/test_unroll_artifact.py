"""The program's artifact: what is read is what was written, damage is an ArtifactError, and bytes depend on nothing else."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import hashlib
import subprocess
import sys
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unroll_harness import at, run_body, tensor

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import plan
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.program import Program
from volta_pipe.passes.lower import lower, read_source
from volta_pipe.passes.unroll import unroll

ROOT = Path(__file__).resolve().parents[2]
BYTES_PER_ROW = 64  # issue 2, "To build", 4

BODY = (
    at("x")
    + at("y")
    + """
.shared .align 4 .b8 s[160]; mov.u32 %r1, s; shl.b32 %r2, %r50, 2; add.u32 %r3, %r1, %r2; ld.global.f32 %f1, [%at_x];
st.shared.f32 [%r3], %f1; bar.sync 0; xor.b32 %r4, %r50, 3; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r1; ld.shared.f32 %f2, [%r4];
setp.lt.u32 %p1, %r50, 7; @%p1 fma.rn.f32 %f2, %f1, %f2, %f1; cvt.rn.f32.u32 %f3, %r50; add.f32 %f2, %f2, %f3;
st.global.f32 [%at_y], %f2; @%p1 bra END; ld.shared.f32 %f3, [%r3]; END:
"""
)


@cache
def sample() -> tuple[Program, bytes]:
    program = run_body(BODY, [tensor("x", "f32", 40, "in"), tensor("y", "f32", 40, "out")], 40).program
    return program, b"".join(bytes(chunk) for chunk in program.encode())


def same(one: Program, two: Program) -> bool:
    pairs = [(getattr(one, f.name), getattr(two, f.name)) for f in fields(Program)]
    return all(np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b for a, b in pairs)


def test_what_is_read_is_what_was_written() -> None:
    program, data = sample()
    again = Program.decode(data)
    assert same(program, again)
    assert b"".join(bytes(chunk) for chunk in again.encode()) == data


def test_programs_with_events_and_without_rows() -> None:
    for body in ("", "HEAD: bra HEAD;", "trap;", at("y") + "st.global.u32 [%at_y], %r9;"):
        program = run_body(body, [tensor("y", "u32", 4, "out")], 4, max_steps=100).program
        assert same(program, Program.decode(b"".join(bytes(chunk) for chunk in program.encode())))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_changed_bytes_are_noticed_or_harmless(data: st.DataObject) -> None:
    """Whatever is flipped: an ArtifactError, or a program that passed validation. Nothing else may be raised."""
    content = bytearray(sample()[1])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, min(len(content) - 1, 6000)) | st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    try:
        program = Program.decode(bytes(content))
    except ArtifactError:
        return
    assert 1 <= program.threads <= 1024
    for row in range(len(program.row_instr)):
        lanes = program.active_lanes(int(program.row_mask[row]))
        assert len(program.row_values(row)) == len(lanes)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 20))
def test_truncation_is_noticed(length: int) -> None:
    data = sample()[1]
    with pytest.raises(ArtifactError):
        Program.decode(data[: length % (len(data) - 64)])


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=300))
def test_garbage_is_no_program(data: bytes) -> None:
    for garbage in (data, sample()[1][:24] + data):
        with pytest.raises(ArtifactError):
            Program.decode(garbage)


def test_bytes_per_row_over_the_examples() -> None:
    size = rows = 0
    for path in sorted(ROOT.glob("examples/*/volta.toml")):
        contract = read_contract(path)
        planned = plan(contract, contract.combinations()[0])
        for side in (planned.candidate, planned.reference):
            if not hasattr(side, "launch"):
                continue
            launch = side.launch()
            if launch.threads * int(np.prod(launch.grid)) > 5000:  # the large ones have even more lanes a row
                continue
            module = lower(*read_source(side.spec.path, side.spec.source, side.spec.entry), side.spec.entry).module
            program = unroll(module, launch)
            size += sum(len(chunk) for chunk in program.encode())
            rows += len(program.row_instr)
    assert rows > 1000
    assert size / rows <= BYTES_PER_ROW


DIGEST = """
import sys
sys.path.insert(0, sys.argv[1])
import test_unroll_artifact as t
import hashlib
print(hashlib.sha256(t.sample()[1]).hexdigest())
"""


def test_the_same_bytes_for_any_hash_seed() -> None:
    digests = {hashlib.sha256(sample()[1]).hexdigest()}
    for seed in ("0", "12345"):
        run = subprocess.run(
            [sys.executable, "-c", DIGEST, str(Path(__file__).parent)],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout.strip())
    assert len(digests) == 1
