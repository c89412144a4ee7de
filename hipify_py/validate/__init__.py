"""Validation: translated kernels run on a device and are compared with their references."""
