import numpy as np


def reference(**known):
    return known["in"] << (np.arange(64) % 32)
