"""What is studied: contracts whose dims grow, each over at least five doublings.

A contract is one of the paper's rows where its kernels take other sizes, else one beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bench.runs import ROOT

HERE = Path(__file__).resolve().parent
PAPER = ROOT / "bench" / "paper"


@dataclass(frozen=True)
class Series:
    """name: for the legend; sizes: ascending, each twice the one before; dims: dims that grow, each with the factor
    from size to dim; fixed: dims that do not grow."""

    name: str
    contract: Path
    sizes: tuple[int, ...]
    dims: Mapping[str, int]
    fixed: Mapping[str, int]

    def at(self, size: int) -> dict[str, int]:
        """The dims of a size."""
        return {name: factor * size for name, factor in self.dims.items()} | dict(self.fixed)


@dataclass(frozen=True)
class Study:
    """name: what `--study` takes, and part of the plot's file name; axis: what grows; about: one sentence or two."""

    name: str
    axis: str
    about: str
    series: tuple[Series, ...]


def _doublings(first: int, last: int) -> tuple[int, ...]:
    return tuple(first << i for i in range((last // first).bit_length()))


STUDIES = (
    Study(
        "k",
        "K",
        "The tile of 64 × 64 elements that one CTA makes of a product of 4096 × K by K × 4096, naive (MatMul-1) against a "
        "block of 4 × 4 elements in the registers of each thread (MatMul-5): 4,096 sums of K products.",
        (Series("MatMul-1 against MatMul-5", PAPER / "matmul" / "one-five.toml", _doublings(64, 4096), {"k": 1}, {}),),
    ),
    Study(
        "keys",
        "keys",
        "Attention of 16 queries with 64 columns, by one thread and without a maximum: against itself, where both sides "
        "have the same terms, and against FlashAttention-1 by 128 threads, which rescales its sums after each block of "
        "32 keys: 1,024 outputs.",
        (
            Series("one thread against itself", HERE / "one-thread.toml", _doublings(16, 1024), {"n": 1}, {}),
            Series("one thread against FA1", HERE / "flash.toml", _doublings(32, 1024), {"n": 1}, {}),
        ),
    ),
    Study(
        "threads",
        "threads",
        "A product of 16 × 256 by 256 × THREADS by one CTA with a thread a column: element by element against a tile in shared "
        "memory. The instructions of a thread stay nearly the same, the lanes of each row of the program grow.",
        (Series("columns, naive against tiled", HERE / "columns.toml", _doublings(32, 1024), {"threads": 1}, {"k": 256}),),
    ),
    Study(
        "ctas",
        "CTAs",
        "A product of 32 × 128 by 128 × N, naive against tiles of 32 × 32 in shared memory (GEMM-1): all CTAs of a grid "
        "of N / 32, 512 threads each.",
        (
            Series(
                "GEMM-1, naive against tiled", PAPER / "gemm" / "shared.toml", _doublings(1, 64), {"n": 32}, {"m": 32, "k": 128}
            ),
        ),
    ),
)
