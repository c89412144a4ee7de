import numpy as np


def reference(inp, gamma, beta, eps):
    x = inp.astype(np.float64)
    mean, rstd = x.mean(1), 1 / np.sqrt(x.var(1) + np.float32(eps))
    return {"mean": mean, "rstd": rstd, "out": (x - mean[:, None]) * rstd[:, None] * gamma + beta}
