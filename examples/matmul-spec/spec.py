"""What a matrix product is, in NumPy."""


def matmul(a, b):
    """c = a @ b."""
    return {"c": a @ b}
