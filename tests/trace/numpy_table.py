"""What a spec may say in NumPy: small functions of x [4, 6], y [4, 6], m [6, 3], s [4], a known mask k [4, 6] and known
indices i [3], one expression a line. In POSITIVE all values are between 0.5 and 2, in SMALL between -0.9 and 0.9."""

from __future__ import annotations

SIGNED = """
np.sinh(x) + np.cosh(y) - np.tan(x / 4)
np.arcsinh(x) + np.hypot(x, y)
np.degrees(x) + np.radians(y) + np.deg2rad(x) + np.rad2deg(y)
np.heaviside(x, 0.5) + np.heaviside(np.zeros_like(x), 0.25)
np.logaddexp2(x, y) + np.conjugate(x)
x % 0.7 + np.mod(x, 1.5) + np.remainder(x, -0.4)
x // 0.7 + np.floor_divide(y, -0.4) + 3.0 // (y * y + 1)
np.fmod(x, 0.7) + np.fmod(y, -0.4)
divmod(x, 0.7)[0] + divmod(x, 0.7)[1] + np.divmod(y, 0.3)[1]
np.float_power(np.abs(x), 3) + pow(x, 2) + abs(x) ** 1.5
np.where(np.isnan(x), 0.0, x) + np.where(np.isfinite(y), y, 0) + np.where(np.isinf(x), 1.0, 2.0)
np.nan_to_num(x) + np.nan_to_num(np.full_like(y, np.inf), posinf=2.0)
np.nan_to_num(np.where(k, np.nan, x), nan=0.5)
np.sum(x, axis=1, where=k) + np.prod(y, axis=-1, where=k)
np.sum(x, axis=1, where=x > 0)
np.mean(x, axis=0, where=k | np.eye(4, 6, dtype=bool), keepdims=True)
np.mean(x, where=np.arange(6) < 4)
x.mean(axis=1, where=np.arange(6) > 0) + x.sum(axis=1, where=k)
np.var(x, axis=1, where=np.arange(6) > 1, ddof=1) + np.std(x, axis=1, where=np.arange(6) > 1)
np.max(x, axis=1, where=k, initial=-5.0) + np.min(x, axis=1, where=x > 0, initial=9)
np.sum(np.stack([x, y]), axis=(-1, 0)) + np.stack([x, y]).sum((0, 2))
np.mean(np.stack([x, y]), axis=(0, 1), keepdims=True)
np.var(np.stack([x, y]), axis=(0, -1)) + np.std(np.stack([x, y]), axis=(2, 0), ddof=1)
np.max(np.stack([x, y]), axis=(0, 1)) + np.min(np.stack([x, y]), axis=(0, -2))
np.prod(np.stack([x, y]), axis=(0, 2), keepdims=True, initial=0.5)
np.sum(x, dtype=np.float32, axis=-1) + np.add.reduce(x, axis=(0, 1), keepdims=True)[0]
np.multiply.reduce(x, axis=1) + np.minimum.reduce(y, axis=-1, initial=0.0)
np.add.reduce(x, axis=1, where=k, initial=1.0)
np.maximum.accumulate(x, axis=1) + np.minimum.accumulate(y, axis=0) + np.multiply.accumulate(x, 1)
np.cumulative_sum(x, axis=1) + np.cumsum(y, -1)
np.count_nonzero(x > 0, axis=1) + np.sum(y > 0)
np.average(x, axis=1) + np.average(y, axis=1, weights=[1, 2, 3, 4, 5, 6])
np.average(x, weights=k + 0.5) + np.average(x, axis=0, weights=s * s + 1)[0]
np.ptp(x, axis=1) + np.ptp(y)
np.diff(x) + np.diff(y, axis=1)
np.diff(x, 2, axis=0)
np.diff(x, prepend=0, append=x[:, :2])
np.ediff1d(x, to_begin=0.5, to_end=[1.0, 2.0])
np.trace(x) + np.trace(x, 1) + y.trace(offset=-1)
np.kron(x[:2, :2], y[:3]) + np.kron(np.ones((2, 3)), x[:2, :2]).sum()
np.kron(s, x)
np.linalg.norm(x) + np.linalg.norm(s)
np.linalg.norm(x, axis=1) + np.linalg.norm(y, ord=1, axis=-1) + np.linalg.norm(x, np.inf, axis=1) + np.linalg.norm(y, 3, 1)
np.linalg.norm(x, axis=1, keepdims=True)
np.linalg.norm(x, "fro") + np.linalg.norm(x, 1) + np.linalg.norm(y, -np.inf) + np.linalg.norm(x, axis=(0, 1))
np.linalg.matrix_power(x[:, :4], 3)
np.linalg.multi_dot([x, m, m.T])
np.cross(x[:, :3], y[:, 3:])
np.convolve(s, x[0]) + np.convolve(x[0], s)
np.convolve(x[0], s, "same") + np.convolve(x[0], np.array([1.0, 2.0, 4.0]), mode="same")
np.convolve(x[0], s[:3], "valid") + np.correlate(x[0], s[:3])
np.correlate(x[0], s, "same") + np.correlate(s, x[0], "same")
np.correlate(s, x[0], "full") + np.correlate(x[0], s, "full")
np.trapezoid(x) + np.trapezoid(y, dx=0.5) + np.trapezoid(x, np.arange(6) ** 2)
np.polyval([1.0, -2.0, 3.0], x) + np.polyval(s, 2.0)
np.vander(s) + np.vander(s, 4, increasing=True)
np.select([x > 1, x > 0], [x, y], default=-1.0)
np.select([k, x > 0], [1.0, np.arange(6)])
np.select([s[:, None] > 0], [x])
np.choose(i, [s[:3], s[1:], 7.0 * s[:3], 1.0])
np.piecewise(x, [x < -1, x > 1], [lambda t: t * t, 2.0, lambda t: -t])
np.piecewise(x, [x > 0], [lambda t, a: a * t], 3.0)
np.apply_along_axis(lambda row: row / np.abs(row).sum(), 1, x)
np.apply_along_axis(lambda row: row.sum(), 0, x) + np.apply_along_axis(np.max, 0, y)
np.apply_along_axis(lambda row: np.stack([row, row[::-1]]), 0, x)
np.apply_over_axes(np.sum, np.stack([x, y]), [0, 2])
np.vectorize(lambda a, b: a * b + 1)(x, y)
np.vectorize(lambda a: np.exp(a), otypes=[float])(s)
np.matvec(x, y[0]) + np.vecmat(s, x)[:4] + np.vecdot(x, y)
np.einsum("...i,...i->...", x, y) + np.einsum("...j->...", x)
np.einsum("...ij,jk->...ik", np.stack([x, y]), m)
np.einsum("ij,...j", x, y[None] * np.ones((2, 1, 1)))
np.einsum("ij,ij", x, y) + np.einsum("i,i->", s, s)
np.einsum("ij,jk,kl->il", x, m, m.T)
np.einsum("ii", x[:, :4]) + np.einsum("ij->", x)
np.tensordot(x, y, axes=[[1], [1]]) + np.tensordot(x, y, axes=(-1, -1))
np.tensordot(s, s, 0) + np.inner(x, y)
np.matmul(np.stack([x, y]), m[None]) + np.stack([x, y]) @ m
np.outer(s, s) + np.multiply.outer(s, np.arange(4)) + np.subtract.outer(s, s) + np.maximum.outer(s, s)
np.append(s, [1.0, x[0, 0]]) + np.append(s[:3], s[:3])
np.append(x, y, axis=1)
np.insert(s, 1, 5.0) + np.insert(s, [0], s[0])
np.insert(x, 2, y[:, 0], axis=1)
np.delete(x, 1, axis=0) + np.delete(x, [2], axis=0)
np.resize(s, (3, 3))
np.meshgrid(s, x[0])[0] + np.meshgrid(s, x[0])[1]
np.meshgrid(s, np.arange(3), indexing="ij")[0] + np.meshgrid(s, np.arange(3.0), indexing="ij")[1]
np.block([[x, y], [np.ones((1, 6)), np.zeros((1, 6))]])
np.stack(np.split(x, 3, axis=1)) + np.stack(np.hsplit(y, 3))
np.stack([*np.unstack(x)], axis=1)
np.dstack([x, y]) + np.column_stack([s, s])[:, None]
np.rot90(x) + np.fliplr(y.T) + np.flipud(x.T)
np.roll(x, (1, 2), axis=(0, 1)) + np.roll(y, -1, 0)
np.pad(x, ((1, 0), (0, 2)), mode="wrap") + np.pad(y, ((1, 0), (0, 2)), "symmetric") + np.pad(x, [(0, 1), (2, 0)])
np.tril(np.stack([x, y]), -1) + np.triu(np.stack([y, x]), k=2)
np.where(np.tri(4, 6, dtype=bool), x, -np.inf).max(axis=-1)
x[np.tril_indices(4)] + x[np.triu_indices(4)]
x[np.arange(4), [0, 1, 2, 3]] + x[:, 1]
x[np.ix_([0, 2], [1, 3, 5])]
x[k.any(axis=1)] + x[[True] * 4] if k.any(axis=1).all() else x
x[:, ::-1][1:, :-1] + x[-3:, 1:] + x[1:4, slice(1, None)]
x[i][:, i] + x[i[:, None], i]
x[..., -1] + x[Ellipsis, 0] + x[None, :, 2][0]
np.take(x, i) + np.take(x, [[0, 1, 2]], mode="wrap")[0]
np.tile(x, 2) + np.repeat(x, 2, axis=1) + np.repeat(y, [2] * 6, axis=1)
np.float32(2) * x + np.float64(0.5) + np.int32(3) + x.dtype.type(1)
x.astype("float32") + x.astype(np.float64) * np.array(2.0)
np.array([[x[0, 0], 1.0], [2, y[1, 1]]]) @ np.array([s[:2], s[2:]])
np.asarray(x) + np.array(y) + np.ascontiguousarray(x) + np.asanyarray(y, dtype=np.float64)
np.array([row * 2 for row in x]) + np.array([[v + 1 for v in row] for row in y])
np.array(x[0]) + np.array([x[0, j] for j in range(6)])
np.stack([row.sum() for row in x]) + np.array([np.dot(a, b) for a, b in zip(x, y)])
sum(x[j, 0] * y[j, 1] for j in range(4)) * np.ones(2)
np.full((2, 2), x[0, 0]) + np.full((2, 2), 0.5) + np.ones((2, 1)) + np.eye(2)
np.swapaxes(np.stack([x, y]), 0, 2) + np.transpose(np.stack([x, y])) * np.moveaxis(np.stack([x, y]), [0, 1], [2, 1])
np.squeeze(x[:, None, :, None]) + np.expand_dims(x, (0, 3))[0, ..., 0]
x.max(-1, keepdims=True) + x.min(axis=(1,), keepdims=True)
np.bool_(True) * x + np.where(k, 1, 0) * y
(x > 0) | (y > 0)
np.where((x > 0) ^ (y > 0), x, y) * 1
"""
POSITIVE = """
np.arccosh(x + 1) + np.log(x) / np.log(2.0)
x ** -1.5 + y ** 0.25 + np.float_power(x, 2.5)
np.power(2.0, x) + 3 ** y
np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True)
x / np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + 1e-6)
np.log(np.sum(np.exp(x), axis=1)) + np.logaddexp(x[:, 0], y[:, 0])
1 / x + np.reciprocal(y) + np.true_divide(x, y) + np.divide(1, x)
np.divide(x, y, out=np.zeros_like(x), where=k)
np.divide(x, np.where(k, 2.0, 0.0), out=np.ones_like(x), where=k)
"""
SMALL = """
np.arctanh(x) + np.log1p(y) + np.expm1(x)
np.sqrt(1 - x * x) * np.tanh(y)
"""
