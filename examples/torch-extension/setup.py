"""A PyTorch extension that builds for CUDA, for ROCm and for the CPU alone. See README.md."""

import torch
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CppExtension, CUDAExtension

KERNELS = ["src/relu.cu"]
BINDING = "src/bind.cpp"

if torch.version.hip:
    # CUDAExtension translates by itself there; with this it does so by hipify-py, into a folder of the build.
    from hipify_py.compat.torch_hipify import install

    install(output_directory="build/hip")

if torch.version.hip or (torch.version.cuda and CUDA_HOME):
    extension = CUDAExtension("gpu_relu", [BINDING, *KERNELS], define_macros=[("WITH_GPU", None)])
else:
    extension = CppExtension("gpu_relu", [BINDING])

setup(name="gpu_relu", version="1.0", ext_modules=[extension], cmdclass={"build_ext": BuildExtension})
