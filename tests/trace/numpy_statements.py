"""Statements of specs, with the names of numpy_table.py; each leaves `r`."""

# ruff: noqa: E501 tables of cases, a line each
from __future__ import annotations

STATEMENTS = {
    "zeros, then assigned": "r = np.zeros((4, 3))\nfor j in range(4):\n    r[j] = x[j] @ m",
    "zeros by element": "r = np.zeros((4, 6), dtype=np.float32)\nfor j in range(4):\n    for l in range(6):\n        r[j, l] = x[j, l] * 2",
    "empty by slices": "r = np.empty((4, 6))\nr[:, :3] = x[:, 3:]\nr[:, 3:] = 1",
    "ones, in place": "r = np.ones((4, 6))\nr *= x\nr += 0.5\nr[1] -= y[1]",
    "full of -inf": "t = np.full(4, -np.inf)\nfor j in range(6):\n    t = np.maximum(t, x[:, j])\nr = t",
    "in place on a view": "r = np.zeros((4, 6))\nv = r[1:, ::2]\nv += x[1:, ::2]\nr.T[0] = 7",
    "array of a list": "r = np.array([0.0, 1.0, 2.0])\nr[1] = x[0, 0]",
    "an accumulator of zeros": "acc = np.zeros(3)\nfor j in range(6):\n    acc += x[:3, j] * y[:3, j]\nr = acc",
    "known until assigned": "w = np.zeros(4)\nw[2] = 3.0\nn = int(w[2])\nif w.sum() > 2:\n    n += 1\nr = x[:n, : int(w.max())] * w[:4, None]",
    "a made array in any function": "w = np.ones((3, 3)) * 2.0\nr = m @ np.linalg.inv(np.array([[2.0, 1.0, 0], [0, 1, 0], [0, 0, 1]]) + w)",
    "a mask of a made array": "w = np.zeros((4, 6))\nw[k] = 1.0\nr = np.where(w > 0.5, x, y) + np.argmax(w, axis=1)[:, None] + w[w > 0].size",
    "rounded as NumPy rounds": "w = np.zeros(1)\nw += 0.1\nw += 0.2\nr = np.zeros(2) + (1.0 if w[0] == 0.1 + 0.2 else 0.0) + x[0, :2]",
    "copies of made arrays": "w = np.zeros(4)\nv = w.copy()\nv[0] = x[0, 0]\nr = np.stack([v, w])",
    "out= of a made array": "r = np.zeros((4, 3))\nnp.matmul(x, m, out=r)\nnp.add(r, 1, out=r)\nnp.exp(r, out=r)",
    "out= of reductions": "r = np.empty(4)\nnp.sum(x, axis=1, out=r)\nq = np.empty((4, 6))\nnp.cumsum(x, axis=1, out=q)\nr += q[:, 3]",
    "where= with out": "r = np.copy(y)\nnp.multiply(x, 2, out=r, where=k)\nnp.add(r, 1, out=r, where=x > 0)",
    "add.at": "r = np.zeros(4)\nnp.add.at(r, i, x[0, :3])\nnp.add.at(r, [1, 1, 3], x[1, 0])\nnp.maximum.at(r, 2, s[0])\nnp.subtract.at(r, [0, 0], [s[1], s[2]])",
    "add.at of rows": "r = np.zeros((4, 6))\nnp.add.at(r, np.array([0, 2, 0, 2]), x)",
    "negative.at": "r = np.copy(s)\nnp.negative.at(r, [0, 2, 0])",
    "fill_diagonal": "r = np.copy(x)\nnp.fill_diagonal(r, 2.5)\nq = np.zeros((3, 3))\nnp.fill_diagonal(q, s[:3])\nr[:3, :3] += q",
    "put": "r = np.copy(s)\nnp.put(r, [0, 3], [x[0, 0], 1.0])\nq = np.zeros_like(x)\nnp.put_along_axis(q, i[None, :3].repeat(4, 0), 2.0, axis=1)\nr = r[:, None] + q",
    "copyto": "r = np.zeros((4, 6))\nnp.copyto(r, x)\nnp.copyto(r, y, where=k)",
    "chunks": "parts = []\nfor j in range(0, 6, 2):\n    parts.append(x[:, j : j + 2] @ m[j : j + 2])\nr = sum(parts)",
    "enumerate and zip": "r = np.zeros(4)\nfor j, (a, b) in enumerate(zip(x, y)):\n    r[j] = (a * b).sum() if j % 2 else a.max()",
    "a list of rows": "rows = [x[j] - x[j].mean() for j in range(len(x))]\nr = np.array(rows)",
    "a helper and a comprehension": "def relu(t):\n    return np.maximum(t, 0)\nr = np.concatenate([relu(t)[None] for t in (x, y)], axis=0)",
    "from numpy import": "from numpy import zeros, exp\nr = zeros(4)\nr[:] = exp(s)",
    "import in the function": "import numpy\nimport numpy.linalg as la\nr = numpy.zeros(2)\nr[0] = la.norm(s)",
    "im2col": "cols = np.zeros((4, 3))\nfor j in range(4):\n    cols[j] = x[0, j : j + 3] if j < 4 else 0\nr = cols @ m[:3]",
    "flash attention": """n = np.full((4, 1), -np.inf)
l, o = np.zeros((4, 1)), np.zeros((4, 3))
for j in range(0, 4, 2):
    sc = x @ y[j : j + 2].T
    new = np.maximum(n, sc.max(axis=1, keepdims=True))
    p = np.exp(sc - new)
    l = l * np.exp(n - new) + p.sum(axis=1, keepdims=True)
    o = o * np.exp(n - new) + p @ m[j : j + 2]
    n = new
r = o / l""",
    "scatter by known ids": "r = np.zeros((4, 6))\nfor j, t in enumerate(i):\n    r[t] += x[j]",
    "boolean mask assignment": "r = np.array(x)\nr[k] = -1.0\nr[~k] += y[~k]",
    "swap": "r = np.copy(x)\nr[[0, 1]] = r[[1, 0]]\nr[:, 0], r[:, 1] = r[:, 1].copy(), r[:, 0].copy()",
    "scan": "r = np.empty_like(x)\nh = np.zeros(4)\nfor j in range(6):\n    h = 0.5 * h + x[:, j]\n    r[:, j] = h",
    "plain arrays take made ones": "a = np.arange(4.0)\na += np.ones(4)\na[1:] = np.zeros(3)\nnp.add.at(a, [0, 0], np.ones(2))\nr = s * a",
    "in the likeness of plain arrays": "r = np.zeros_like(k, dtype=float)\nr[0] = x[0]\nq = np.full_like(np.arange(6.0), 2.0)\nq[1] = x[1, 1]\nr = r + q",
    "in the likeness of made arrays": "w = np.ones((2, 2))\nn = int(np.zeros_like(w).sum() + np.concatenate([w, w])[3, 1])\nr = x[n]",
    "moved made arrays": "w = np.zeros((2, 3))\nw.T[1] = 4.0\nn = int(np.transpose(w)[1, 0]) - int(w.reshape(-1)[0])\nr = x[:n]",
    "asserts on what is known": "assert x.shape == (4, 6) and x.ndim == 2 and np.issubdtype(x.dtype, np.floating)\nr = x.copy()",
}
