def reference(**known):
    return known["in"][:, ::-1]
