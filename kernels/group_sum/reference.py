import numpy as np


def reference(**known):
    x = known["in"].astype(np.float64)
    return x / x.sum()
