"""Text that somebody changed: an ArtifactError, or a program that passed validation; never another error."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest
from scta_programs import encoded, random_program, sample

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.modules import print_custom, print_generic
from volta_pipe.ir.program import Program
from volta_pipe.ir.scta import module_of, parse_module, program_of

MODULE = (Path(__file__).parent / "scta_module.mlir").read_text()
MUTANTS = 250
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[%@!^]?[\w.$-]+|\S')
_STRANGE = [
    "-1",
    "18446744073709551616",
    "1.5",
    "%0",
    "%99",
    '"\\FF"',
    "{",
    "}",
    "[",
    "]",
    "true",
    "unit",
    "array<i64>",
    "@x",
    "\x00",
    "é",
]


@cache
def texts() -> tuple[str, ...]:
    modules = [module_of(sample()), module_of(random_program(7)), parse_module(MODULE)]
    return tuple(form(module) for module in modules for form in (print_custom, print_generic))


def mutated(text: str, rng: random.Random) -> str:
    """One to three tokens or lines deleted, doubled, moved, or replaced by others of the text or by strange ones."""
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.3:
            lines = text.splitlines()
            line = lines.pop(rng.randrange(len(lines)))
            for _ in range(rng.randint(0, 2)):
                lines.insert(rng.randrange(len(lines) + 1), line)
            text = "\n".join(lines)
            continue
        tokens = list(_TOKEN.finditer(text))
        token = rng.choice(tokens)
        new = rng.choice([rng.choice(tokens)[0], rng.choice(_STRANGE), "", str(rng.randint(-3, 40))])
        text = text[: token.start()] + new + text[token.end() :]
    return text


@pytest.mark.parametrize("seed", range(MUTANTS))
def test_mutants(seed: int) -> None:
    rng = random.Random(seed)
    text = mutated(rng.choice(texts()), rng)
    try:
        program = program_of(parse_module(text))
    except ArtifactError as error:
        assert "\n" not in str(error)
        return
    data = encoded(program)
    assert encoded(Program.decode(data)) == data
    assert encoded(program_of(parse_module(print_custom(module_of(program))))) == data


def test_most_mutants_are_refused() -> None:
    """Otherwise the test above would show nothing."""
    kept = 0
    for seed in range(60):
        rng = random.Random(seed)
        try:
            program_of(parse_module(mutated(rng.choice(texts()), rng)))
        except ArtifactError:
            continue
        kept += 1
    assert 0 < kept < 30
