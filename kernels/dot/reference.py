import numpy as np


def reference(x, y, n, BLOCK=128):
    """The partial sum of each of eight blocks: every eighth run of BLOCK elements is its."""
    block = np.arange(n) // BLOCK % 8
    return np.bincount(block, weights=x.astype(np.float64) * y.astype(np.float64), minlength=8)
