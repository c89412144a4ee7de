import numpy as np


def reference(**known):
    return np.concatenate([[0], known["in"][:-1]])
