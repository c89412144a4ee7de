def reference(a, b, t):
    return t * a + (1 - t) * b
