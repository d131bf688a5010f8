"""What `check` costs: next to `unroll`, on kernels that synchronise by barriers alone, and as the number of accesses grows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bench.stages import launched_at, measure

# Contracts of kernels that synchronise by barriers alone, with dims that make the run some tenths of a second.
BARRIERS: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("matmul, shared tiles", "examples/matmul-tiled/volta.toml", {"n": 96}),
    ("matmul, 8 x 8 registers", "examples/matmul/volta.toml", {"n": 128}),
    ("attention", "examples/attention/volta.toml", {"n": 64, "d": 64}),
    ("transpose", "examples/transpose/volta.toml", {"rows": 512, "cols": 512}),
    ("reduction, tree", "examples/reduce-tree/volta.toml", {"ctas": 64, "k": 32}),
)
# Unroll and check together against unroll alone.
MOST = 2.0
# A product of 64 x K by K x 64, for K and 2 K: the number of accesses doubles.
PRODUCT, SMALL_K = "examples/matmul-spec/volta.toml", 256
MOST_GROWTH = 2.2


def safety_lines() -> Iterator[str]:
    """Two tables, a line each kernel."""
    yield f"{'(ms)':<25}{'unroll':>9}{'check':>9}{'both/unroll':>13}{'target':>8}{'ratio':>7}"
    for label, contract, dims in BARRIERS:
        one = launched_at(contract, dims)
        m = measure(one)
        unroll, check = (ns * m.steps / 1e6 for ns in (m.unroll, m.check))
        factor = (unroll + check) / unroll
        yield f"{label:<25}{unroll:>9.1f}{check:>9.1f}{factor:>13.2f}{MOST:>8.1f}{factor / MOST:>7.2f}"
    yield ""
    yield f"{'K doubled (ms)':<25}{f'K={SMALL_K}':>9}{f'K={2 * SMALL_K}':>9}{'growth':>13}{'target':>8}{'ratio':>7}"
    runs = [measure(launched_at(PRODUCT, {"m": 64, "n": 64, "k": k})) for k in (SMALL_K, 2 * SMALL_K)]
    for name in ("unroll", "check"):
        small, large = (getattr(m, name) * m.steps / 1e6 for m in runs)
        growth = large / small
        yield f"{name:<25}{small:>9.1f}{large:>9.1f}{growth:>13.2f}{MOST_GROWTH:>8.1f}{growth / MOST_GROWTH:>7.2f}"
