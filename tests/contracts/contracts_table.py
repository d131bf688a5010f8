"""The contracts of this folder: what each expects, in which way the wrong ones are wrong, and what must be there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.contract import Contract, read_contract
from volta_pipe.driver.expectations import Expectation, expectation

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PREFIX = "# wrong:"
AXIS, SCALE, MASK, EPSILON, TRANSPOSED, TAIL = MODES = (
    "wrong axis", "missing scale", "wrong mask", "wrong epsilon place", "transposed operand", "missing tail",
)  # fmt: skip
# The ways to be wrong that each family must have: those that can occur in it. Lookups and data that moves have no epsilon,
# transforms and rotations no mask, reductions over one operand nothing to transpose.
FAMILIES = {
    "activations": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "attention": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "conv": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "embedding": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "fft": {AXIS, SCALE, TRANSPOSED, TAIL},
    "layout": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "loss": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "matmul": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "norm": {AXIS, SCALE, EPSILON, TAIL},
    "optimizer": {SCALE, MASK, EPSILON, TAIL},
    "quant": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "reduce": {AXIS, SCALE, MASK, TAIL},
    "rope": {AXIS, SCALE, TRANSPOSED, TAIL},
    "softmax": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
    "library": {AXIS, SCALE, MASK, TRANSPOSED, TAIL},
}


@dataclass(frozen=True)
class Case:
    """A contract. `mode`: in which way its kernel is wrong, "" where it is right."""

    path: Path
    expected: Expectation
    mode: str

    @property
    def name(self) -> str:
        return self.path.relative_to(HERE).with_suffix("").as_posix()

    @property
    def family(self) -> str:
        return self.path.parent.name

    def read(self) -> Contract:
        return read_contract(self.path)

    def is_sibling_of(self, right: Case) -> bool:
        return self.mode != "" and self.family == right.family and self.path.stem.startswith(f"{right.path.stem}_")


def mode_of(path: Path) -> str:
    """What the second line says after `# wrong:`."""
    with path.open() as stream:
        stream.readline()
        second = stream.readline().strip()
    return second.removeprefix(PREFIX).strip() if second.startswith(PREFIX) else ""


CASES = [Case(path, expectation(path), mode_of(path)) for path in sorted(HERE.glob("*/*.toml"))]
