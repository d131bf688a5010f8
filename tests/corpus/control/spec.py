"""What the kernels with special control flow and synchronisation compute, in NumPy."""

import numpy as np


def diverged_entry(x):
    n = len(x)
    padded = np.pad(x, (0, n % 2))
    square = padded[0::2] * padded[0::2]
    steps = np.array([float(2 * i % 64 & 6) for i in range(len(square))], np.float32)
    triple = 3 * padded[0::2] + steps
    return {"y": np.stack([square + 2 * triple, triple + 2 * square], axis=1).reshape(-1)[:n]}


def uneven_loops(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = x[: i + 1].sum() if i % 2 == 0 else (0.5 * x[i::8]).prod()
    return {"y": y}


def switch_table(x, kind):
    choices = [x, x * x, x + 3, np.maximum(x, 0), x * x * x - x, np.abs(x) * 2, 1 - x]
    return {"y": np.stack([choices[int(k) % 7][i] for i, k in enumerate(kind)])}


def branch_index(x):
    choices = [2 * x, 3 + x, -x, x]
    return {"y": np.stack([choices[i % 4][i] for i in range(len(x))])}


def device_function(x):
    return {"y": 2 * (x * x + 1) + (0.25 + 2)}


def recursion(x):
    return {"y": np.stack([(x[i] ** (i % 4)) if i % 4 else 1 + 0 * x[i] for i in range(len(x))])}


def function_pointers(x):
    odd = np.arange(len(x)) % 2 == 1
    return {"y": np.where(odd, x * x, 2 * x)}


def local_array(x):
    n = len(x)
    rows = []
    for i in range(n):
        keep = {(3 * k + i) & 7: x[(i + k) % n] for k in range(8)}
        rows.append(sum(keep[(k + i) & 7] * (k + 1) for k in range(0, 8, 2)))
    return {"y": np.stack(rows)}


def named_barriers(x):
    return {"y": 2 * x[:, ::-1]}


def votes(x):
    rows = []
    for warp in x.reshape(-1, 32):
        ballot = sum(1 << k for k, v in enumerate(warp) if v % 3 == 0)
        row = [int((warp % 40 == 0).any()), int((warp < 96).all()), ballot, int(len(set(warp // 64)) == 1)]
        rows += [row] * 32
    return {"y": np.array(rows, np.uint32)}


def active_mask(x):
    first = np.arange(len(x)) // 32 * 32
    return {"y": x + x[first]}


def mbarrier_copy(x):
    # Every group of 32, the last perhaps shorter, comes out reversed.
    return {"y": np.concatenate([2 * x[first : first + 32][::-1] for first in range(0, len(x), 32)])}


def mbarrier_tokens(x):
    return {"y": x + x[:, ::-1]}


def bulk_expect(x):
    return {"y": x[::-1]}


def assert_print(x):
    return {"y": x + 1}


def exit_early(x):
    return {"y": x[::-1]}


def three_dimensions(x):
    i, j, k = np.indices(x.shape)
    return {"y": x + (100 * i + 10 * j + k).astype(np.float32)}


def generic_address(x):
    choices = [x, 2 * x, x + 7]
    return {"y": np.stack([choices[i % 3][i] for i in range(len(x))])}


def module_variables(x):
    weight = np.array([1, -2, 0.5, 8], np.float32)
    return {"y": x * weight[np.arange(len(x)) % 4] + 0.75}
