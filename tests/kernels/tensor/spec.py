"""What the matrix products compute, in NumPy."""


def product(a, b):
    """c = a @ b."""
    return {"c": a @ b}


def half_product(a, b):
    """c = (a @ b) / 2."""
    return {"c": (a @ b) * 0.5}
