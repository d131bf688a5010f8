"""The canonical form of a program: it says the same, what it drops is restored, and what rows do not name does not show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgpack
import numpy as np
import pytest

from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir import columns
from volta_pipe.ir.canonical_program import NO_REGISTER, canonical, encode_code, restored
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.program import STATIC, Program
from volta_pipe.passes.unroll.show import thread_program

ROOT = Path(__file__).resolve().parents[2]
CONTRACTS = ("examples/axpy", "examples/transpose", "examples/reduce-tree", "examples/layernorm", "examples/broken-index")


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[Program]:
    found = []
    with Store(tmp_path_factory.mktemp("store")) as store:
        for contract in CONTRACTS:
            session = verify(ROOT / contract / "volta.toml", store, Options("unroll"))
            found += [session.engine.value(step) for key, step in session.combinations[0].steps.items() if key[1] == "unroll"]
    return found


def joined(chunks: list[bytes | memoryview]) -> bytes:
    return b"".join(bytes(chunk) for chunk in chunks)


def acts(program: Program) -> Iterator[tuple[object, ...]]:
    """What each row does, without any number of an instruction, a register or a table."""
    for row in range(len(program.row_instr)):
        instr = int(program.row_instr[row])
        lanes = program.active_lanes(int(program.row_mask[row])).tolist()
        facts = (
            tuple(int(getattr(program, name)[instr]) for name in ("op", "width", "sub", "signed", "node")) if instr >= 0 else ()
        )
        yield facts, lanes, program.row_values(row).tolist(), int(program.row_flags[row])


def test_rows_say_the_same(programs: list[Program]) -> None:
    for program in programs:
        assert list(acts(program.canonical[0])) == list(acts(program))
        assert program.canonical[0].steps == 0 < program.steps


def test_what_it_drops_is_restored(programs: list[Program]) -> None:
    for program in programs:
        plain, origins, registers = program.canonical
        again = restored(Program.decode(joined(plain.encode())), joined(encode_code(program, origins, registers)))
        assert all(np.array_equal(getattr(again, name), getattr(program, name)) for name in (*STATIC, "operands", "row_instr"))
        assert (again.steps, again.registers, again.events) == (program.steps, program.registers, program.events)
        assert list(thread_program(again, 0, 0)) == list(thread_program(program, 0, 0))


def test_it_is_its_own_canonical_form(programs: list[Program]) -> None:
    for program in programs:
        plain = program.canonical[0]
        assert joined(canonical(plain)[0].encode()) == joined(plain.encode())


def test_numbers_and_code_that_no_row_names_do_not_show(programs: list[Program]) -> None:
    """An instruction in front of all others, with a register of its own, and the first two registers exchanged."""
    for program in programs:
        swapped = np.arange(program.registers + 1)
        swapped[:2] = swapped[1::-1]
        static = {name: np.concatenate([getattr(program, name)[:1], getattr(program, name)]) for name in STATIC}
        static["guard"] = np.where(static["guard"] >= 0, swapped[np.maximum(static["guard"], 0)], -1).astype(np.int32)
        instr = program.row_instr
        of_constants = -1 - swapped[np.where(instr < 0, -1 - instr, 0)]
        other = replace(
            program,
            **static,  # type: ignore[arg-type]
            operands=swapped[program.operands].astype(np.int32),
            registers=program.registers + 1,
            row_instr=np.where(instr >= 0, instr + 1, of_constants).astype(np.int32),
            steps=program.steps + 7,
        )
        if not program.events:
            assert joined(other.canonical[0].encode()) == joined(program.canonical[0].encode())


def test_another_operator_or_address_shows(programs: list[Program]) -> None:
    for program in programs:
        first = int(program.row_instr[program.row_instr >= 0][0])
        width = program.width.copy()
        width[first] = 8 if width[first] != 8 else 16
        base = program.row_base.copy()
        base[-1] += 4
        for other in (replace(program, width=width), replace(program, row_base=base)):
            assert joined(other.canonical[0].encode()) != joined(program.canonical[0].encode())


def test_addresses_have_no_register(programs: list[Program]) -> None:
    plain = programs[0].canonical[0]
    loads = [
        i
        for i, op in enumerate(plain.op.tolist())
        if op == programs[0].op[programs[0].canonical[1][i]] and plain.inputs[i] == 1
    ]
    assert loads and all(plain.operands[plain.first[i] + plain.results[i]] == NO_REGISTER for i in loads)


@pytest.mark.parametrize(
    "change", ["origins", "op", "operands", "width", "register_of", "registers", "steps", "dtype", "length"]
)
def test_code_that_does_not_belong_to_a_program_is_refused(programs: list[Program], change: str) -> None:
    program = programs[0]
    plain, origins, registers = program.canonical
    meta, cols = columns.decode(joined(encode_code(program, origins, registers)), "code", 1)
    used = int(origins[0])
    if change == "origins":
        cols["origins"] = cols["origins"][::-1].copy()
    elif change in ("op", "width"):
        cols[change][used] = 1 if cols[change][used] != 1 else 2
    elif change == "operands":
        cols["operands"][:] = 0
    elif change == "register_of":
        cols["register_of"][1:] = 0
    elif change == "registers":
        meta["registers"] = 0
    elif change == "steps":
        meta["steps"] = "many"
    elif change == "dtype":
        cols["origins"] = cols["origins"].astype(np.int64)
    else:
        cols["origins"] = cols["origins"][:-1]
    with pytest.raises(ArtifactError):
        restored(plain, joined(columns.encode("code", 1, meta, cols)))


def test_damage_is_an_artifact_error(programs: list[Program]) -> None:
    plain, origins, registers = programs[0].canonical
    data = joined(encode_code(programs[0], origins, registers))
    for bad in (data[:40], b"", data[:24] + msgpack.packb({"kind": "code"}) + data[60:]):
        with pytest.raises(ArtifactError):
            restored(plain, bad)
