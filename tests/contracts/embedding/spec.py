"""What the lookups compute, in NumPy."""

from itertools import pairwise

import numpy as np


def embed(table, ids, positions, scale):
    return {"y": scale * table[ids] + positions}


def scatter(gradient, ids, g):
    rows = [gradient[row] for row in range(len(gradient))]
    for token, row in enumerate(ids):
        if row != 0:
            rows[row] = rows[row] + g[token]
    return {"gradient": np.stack(rows)}


def bags(table, ids, offsets):
    return {"y": np.stack([table[ids[a:b]].mean(axis=0) for a, b in pairwise(offsets)])}


def take(x, columns):
    return {"y": np.take(x, columns, axis=1)}
