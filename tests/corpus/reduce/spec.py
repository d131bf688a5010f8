"""What the reductions and scans of this folder compute, in NumPy."""

import numpy as np


def sum_tree(x):
    return {"y": x.sum(axis=1)}


def sum_shuffle(x):
    return {"y": x.sum(axis=1)}


def sum_two_level(x):
    return {"y": x.sum(axis=1)}


def sum_partial_warp(x):
    return {"y": x.sum(keepdims=True)}


def sum_atomic(x, y):
    return {"y": y + x.sum()}


def sum_atomic_shared(x):
    return {"y": np.stack([x[0::2].sum(), x[1::2].sum()])}


def max_shuffle(x):
    return {"y": x.max(axis=1), "z": np.abs(x).max(axis=1)}


def redux_int(x, u):
    folds = [np.bitwise_and.reduce(u, axis=1), np.bitwise_or.reduce(u, axis=1), np.bitwise_xor.reduce(u, axis=1)]
    return {"sum": x.sum(axis=1).astype(np.int32), "top": x.max(axis=1), "bits": np.stack(folds, axis=1)}


def redux_known(x):
    return {"y": np.stack([x.sum(axis=1), (-x).min(axis=1)], axis=1).astype(np.int32)}


def dot_float4(a, b):
    return {"y": np.sum(a.astype(np.float64) * b.astype(np.float64), keepdims=True)}


def norm_half2(x):
    wide = x.astype(np.float32)
    return {"y": np.sqrt((wide * wide).sum(axis=1))}


def sum_half2_tree(x):
    return {"y": x.astype(np.float32).sum(keepdims=True)}


def argmax_shuffle(x):
    return {"top": x.max(axis=1), "where": np.argmax(x, axis=1).astype(np.int32)}


def count_ballot(x, y):
    return {"y": y + np.int32((x > 0).sum())}


def barrier_votes(flag):
    return {"y": np.array([(flag % 3 == 0).sum(), (flag < 60).all(), (flag == 40).any()], np.int32)}


def welford(x):
    return {"mean": x.mean(axis=1), "var": x.var(axis=1)}


def column_sums(x):
    return {"y": x.sum(axis=0)}


def sum_cooperative_groups(x):
    return {"y": x.sum(axis=1)}


def match_groups(key):
    kind = (key % 5).reshape(-1, 32)
    return {"y": (kind[:, :, None] == kind[:, None, :]).sum(axis=2).reshape(-1).astype(np.int32)}


def logsumexp(x):
    top = x.max(axis=1)
    return {"y": top + np.log(np.exp(x - top[:, None]).sum(axis=1))}
