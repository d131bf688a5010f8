"""The kernels of tests/kernels/precision, each with a contract and the additions behind its output, counted by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

KERNELS = Path(__file__).resolve().parents[1] / "kernels" / "precision"
TERMS = 16  # K of sums.cu
ROWS = 4


@dataclass(frozen=True)
class Case:
    """An entry of sums.ptx. `tensors`: (name, dtype, shape, role); `output`; `additions`, `chains`: by format, wide first."""

    entry: str
    spec: str
    tensors: tuple[tuple[str, str, list[int], str], ...]
    block: int
    additions: dict[str, int]
    chains: dict[str, int]

    @property
    def output(self) -> str:
        return next(name for name, _, _, role in self.tensors if role in ("out", "inout"))

    def contract(self, numerics: str = "", spec: str = "") -> str:
        """The text of a contract. numerics: lines of [numerics]; spec: another reference."""
        lines = [f'name = "{self.entry}"', "[numerics]", numerics]
        for name, dtype, shape, role in self.tensors:
            lines += [f"[tensors.{name}]", f'dtype = "{dtype}"', f"shape = {shape}", f'role = "{role}"']
        if spec != "none":
            lines += ["[reference]", f'spec = "{spec or f"{KERNELS}/spec.py:{self.spec}"}"']
        names = ", ".join(f'"{name}"' for name, *_ in self.tensors)
        lines += ["[candidate]", f'source = "{KERNELS}/sums.ptx"', f'entry = "{self.entry}"', "grid = [1]"]
        return "\n".join([*lines, f"block = [{self.block}]", f"args = [{names}]"]) + "\n"


def _rows(entry: str, additions: dict[str, int], chains: dict[str, int], spec: str = "dot") -> Case:
    """A kernel with one thread for each of ROWS rows of TERMS terms; the counts are those of one row."""
    tensors = tuple((name, "f16", [ROWS, TERMS], "in") for name in ("a", "b"))
    bias = (("bias", "f16", [ROWS], "in"),) * (spec == "dot_bias")
    counts = [{format: ROWS * count for format, count in by.items()} for by in (additions, chains)]
    return Case(entry, spec, (*tensors, *bias, ("y", "f16", [ROWS], "out")), ROWS, *counts)


def _tree(entry: str, format: str) -> Case:
    # 64 terms need 63 additions; the 32 of the first step add inputs, the others add sums.
    return Case(entry, "total", (("x", "bf16", [64], "in"), ("y", "bf16", [1], "out")), 64, {format: 63}, {format: 31})


def _product(entry: str, format: str) -> Case:
    # An element is 16 products: 15 additions, of which the first adds two products. The accumulators start at 0.
    tensors = (("a", "f16", [16, 16], "in"), ("b", "f16", [16, 16], "in"), ("c", format, [16, 16], "out"))
    return Case(entry, "product", tensors, 32, {format: 256 * 15}, {format: 256 * 14})


def _atomic(entry: str, format: str) -> Case:
    # The first of 8 adds to an input.
    return Case(entry, "total_onto", (("x", "f16", [8], "in"), ("y", format, [1], "inout")), 8, {format: 8}, {format: 7})


_SQUARE = [TERMS, TERMS]
CASES = (
    # The sum starts at 0, so 16 terms are 15 additions; the first of them adds two products.
    _rows("dot_half", {"f16": 15}, {"f16": 14}),
    _rows("dot_float", {"f32": 15}, {"f32": 14}),
    _rows("dot_kept_in_half", {"f32": 15}, {"f16": 14}),
    # Eight terms a lane are 7 additions, 6 of them to a sum; then one sum is added to the other.
    _rows("dot_half2", {"f16": 2 * 7 + 1}, {"f16": 2 * 6 + 1}),
    _rows("dot_bias_in_half", {"f32": 15, "f16": 1}, {"f32": 14, "f16": 1}, "dot_bias"),
    _rows("decayed_half", {"f16": 15}, {"f16": 14}, "decayed"),
    _rows("decayed_float", {"f32": 15}, {"f32": 14}, "decayed"),
    _tree("tree_bf16", "bf16"),
    _tree("tree_float", "f32"),
    Case(
        "add_half", "add", (("x", "f16", [64], "in"), ("y", "f16", [64], "in"), ("z", "f16", [64], "out")), 64, {"f16": 64}, {}
    ),
    _atomic("atomic_half", "f16"),
    _atomic("atomic_float", "f32"),
    _product("wmma_half", "f16"),
    _product("wmma_float", "f32"),
    # 16 sums of 16 terms, twice. The terms of the second ones are multiples of sums, so that each addition goes on with one.
    Case(
        "two_layers",
        "two_layers",
        (("x", "f16", [TERMS], "in"), ("v", "f16", _SQUARE, "in"), ("w", "f16", _SQUARE, "in"), ("y", "f16", [TERMS], "out")),
        TERMS,
        {"f32": 2 * 16 * 15},
        {"f32": 16 * 14 + 16 * 15},
    ),
)
