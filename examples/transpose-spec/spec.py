"""What a transpose is, in NumPy."""


def transpose(x):
    """y[c, r] = x[r, c]."""
    return {"y": x.T}
