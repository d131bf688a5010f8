"""What of the corpus does not hold yet, with the reason: test_corpus_runs.py fails where an entry has become wrong."""

from __future__ import annotations

# Contracts that do not come out as they expect: how the verdict and its first reason begin.
UNEXPECTED: dict[str, str] = {
    "atomics/last_block": "unsupported (unsupported-instruction): the outcome depends on whether the atomic by",
    "elementwise/fp8_bits_to_float": "unsupported (unsupported-instruction): integer work on a symbolic value that is",
    "elementwise/int_to_float": "unsupported (unsupported-instruction): a part of a symbolic word is read or written",
    "elementwise/powers_fast": "not-equivalent (mismatch): l[0]",
    "quant/absmax_scale": "unknown: scale[0] (and 1 more elements): the normal forms differ, but no tried",
    "reduce/max_shuffle": "unknown: z[0] (and 1 more elements): the normal forms differ, but no tried point",
    "softmax/cross_entropy": "not-equivalent (mismatch): loss[0]",
}
# Kernels that are not run concretely: how the reason begins.
NOT_RUN: dict[str, str] = {
    "atomics/last_block": "unsupported (unsupported-instruction): the outcome depends on whether the atomic by",
    "elementwise/pow_precise": "unsupported (data-dependent-control): a branch depends on a value that is only",
    "triton/cross_entropy": "unsupported (data-dependent-control): a branch depends on a value that is only known",
}
# Kernels that take several seconds: `make coverage` has them.
SLOW: tuple[str, ...] = (
    "attention/attention_naive",  # 12 s
)
