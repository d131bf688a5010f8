"""What of the corpus does not hold yet, with the reason: test_corpus_runs.py fails where an entry has become wrong."""

from __future__ import annotations

# Contracts that do not come out as they expect: how the verdict and its first reason begin.
UNEXPECTED: dict[str, str] = {}
# Kernels that are not run concretely: how the reason begins.
NOT_RUN: dict[str, str] = {
    "atomics/last_block": "unsupported (unsupported-instruction): the outcome depends on whether the atomic by",
    "control/recursion": "unsupported (unsupported-instruction): instruction call.uni is not supported (function",
    "elementwise/pow_precise": "unsupported (data-dependent-control): a branch depends on a value that is only",
    "triton/cross_entropy": "unsupported (data-dependent-control): a branch depends on a value that is only known",
}
# Kernels that take several seconds: `make coverage` has them.
SLOW: tuple[str, ...] = (
    "attention/attention_naive",  # 12 s
)
