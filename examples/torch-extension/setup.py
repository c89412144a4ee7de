"""A PyTorch extension that builds for CUDA, for ROCm and for the CPU alone. See README.md."""

import torch
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension, CUDAExtension

KERNELS = ["src/relu.cu"]
BINDING = "src/bind.cpp"

if torch.version.hip:
    from hipify_py.build import translate_sources

    # No "cuda" in the folder's name: PyTorch would rename it. PyTorch maps the names of its own headers.
    sources = [BINDING, *translate_sources(KERNELS, out="build/hip")]
    extension = CUDAExtension("gpu_relu", sources, define_macros=[("WITH_GPU", None)])
elif torch.version.cuda:
    extension = CUDAExtension("gpu_relu", [BINDING, *KERNELS], define_macros=[("WITH_GPU", None)])
else:
    extension = CppExtension("gpu_relu", [BINDING])

setup(name="gpu_relu", version="1.0", ext_modules=[extension], cmdclass={"build_ext": BuildExtension})
