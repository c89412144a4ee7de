import numpy as np


def reference(data):
    return np.bincount(data, minlength=256)
