"""What the steps of optimisers compute, in NumPy."""

import numpy as np


def adam(p, g, m, v, rate, b1, b2, eps, c1, c2):
    m, v = m + (1 - b1) * (g - m), v + (1 - b2) * (g**2 - v)
    return {"p": p - rate * (m / c1) / (np.sqrt(v / c2) + eps), "m": m, "v": v}


def sgd(p, g, velocity, rate, momentum, decay):
    gradient = g + decay * p
    velocity = gradient + momentum * velocity
    return {"p": p - rate * (gradient + momentum * velocity), "velocity": velocity}


def rmsprop(p, g, s, rate, keep, eps):
    g = np.clip(g, -1, 1)
    s = keep * s + (1 - keep) * g**2
    return {"p": p - rate * g / (np.sqrt(s) + eps), "s": s}


def average(mean, p, trained, keep):
    return {"mean": np.where(trained != 0, p + keep * (mean - p), mean)}


def clip_norm(g, most, eps):
    return {"y": g * np.minimum(1, most / (np.sqrt((g**2).sum()) + eps))}
