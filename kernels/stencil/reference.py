import numpy as np


def reference(c, **known):
    p = np.pad(known["in"].astype(np.float64), 1)
    near = sum(p[tuple(slice(1 + step * (axis == at), p.shape[axis] - 1 + step * (axis == at)) for axis in range(3))]
               for at in range(3) for step in (-1, 1))
    return c["centre"] * p[1:-1, 1:-1, 1:-1] + c["neighbour"] * near
