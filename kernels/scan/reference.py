import numpy as np


def exclusive(values):
    return np.concatenate([[0], np.cumsum(values)[:-1]])


def reference(data, blocks):
    padded = np.zeros(blocks * 1024, np.int64)
    padded[: data.size] = data
    return {"data": exclusive(data), "sums": exclusive(padded.reshape(blocks, 1024).sum(1))}
