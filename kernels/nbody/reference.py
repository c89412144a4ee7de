import numpy as np


def reference(dt, softening2, **known):
    bodies = known["in"].astype(np.float64)
    place, mass, velocity = bodies[:, :3], bodies[:, 3], bodies[:, 4:7]
    way = place[None] - place[:, None]
    inverse = 1 / np.sqrt((way**2).sum(2) + softening2)
    velocity = velocity + dt * (way * (mass * inverse**3)[:, :, None]).sum(1)
    out = bodies.copy()
    out[:, 4:7] = velocity
    out[:, :3] = place + dt * velocity
    return out
