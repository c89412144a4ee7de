import numpy as np


def reference(**known):
    return np.array([known["in"].sum(dtype=np.float64)])
