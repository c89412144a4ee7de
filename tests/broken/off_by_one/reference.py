def reference(factor, **known):
    return factor * known["in"]
