# A toolchain file for HIP from Debian's or Ubuntu's packages (hipcc, libamdhip64-dev, rocm-device-libs): CMake looks for
# ROCm where AMD puts it, all in one folder, and does not find theirs.
#
#   cmake -DCMAKE_TOOLCHAIN_FILE="$(python3 -m hipify_py --cmake-dir)/HipFromDistribution.cmake" -DCMAKE_HIP_ARCHITECTURES=gfx90a ...
#
# With AMD's own ROCm in /opt/rocm it is not needed.
if(NOT CMAKE_HIP_COMPILER)
  find_program(HIP_FROM_DISTRIBUTION_CLANG NAMES clang++-17 clang++-16 clang++-15 clang++ PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
  set(CMAKE_HIP_COMPILER "${HIP_FROM_DISTRIBUTION_CLANG}")
endif()

file(GLOB _hip_bitcode /usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/amdgcn/bitcode)
list(GET _hip_bitcode 0 _hip_bitcode)
file(GLOB _hip_config /usr/lib/*/cmake/hip-lang)
list(GET _hip_config 0 _hip_config)
get_filename_component(_hip_config "${_hip_config}" DIRECTORY)

# CMake wants <root>/lib/cmake/hip-lang.
set(_hip_root "${CMAKE_BINARY_DIR}/CMakeFiles/rocm")
file(MAKE_DIRECTORY "${_hip_root}/lib")
if(NOT EXISTS "${_hip_root}/lib/cmake")
  file(CREATE_LINK "${_hip_config}" "${_hip_root}/lib/cmake" SYMBOLIC)
endif()
set(CMAKE_HIP_COMPILER_ROCM_ROOT "${_hip_root}")
list(APPEND CMAKE_PREFIX_PATH "${_hip_root}")
if(NOT DEFINED ENV{HIPFLAGS})
  set(ENV{HIPFLAGS} "--rocm-path=/usr --rocm-device-lib-path=${_hip_bitcode}")
endif()
# Their packages say `cmake_minimum_required(VERSION 3.3)`, which CMake 4 refuses.
if(NOT DEFINED CMAKE_POLICY_VERSION_MINIMUM)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
endif()
# hipcc and the packages turn to NVIDIA by themselves where they see nvcc.
set(ENV{HIP_PLATFORM} amd)
