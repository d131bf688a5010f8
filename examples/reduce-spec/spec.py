"""What the row sums are, in NumPy."""


def row_sum(x):
    """y[r] = sum over c of x[r, c]."""
    return {"y": x.sum(axis=1)}
