"""A Python extension with a CUDA kernel, built by setuptools and hipcc. See README.md."""

from setuptools import Extension, setup

from hipify_py.build.setuptools_ext import build_hip_ext

setup(
    name="scaling",
    version="1.0",
    ext_modules=[Extension("scaling", ["src/module.cpp", "src/scale.cu"])],
    cmdclass={"build_ext": build_hip_ext},
)
