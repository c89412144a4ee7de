def reference(**known):
    return known["in"].sum().reshape(1)
