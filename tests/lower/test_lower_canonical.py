"""The text of a kernel decides nothing but its meaning: edits that keep that keep every byte, and equal bytes mean the same."""

from __future__ import annotations

from random import Random

import pytest
from lower_execute import execute
from lower_programs import edited, mutated, random_program, run

from volta_pipe.ir.ptx import kernel_of
from volta_pipe.passes.lower import lower, print_module

INPUTS = [[0, 0, 0, 0], [1, 2, 3, 4], [9, 5, 5, 1], [4, 1, 0, 6], [2**32 - 1, 7, 2, 3], [3, 3, 8, 2**31]]


def lowered(text: str) -> str:
    return print_module(lower(text, "t.ptx", "k").module)


@pytest.mark.parametrize("seed", range(150))
def test_another_text_of_one_kernel(seed: int) -> None:
    random = Random(seed)
    program = random_program(random)
    wanted = lowered(program.text())
    for _ in range(3):
        other = edited(program, random)
        for values in INPUTS:
            ran, again = run(program, values), run(other, values, 500)
            if ran[1] or again[1]:
                assert ran[0] == again[0][: len(ran[0])]
        assert lowered(other.text()) == wanted


@pytest.mark.parametrize("seed", range(150))
def test_the_module_does_what_the_text_does(seed: int) -> None:
    program = random_program(Random(seed))
    module = lower(program.text(), "t.ptx", "k").module
    module.verify()
    for values in INPUTS:
        wanted, ended = run(program, values)
        for in_registers in (False, True):
            found, same = execute(module, values, in_registers=in_registers)
            assert (found == wanted and same) if ended else found[: len(wanted)] == wanted


@pytest.mark.parametrize("seed", range(100))
def test_loops_stay_together_and_what_follows_stands_behind(seed: int) -> None:
    blocks = list(kernel_of(lower(random_program(Random(seed)).text(), "t.ptx", "k").module).body.blocks)
    number = {block: index for index, block in enumerate(blocks)}
    after = [{number[one] for one in block.last_op.successors} if block.last_op else set[int]() for block in blocks]
    behind = [set(one) for one in after]
    for middle in range(len(blocks)):
        for index in range(len(blocks)):
            if middle in behind[index]:
                behind[index] |= behind[middle]
    for index, successors in enumerate(after):
        assert all(one > index or index in behind[one] for one in successors)
        ring = [one for one in behind[index] if index in behind[one]]
        assert not ring or sorted(ring) == list(range(min(ring), max(ring) + 1))
        assert 0 not in successors


def test_one_text_for_two_meanings() -> None:
    random = Random(1)
    told = same = 0
    for _ in range(1500):
        program = random_program(random)
        other = mutated(program, random)
        pairs = [(run(program, values), run(other, values)) for values in INPUTS]
        if any(one != another for one, another in pairs):
            told += 1
            assert lowered(program.text()) != lowered(other.text())
        else:
            same += lowered(program.text()) == lowered(other.text())
    assert told > 200 and same > 300
