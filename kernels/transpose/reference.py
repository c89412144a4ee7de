def reference(**known):
    return known["in"].T
