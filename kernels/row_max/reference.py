import numpy as np


def matrix(rng, rows, cols):
    """Few different numbers, so that a maximum stands at several places, and infinities in every other row."""
    made = rng.integers(-9, 10, (rows, cols)).astype(np.float32)
    made[1::2, 0] = np.inf
    return made


def reference(**known):
    x = known["in"]
    return {"value": x.max(1), "index": x.argmax(1), "finite": np.array([np.isfinite(x).all(1).sum()])}
