"""Functions outside CUDA that give strings a meaning at run time, and what CUDA's libraries are called in HIP."""

from __future__ import annotations

#: They load what a string names: a library or a symbol.
LOADERS = frozenset((
    b"dlopen", b"dlsym", b"dlvsym", b"GetProcAddress",
    b"LoadLibrary", b"LoadLibraryA", b"LoadLibraryW", b"LoadLibraryEx",
    b"LoadLibraryExA", b"LoadLibraryExW", b"GetModuleHandle", b"GetModuleHandleA", b"cuGetProcAddress",
    b"cuGetProcAddress_v2", b"cudaGetDriverEntryPoint", b"cudaGetDriverEntryPointByVersion", b"g_module_symbol",
    b"SDL_LoadFunction", b"lt_dlsym"))

#: They run a command that a string holds.
RUNNERS = frozenset((
    b"system", b"_wsystem", b"popen", b"_popen", b"execl", b"execlp", b"execle", b"execv", b"execvp", b"execve", b"posix_spawn",
    b"posix_spawnp", b"ShellExecuteA", b"CreateProcessA"))

#: NVIDIA's tools -> ROCm's; empty: none.
TOOLS = {
    b"nvcc": b"hipcc", b"nvidia-smi": b"rocm-smi", b"nvprof": b"rocprofv3", b"nsys": b"rocprofv3", b"ncu": b"rocprof-compute",
    b"cuda-gdb": b"rocgdb", b"cuda-memcheck": b"", b"compute-sanitizer": b"", b"ptxas": b"", b"cuobjdump": b"llvm-objdump",
    b"nvdisasm": b"llvm-objdump", b"fatbinary": b"clang-offload-bundler", b"nvlink": b"lld"}

#: They only show a string to a person, or compare it.
PRINTERS = frozenset((
    b"printf", b"fprintf", b"snprintf", b"sprintf", b"puts", b"fputs", b"perror", b"runtime_error", b"logic_error",
    b"syslog", b"print", b"println", b"assert", b"static_assert"))

#: CUDA library (``libNAME.so``) -> HIP's, empty if there is none; the file names are those of ROCm on Linux.
LIBRARIES = {
    b"cuda": b"amdhip64", b"nvcuda": b"amdhip64", b"cudart": b"amdhip64", b"cublas": b"hipblas",
    b"cublasLt": b"hipblaslt", b"cufft": b"hipfft", b"curand": b"hiprand", b"cusparse": b"hipsparse",
    b"cusolver": b"hipsolver", b"cudnn": b"MIOpen", b"nvrtc": b"hiprtc", b"nvToolsExt": b"roctx64", b"nccl": b"rccl",
    b"nvidia-ml": b"rocm_smi64", b"cutensor": b"hiptensor", b"cufile": b"hipfile", b"cupti": b"roctracer64",
    b"cusparseLt": b"hipsparselt", b"nvjpeg": b"rocjpeg", b"cusolverMg": b"", b"nvJitLink": b"", b"nvidia-ptxjitcompiler": b"",
    b"nppc": b"", b"nppi": b"", b"npps": b"", b"nvcuvid": b"rocdecode", b"nvidia-encode": b"", b"nvinfer": b"migraphx",
    b"nvonnxparser": b"migraphx", b"nvoptix": b"", b"cudadevrt": b"", b"cuinj": b""}

#: Environment variables of CUDA and its builds -> what ROCm reads; empty: nothing. HIP reads ``CUDA_VISIBLE_DEVICES`` itself.
VARIABLES = {
    b"CUDA_LAUNCH_BLOCKING": b"HIP_LAUNCH_BLOCKING", b"CUDA_PATH": b"ROCM_PATH", b"CUDA_HOME": b"ROCM_PATH",
    b"CUDA_DEVICE_ORDER": b"", b"CUDA_CACHE_PATH": b"", b"CUDA_CACHE_DISABLE": b"", b"CUDA_MODULE_LOADING": b"",
    b"CUDA_FORCE_PTX_JIT": b"", b"CUDA_DEVICE_MAX_CONNECTIONS": b"GPU_MAX_HW_QUEUES"}
