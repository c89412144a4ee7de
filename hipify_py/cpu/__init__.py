"""The CPU device: a `libamdhip64.so` that runs HIP kernels on the host, and the builder of its modules."""
