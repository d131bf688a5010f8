"""What axpy is, in NumPy."""


def axpy(x, y, a):
    """y = a * x + y."""
    return {"y": a * x + y}
