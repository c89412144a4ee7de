import numpy as np


def csr(rng, rows, cols):
    """A matrix with three entries a row on average: 3 * rows of them, anywhere."""
    row = np.sort(rng.integers(0, rows, 3 * rows))
    return {
        "row_start": np.searchsorted(row, np.arange(rows + 1)).astype(np.int32),
        "column": rng.integers(0, cols, 3 * rows).astype(np.int32),
        "value": rng.normal(size=3 * rows),
    }


def reference(row_start, column, value, x):
    row = np.repeat(np.arange(row_start.size - 1), np.diff(row_start))
    return np.bincount(row, weights=value * x[column], minlength=row_start.size - 1)
