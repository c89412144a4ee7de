"""Build files: what CMake, Make, setup.py and Meson become, by lines before and after, and lists of what stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipify_py import Settings, translate
from hipify_py.build_files import BuildFile, build_file
from hipify_py.build_files.tables import cmake_names, flags, libraries, library
from hipify_py.cli import main
from hipify_py.diagnostics import Severity

GFX = Settings(offload_arch=("gfx90a",))
NAMES = {"cmake": "CMakeLists.txt", "make": "Makefile", "py": "setup.py", "meson": "meson.build"}


def become(kind: str, text: str, settings: Settings = GFX) -> str:
    result = translate(text.encode(), filename=NAMES[kind], settings=settings)
    assert not [each for each in result.diagnostics if each.code == "HPY902"]
    again = translate(result.text, filename=NAMES[kind], settings=settings)
    assert again.text == result.text, "a second run changes something"
    # every line that changed is reported
    spoken = {result.source.location(each.range.start).line for each in result.diagnostics}
    for edit in result.edits:
        assert any(abs(result.source.location(edit.start).line - line) <= 8 for line in spoken)
    return result.text.decode()


def codes(kind: str, text: str, settings: Settings = GFX) -> list[tuple[int, str, str]]:
    result = translate(text.encode(), filename=NAMES[kind], settings=settings)
    return [(result.source.location(each.range.start).line, each.code, each.severity.value) for each in result.diagnostics]


@pytest.mark.parametrize(("name", "kind"), [
    ("CMakeLists.txt", BuildFile.CMAKE), ("a/b/cmakelists.txt", BuildFile.CMAKE), ("cmake/FindX.cmake", BuildFile.CMAKE),
    ("Makefile", BuildFile.MAKE), ("GNUmakefile", BuildFile.MAKE), ("x.mk", BuildFile.MAKE), ("Makefile.linux", BuildFile.MAKE),
    ("setup.py", BuildFile.SETUP_PY), ("meson.build", BuildFile.MESON),
    ("kernel.cu", None), ("Makefile.am", None), ("mysetup.py", None), ("readme.txt", None), ("cmake", None)])
def test_the_name_decides(name: str, kind: BuildFile | None) -> None:
    assert build_file(name) is kind


CMAKE = [
    ("project(x LANGUAGES CXX CUDA)", "project(x LANGUAGES CXX HIP)"),
    ("project(x CUDA)", "project(x HIP)"),
    ("enable_language(CUDA)", "enable_language(HIP)"),
    ("check_language( CUDA )", "check_language( HIP )"),
    ("find_package(CUDAToolkit REQUIRED)", "find_package(hip REQUIRED)"),
    ("find_package(CUDAToolkit 11.4 QUIET COMPONENTS cudart)", "find_package(hip QUIET)"),
    ("project(x CUDA)\nfind_package(CUDA 9 REQUIRED)", "project(x HIP)\nfind_package(hip REQUIRED)"),
    ("find_package(CUDA REQUIRED)", "enable_language(HIP)\nfind_package(hip REQUIRED)"),
    ("find_package(CUDA)", "find_package(hip)\nif(hip_FOUND)\n  enable_language(HIP)\nendif()"),
    ("find_package(CUDAToolkit)\ntarget_link_libraries(t CUDA::cublas)",
     "find_package(hip)\nfind_package(hipblas)\ntarget_link_libraries(t roc::hipblas)"),
    ("target_link_libraries(t PRIVATE CUDA::cufft)",
     "find_package(hipfft REQUIRED)\ntarget_link_libraries(t PRIVATE hip::hipfft)"),
    ("target_link_libraries(t cublas cudart m)", "find_package(hip REQUIRED)\ntarget_link_libraries(t hipblas hip::host m)"),
    ("find_package(CUDAToolkit)\ntarget_link_libraries(t CUDA::cudart CUDA::cuda_driver CUDA::cudart_static)",
     "find_package(hip)\ntarget_link_libraries(t hip::host)"),
    ("find_library(BLAS cublas HINTS /x)", "find_library(BLAS hipblas HINTS /x)"),
    ("find_package(CUDAToolkit)\ntarget_link_libraries(t ${CUDA_LIBRARIES} ${CUDA_CUFFT_LIBRARIES})",
     "find_package(hip)\nfind_package(hipfft)\ntarget_link_libraries(t hip::host hip::hipfft)"),
    ("set(CMAKE_CUDA_STANDARD 17)", "set(CMAKE_HIP_STANDARD 17)"),
    ('set(CMAKE_CUDA_ARCHITECTURES "70;80" CACHE STRING "")', 'set(CMAKE_CUDA_ARCHITECTURES gfx90a CACHE STRING "")'
     .replace("CUDA", "HIP").replace("gfx90a", '"gfx90a"')),
    ("set(CMAKE_CUDA_ARCHITECTURES 70 80)", "set(CMAKE_HIP_ARCHITECTURES gfx90a)"),
    ('set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} --use_fast_math -Xcompiler=-Wall,-Wextra -G")',
     'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -ffast-math -Wall -Wextra -g")'),
    ("list(APPEND CUDA_NVCC_FLAGS -O3 -lineinfo)", 'string(APPEND CMAKE_HIP_FLAGS " -O3 -gline-tables-only")'),
    ("set(CUDA_NVCC_FLAGS ${CUDA_NVCC_FLAGS};-O3;--expt-relaxed-constexpr)",
     'set(CMAKE_HIP_FLAGS "${CMAKE_HIP_FLAGS} -O3")'),
    ("set(CUDA_PROPAGATE_HOST_FLAGS OFF)\nset(x 1)", "set(x 1)"),
    ("set_target_properties(t PROPERTIES CUDA_STANDARD 17 CUDA_RUNTIME_LIBRARY Static)",
     "set_target_properties(t PROPERTIES HIP_STANDARD 17)"),
    ("set_target_properties(t PROPERTIES CUDA_ARCHITECTURES 80)", "set_target_properties(t PROPERTIES HIP_ARCHITECTURES gfx90a)"),
    ("set_property(TARGET t PROPERTY CUDA_ARCHITECTURES 70 80)", "set_property(TARGET t PROPERTY HIP_ARCHITECTURES gfx90a)"),
    ("set_target_properties(t PROPERTIES CUDA_SEPARABLE_COMPILATION ON)",
     "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-fgpu-rdc>)\n"
     "target_link_options(t PRIVATE $<$<LINK_LANGUAGE:HIP>:-fgpu-rdc>)"),
    ("set_source_files_properties(a.cpp PROPERTIES LANGUAGE CUDA)", "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)"),
    ("set_source_files_properties(a.cpp PROPERTIES CUDA_SOURCE_PROPERTY_FORMAT OBJ)",
     "set_source_files_properties(a.cpp PROPERTIES LANGUAGE HIP)"),
    ("add_library(t b.cpp $<$<BOOL:${GPU}>:src/a.cu;${DIR}/c.cu>)",
     "add_library(t b.cpp $<$<BOOL:${GPU}>:src/a.cu;${DIR}/c.cu>)\n"
     "set_source_files_properties(src/a.cu ${DIR}/c.cu PROPERTIES LANGUAGE HIP)"),
    ("target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math>)",
     "target_compile_options(t PRIVATE $<$<COMPILE_LANGUAGE:HIP>:-ffast-math>)"),
    ('target_compile_options(t PRIVATE "$<$<COMPILE_LANGUAGE:CXX,CUDA>:-O2>")',
     'target_compile_options(t PRIVATE "$<$<COMPILE_LANGUAGE:CXX,HIP>:-O2>")'),
    ("target_compile_options(t PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-G>)",
     "target_compile_options(t PRIVATE $<$<COMPILE_LANG_AND_ID:HIP,Clang>:-g>)"),
    ("target_compile_options(t PRIVATE -Wall $<$<COMPILE_LANGUAGE:CUDA>:--expt-extended-lambda>)",
     "target_compile_options(t PRIVATE -Wall)"),
    ('target_compile_options(t PRIVATE "SHELL:-Xptxas -v" -Wall)', "target_compile_options(t PRIVATE -Wall)"),
    ("target_compile_options(t PRIVATE --expt-relaxed-constexpr)\nset(x 1)", "set(x 1)"),
    ("target_compile_features(t PUBLIC cuda_std_17)", "target_compile_features(t PUBLIC hip_std_17)"),
    ("add_library(t a.cu b.cpp)", "add_library(t a.cu b.cpp)\nset_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)"),
    ("  set(SRCS\n    a.cu # one\n    b.cpp)",
     "  set(SRCS\n    a.cu # one\n    b.cpp)\n  set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)"),
    ("file(GLOB S src/*.cu)", "file(GLOB S src/*.cu)\nset_source_files_properties(${S} PROPERTIES LANGUAGE HIP)"),
    ("file(GLOB S *.cpp *.cu)",
     "file(GLOB S *.cpp *.cu)\nfile(GLOB S_HIP *.cu)\nset_source_files_properties(${S_HIP} PROPERTIES LANGUAGE HIP)"),
    ("cuda_add_library(t SHARED a.cu)", "add_library(t SHARED a.cu)\nset_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)"),
    ("cuda_add_executable(t ${S} OPTIONS -use_fast_math -lineinfo)",
     'add_executable(t ${S})\ntarget_compile_options(t PRIVATE "$<$<COMPILE_LANGUAGE:HIP>:-ffast-math;-gline-tables-only>")'),
    ("cuda_add_cublas_to_target(t)", "find_package(hipblas REQUIRED)\ntarget_link_libraries(t roc::hipblas)"),
    ("cuda_include_directories(a b)", "include_directories(a b)"),
    ("cuda_compile(OBJS a.cu OPTIONS -O3)", "set(OBJS a.cu)\nset_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)"),
    ("if(CUDA_FOUND)", "if(hip_FOUND)"),
    ('if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")', 'if(CMAKE_HIP_COMPILER_ID STREQUAL "Clang")'),
    ("target_include_directories(t PRIVATE ${CUDAToolkit_INCLUDE_DIRS})",
     "target_include_directories(t PRIVATE ${hip_INCLUDE_DIRS})"),
    ("cmake_minimum_required(VERSION 3.10...3.28)\nproject(x CUDA)",
     "cmake_minimum_required(VERSION 3.21...3.28)\nproject(x HIP)"),
    ("cmake_minimum_required(VERSION 2.8 FATAL_ERROR)\nenable_language(CUDA)",
     "cmake_minimum_required(VERSION 3.21 FATAL_ERROR)\nenable_language(HIP)"),
    ("add_custom_command(OUTPUT k COMMAND nvcc -fatbin -G k.cu)", "add_custom_command(OUTPUT k COMMAND hipcc --genco -g k.cu)"),
    ("find_program(NVCC nvcc PATHS /x/bin)", "find_program(NVCC hipcc PATHS /x/bin)"),
    ('set(CMAKE_CUDA_FLAGS_X -Xcompiler "-fPIC -Wall" -G)', "set(CMAKE_CUDA_FLAGS_X -fPIC -Wall -g)"),
    ('target_compile_options(t PRIVATE "-Xcompiler" "-fPIC")', 'target_compile_options(t PRIVATE "-fPIC")'),
    ('target_compile_options(t PRIVATE "-Xcompiler" -fPIC)', "target_compile_options(t PRIVATE -fPIC)"),
    ("find_package(NCCL REQUIRED)", "find_package(rccl REQUIRED)"),
]
CMAKE_STAYS = [
    "project(cuda_tools LANGUAGES CXX)",
    'project(CUDA DESCRIPTION "CUDA tools" LANGUAGES CXX)',
    "# find_package(CUDA) and -arch=sm_80 in a comment",
    "#[[ enable_language(CUDA)\n]]",
    'option(USE_CUDA "Build with CUDA" ON)',
    "if(USE_CUDA)\nendif()",
    "target_compile_definitions(t PRIVATE HAVE_CUDA=1 WITH_CUDA)",
    "target_include_directories(t PRIVATE third_party/cuda_samples)",
    "add_subdirectory(cuda)",
    "set(MY_CUDA_SOURCES a.cpp)",
    'message(STATUS "CUDA is not used")',
    "set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\nadd_library(t a.cu)",
    "add_library(t a.hip)",
    'set(TEXT [==[\nenable_language(CUDA)\n]==])',
    "target_compile_options(t PRIVATE -G -t 4)",
    "add_library(cublas_wrapper a.cpp)",
    "add_library(cuda a.cpp)\ntarget_link_libraries(t cuda)",
    "cmake_minimum_required(VERSION 3.10)\nproject(x CXX)",
]


@pytest.mark.parametrize(("before", "after"), CMAKE)
def test_cmake(before: str, after: str) -> None:
    assert become("cmake", before) == after
    assert become("cmake", before + "\n") == after + "\n"


@pytest.mark.parametrize("text", CMAKE_STAYS)
def test_cmake_stays(text: str) -> None:
    assert become("cmake", text) == text
    assert not [each for each in codes("cmake", text) if each[2] != "note"]


def test_cmake_without_architectures() -> None:
    """None is guessed: the property goes and is reported."""
    text = 'set_target_properties(t PROPERTIES CUDA_ARCHITECTURES "70;80"\n  POSITION_INDEPENDENT_CODE ON)\n'
    assert become("cmake", text, Settings()) == "set_target_properties(t PROPERTIES\n  POSITION_INDEPENDENT_CODE ON)\n"
    assert (1, "HPY505", "warning") in codes("cmake", text, Settings())
    assert become("cmake", "set(CMAKE_CUDA_ARCHITECTURES 70)\n", Settings()) == ""


def test_cmake_architectures_in_flags_move_to_their_variable() -> None:
    text = 'find_package(CUDA REQUIRED)\nset(CUDA_NVCC_FLAGS "-O3 -gencode arch=compute_70,code=sm_70 -arch=sm_80")\n'
    assert become("cmake", text) == ('enable_language(HIP)\nfind_package(hip REQUIRED)\nset(CMAKE_HIP_ARCHITECTURES "gfx90a")\n'
                                     'set(CMAKE_HIP_FLAGS "-O3")\n')


@pytest.mark.parametrize(("text", "code", "severity"), [
    ("target_link_libraries(t CUDA::nppc)", "HPY507", "error"),
    ("cuda_compile_ptx(P a.cu)", "HPY504", "error"),
    ("set_target_properties(t PROPERTIES CUDA_PTX_COMPILATION ON)", "HPY504", "error"),
    ("include_directories(/usr/local/cuda/include)", "HPY508", "warning"),
    ("set(X $ENV{CUDA_HOME})", "HPY508", "warning"),
    ("message(${CUDA_TOOLKIT_ROOT_DIR})", "HPY508", "warning"),
    ("if(CUDA_VERSION VERSION_LESS 11)", "HPY502", "warning"),
    ("foo(CMAKE_CUDA_SOMETHING_NEW)", "HPY510", "warning"),
    ("target_link_libraries(t CUDA::something)", "HPY510", "warning"),
])
def test_cmake_reports(text: str, code: str, severity: str) -> None:
    assert (1, code, severity) in codes("cmake", text)


MAKE = [
    ("NVCC = nvcc", "NVCC = hipcc"),
    ("NVCC := $(CUDA_HOME)/bin/nvcc", "NVCC := hipcc"),
    ("CC=/usr/local/cuda-12/bin/nvcc -ccbin g++", "CC=hipcc"),
    ("NVCC ?= $(shell which nvcc)", "NVCC ?= $(shell which hipcc)"),
    ("F = -O3 -arch=sm_80 -Xcompiler -fPIC", "F = -O3 --offload-arch=gfx90a -fPIC"),
    ("F = -arch sm_80", "F = --offload-arch=gfx90a"),
    ("F = -gencode arch=compute_70,code=sm_70 -gencode=arch=compute_80,code=sm_80", "F = --offload-arch=gfx90a"),
    ("F = -gencode arch=compute_70,code=sm_70 \\\n    -gencode arch=compute_80,code=sm_80 \\\n    -O3",
     "F = --offload-arch=gfx90a \\\n    -O3"),
    ("ARCH = sm_60\nF = -arch=$(ARCH)", "ARCH = gfx90a\nF = --offload-arch=$(ARCH)"),
    ("S = 70 80\n$(foreach s,$(S),$(eval G += -gencode arch=compute_$(s),code=sm_$(s)))",
     "S = 70 80\n$(foreach s,$(S),$(eval G += --offload-arch=gfx90a))"),
    ('F = -Xcompiler "-Wall -fopenmp" -Xcompiler=-O2,-g', "F = -Wall -fopenmp -O2 -g"),
    ("F = -Xlinker -rpath,/x -Xcompiler -fPIC\nt: ; nvcc $(F)", "F = -Wl,-rpath,/x -fPIC\nt: ; hipcc $(F)"),
    ("F = -rdc=true --use_fast_math -lineinfo --ptxas-options=-v", "F = -fgpu-rdc -ffast-math -gline-tables-only"),
    ("F = -rdc true -maxrregcount=64 -ftz=true -std=c++17", "F = -fgpu-rdc -fgpu-flush-denormals-to-zero -std=c++17"),
    ("F = --default-stream per-thread", "F = -fgpu-default-stream=per-thread"),
    ("a.o: a.cu\n\tnvcc -G -dc -c a.cu -o $@", "a.o: a.cu\n\thipcc -g -fgpu-rdc -c -c a.cu -o $@"),
    ("a.o: a.cu\n\t@nvcc -ptx $<", "a.o: a.cu\n\t@hipcc -S --cuda-device-only $<"),
    ("L = -lcudart -lcublas -lcufft_static -lm", "L = -lhipblas -lhipfft -lm"),
    ("L = -lcudart\na: b\n\t$(CXX) -o a b $(L)", "L = -lamdhip64\na: b\n\t$(CXX) -o a b $(L)"),
    ("CXX = nvcc\nL = -lcudart\na: b\n\t$(CXX) -o a b $(L)", "CXX = hipcc\nL =\na: b\n\t$(CXX) -o a b $(L)"),
    ("ifeq ($(CC),nvcc)\nX = 1\nendif", "ifeq ($(CC),hipcc)\nX = 1\nendif"),
    ("all: CFLAGS += -arch=sm_70", "all: CFLAGS += --offload-arch=gfx90a"),
    ("export NVCC=nvcc", "export NVCC=hipcc"),
    ("t:\n\tcd x && nvcc -arch=sm_80 y.cu; echo done", "t:\n\tcd x && hipcc --offload-arch=gfx90a y.cu; echo done"),
    ("a.o: a.cpp\n\tnvcc -x cu -c a.cpp", "a.o: a.cpp\n\thipcc -x hip -c a.cpp"),
    ("F := $(N) $(addprefix -Xcompiler ,$(CCFLAGS)) -m64", "F := $(N) $(CCFLAGS) -m64"),
    ("F := $(patsubst %,-Xcompiler %,$(CCFLAGS))", "F := $(patsubst %,%,$(CCFLAGS))"),
    ("F := $(foreach f,$(CCFLAGS),-Xcompiler $f)", "F := $(foreach f,$(CCFLAGS),$f)"),
    ("CC = nvcc -x c", "CC = hipcc -x c"),
    ("A = nvcc\r\nB = -use_fast_math\r\n", "A = hipcc\r\nB = -ffast-math\r\n"),
]
MAKE_STAYS = [
    "# nvcc -arch=sm_80\nX = 1",
    "CUDA_SRC = a.cu b.cu\nOBJ = $(CUDA_SRC:.cu=.o)",
    "F = -DUSE_CUDA -DCUDA_ARCH=80 -I../cuda_utils -O3 -Wall",
    "%.o: %.cu cuda_common.cuh\n\techo $<",
    "a: b\n\tgcc -G 4 -t x.c",
    "F = -std=c++17 -g -MMD",
    "NVCCFLAGS = --offload-arch=gfx90a -ffast-math",
    "clean:\n\trm -rf nvcc_cache cuda.log",
]


@pytest.mark.parametrize(("before", "after"), MAKE)
def test_make(before: str, after: str) -> None:
    assert become("make", before) == after


@pytest.mark.parametrize("text", MAKE_STAYS)
def test_make_stays(text: str) -> None:
    assert become("make", text) == text
    assert not codes("make", text)


def test_make_without_architectures() -> None:
    text = "ARCH ?= sm_80\nF = -arch=$(ARCH)\nG = -arch=sm_70\n"
    assert become("make", text, Settings()) == "ARCH ?= native\nF = --offload-arch=$(ARCH)\nG = --offload-arch=native\n"
    assert [each[:2] for each in codes("make", text, Settings()) if each[2] == "warning"] == [
        (1, "HPY505"), (2, "HPY505"), (3, "HPY505")]


@pytest.mark.parametrize(("text", "line", "code"), [
    ("CUDA_HOME ?= /usr/local/cuda", 1, "HPY508"),
    ("I = -I$(CUDA_PATH)/include", 1, "HPY508"),
    ("t:\n\tnvprof ./a", 2, "HPY510"),
    ("L = -lnppc", 1, "HPY507"),
    ("SM = sm_70", 1, "HPY505"),
])
def test_make_reports(text: str, line: int, code: str) -> None:
    assert (line, code) in [each[:2] for each in codes("make", text)]


PYTHON = [
    ('F = ["-O3", "--use_fast_math", "-lineinfo"]', 'F = ["-O3", "-ffast-math", "-gline-tables-only"]'),
    ('F = ["-gencode", "arch=compute_80,code=sm_80", "-O3"]', 'F = ["--offload-arch=gfx90a", "-O3"]'),
    ('F = ["-O3", "-gencode=arch=compute_70,code=sm_70", "-gencode=arch=compute_80,code=sm_80"]',
     'F = ["-O3", "--offload-arch=gfx90a"]'),
    ('F = [\n    "-O3",\n    "--expt-relaxed-constexpr",\n    "-DX",\n]', 'F = [\n    "-O3",\n    "-DX",\n]'),
    ("F = ['-Xcompiler', '-fPIC', '-Xcompiler=-Wall']", "F = ['-fPIC', '-Wall']"),
    ('F = ["-O3", "--expt-extended-lambda"]', 'F = ["-O3"]'),
    ('x = {"nvcc": ["-O3", "-t", "4", "-G"], "cxx": ["-G"]}', 'x = {"nvcc": ["-O3", "-parallel-jobs=4", "-g"], "cxx": ["-G"]}'),
    ('F.append("--use_fast_math")', 'F.append("-ffast-math")'),
    ('setup(libraries=["cublas", "m"], extra_link_args=["-lcusparse"])',
     'setup(libraries=["hipblas", "m"], extra_link_args=["-lhipsparse"])'),
    ('import torch\nE(libraries=["cudart", "cufft"])', 'import torch\nE(libraries=["hipfft"])'),
    ('E(libraries=["cudart"])', 'E(libraries=["amdhip64"])'),
    ('import torch\nLIBS = ["cublas", "z"]', 'import torch\nLIBS = ["hipblas", "z"]'),
    ('E(extra_link_args=["-lcudart"])', 'E(extra_link_args=["-lamdhip64"])'),
    ('import torch\nE(extra_link_args=["-O2", "-lcudart"])', 'import torch\nE(extra_link_args=["-O2"])'),
    ('F = ["--compiler-options", "\'-fPIC\'"]', 'F = ["-fPIC"]'),
    ("F = ['-c', '--compiler-options', \"'-fPIC'\", '-g']", "F = ['-c', '-fPIC', '-g']"),
    ("F = ['-gencode', \"arch=compute_80,code=sm_80\"]", "F = ['--offload-arch=gfx90a']"),
    ('subprocess.check_call(["nvcc", "-O3", "-arch=sm_70", "k.cu"])',
     'subprocess.check_call(["hipcc", "-O3", "--offload-arch=gfx90a", "k.cu"])'),
    ('home + "/bin/nvcc"', 'home + "/bin/hipcc"'),
    ("f'{home}/bin/nvcc'", "f'{home}/bin/hipcc'"),
    ('os.path.join(home, "bin", "nvcc")', 'os.path.join(home, "bin", "hipcc")'),
    ('F = ["-O3 --use_fast_math -g"]', 'F = ["-O3 -ffast-math -g"]'),
]
PYTHON_STAYS = [
    'CUDAExtension("ripples_cuda", ["a.cpp", "ripples_cuda.cu"])',
    'F = ["-DMY_CUDA_TILE=4", "-I/opt/CUDA_extras/include", "-U__CUDA_NO_HALF_OPERATORS__"]',
    'x = {"nvcc": ["-O3"], "cxx": []}',
    'x["nvcc"] = []',
    'if compiler == "nvcc": pass',
    "# --use_fast_math\nx = 1",
    'print("CUDA --use_fast_math is off")',
    'name = "cublas"',
    "torch.cuda.is_available()",
]


@pytest.mark.parametrize(("before", "after"), PYTHON)
def test_setup_py(before: str, after: str) -> None:
    assert become("py", before) == after
    compile(after, "setup.py", "exec")


@pytest.mark.parametrize("text", PYTHON_STAYS)
def test_setup_py_stays(text: str) -> None:
    assert become("py", text) == text
    assert not codes("py", text)


@pytest.mark.parametrize(("text", "code"), [
    ("import torch\nif CUDA_HOME is None: pass", "HPY508"),
    ("import torch\nx = torch.version.cuda", "HPY510"),
    ('\nos.environ["TORCH_CUDA_ARCH_LIST"] = "8.0"', "HPY508"),
    ('\nF.append(f"-gencode=arch=compute_{cc},code=sm_{cc}")', "HPY505"),
    ('\nF.append("arch=compute_70,code=sm_70")', "HPY505"),
    ('\nF.append("--expt-relaxed-constexpr")', "HPY503"),
    ('\nnvcc.append("-dc")', "HPY503"),
    ('\nE(libraries=["nppc"])', "HPY507"),
    ('\nd = "/usr/local/cuda/lib64"', "HPY508"),
])
def test_setup_py_reports(text: str, code: str) -> None:
    assert (2, code) in [each[:2] for each in codes("py", text)]
    assert become("py", text) == text


def test_setup_py_that_is_no_python_stays() -> None:
    text = 'print "-arch=sm_80"\n'
    assert become("py", text) == text
    assert codes("py", text) == [(1, "HPY510", "warning")]


MESON = [
    ("project('x', 'cpp', 'cuda')", "project('x', 'cpp')"),
    ("project('x', 'cuda')", "project('x', 'cpp')"),
    ("project('x', ['cuda', 'cpp'])", "project('x', ['cpp'])"),
    ("d = dependency('cuda', required: false)",
     "d = dependency('hip', method: 'cmake', modules: ['hip::host'], required: false)"),
    ("executable('a', 'a.cpp', cuda_args: ['-arch=sm_80', '--use_fast_math'])",
     "executable('a', 'a.cpp', cpp_args: ['--offload-arch=gfx90a', '-ffast-math'])"),
    ("add_project_arguments('-lineinfo', language: 'cuda')", "add_project_arguments('-gline-tables-only', language: 'cpp')"),
    ("find_program('nvcc')", "find_program('hipcc')"),
    ("cc.find_library('cublas')", "cc.find_library('hipblas')"),
    ("meson.get_compiler('cuda')", "meson.get_compiler('cpp')"),
]


@pytest.mark.parametrize(("before", "after"), MESON)
def test_meson(before: str, after: str) -> None:
    assert become("meson", before) == after


def test_meson_sources_go_through_the_generator() -> None:
    after = become("meson", "project('x', 'cpp', 'cuda')\nexecutable('a', 'k.cu')\n")
    assert after.startswith("project('x', 'cpp')\nhipify_py = generator(\n")
    assert after.endswith("executable('a', hipify_py.process('k.cu'))\n")


@pytest.mark.parametrize("text", ["project('cuda', 'cpp')", "# dependency('cuda')", "x = 'nvcc and cuda'", "subdir('cuda')"])
def test_meson_stays(text: str) -> None:
    assert become("meson", text) == text


def test_sources_follow_their_translations(tmp_path: Path) -> None:
    """Translated together, the build file lists the results."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "k.cu").write_text("__global__ void k() {}\n")
    (tmp_path / "CMakeLists.txt").write_text("add_library(t src/k.cu)\n")
    settings = Settings(renamed_sources=((str(tmp_path / "src" / "k.cu"), "k.hip"),))
    result = translate(b"add_library(t src/k.cu)\n", filename=str(tmp_path / "CMakeLists.txt"), settings=settings)
    assert result.text == b"add_library(t src/k.hip)\n"


@given(st.sampled_from(sorted(NAMES)), st.lists(st.sampled_from([
    "(", ")", '"', "'", "\\", "\n", " ", ";", "$<", ">", "${", "}", "$(", "#", "[[", "]]", "[=[", "\t", ":", "=", "nvcc",
    "-arch=", "-gencode", "sm_80", "-Xcompiler", "set", "project", "CUDA", "CUDA::cublas", "target_link_libraries", "a.cu", ",",
    "-lcudart",
    "[", "]", "define x", "endef", "set_target_properties", "PROPERTIES", "CUDA_ARCHITECTURES", "cuda_add_library", "OPTIONS",
    "\r\n", "\xff", "\0"]), max_size=30))
def test_any_text(kind: str, pieces: list[str]) -> None:
    """No text stops it, and a second run changes nothing that the first one wrote right."""
    data = "".join(pieces).encode("latin-1")
    result = translate(data, filename=NAMES[kind], settings=GFX)
    assert not [each for each in result.diagnostics if each.code.startswith("HPY9")]
    again = translate(result.text, filename=NAMES[kind], settings=GFX)
    assert again.text == result.text


@given(st.sampled_from(sorted(NAMES)), st.binary(max_size=60))
def test_any_bytes(kind: str, data: bytes) -> None:
    result = translate(data, filename=NAMES[kind])
    assert not [each for each in result.diagnostics if each.code.startswith("HPY9")]


def test_tables() -> None:
    actions = {"drop", "replace", "value", "host", "linker", "arch", "library", "keep", "report", "language"}
    for row in flags().values():
        assert row.action in actions, row
        assert row.value in ("yes", "no"), row
        assert row.scope in ("any", "nvcc"), row
        assert row.hip or row.action not in ("replace", "value"), row
        assert row.note or row.action != "report", row
    for lib in libraries().values():
        assert lib.support in ("yes", "no", "differs", "runtime", "target"), lib
        assert lib.hip or lib.support != "yes", lib
        assert lib.note or lib.support not in ("no", "differs"), lib
    for kind in ("variable", "property", "command", "package"):
        assert all(row.note for row in cmake_names(kind).values() if row.action == "lost")
    found = library("CUDA::cublas_static")
    assert found is not None
    assert found.hip == "hipblas"
    assert library("toolkit") is None


def test_command_shows_a_diff_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "Makefile"
    path.write_text("NVCC = nvcc\n")
    assert main(["build-files", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "-NVCC = nvcc\n+NVCC = hipcc\n" in out
    assert f"{path}:1:8: note: the compiler `nvcc` became `hipcc` [HPY502]" in err
    assert path.read_text() == "NVCC = nvcc\n"


def test_a_diff_leaves_a_line_that_only_gets_another_one_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "CMakeLists.txt"
    path.write_text("project(a LANGUAGES HIP)\nadd_library(a a.cu)\ninstall(TARGETS a)\n")
    assert main(["build-files", str(path)]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line[:1] in "+- "][2:] == [
        " project(a LANGUAGES HIP)", " add_library(a a.cu)",
        "+set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)", " install(TARGETS a)"]


def test_command_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "CMakeLists.txt"
    path.write_text("enable_language(CUDA)\n")
    assert main([str(path), "-o", str(tmp_path / "out.txt")]) == 0
    assert (tmp_path / "out.txt").read_text() == "enable_language(HIP)\n"
    assert main(["build-files", "-i", str(path), "--output-format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["files"][0]["edits_by_code"] == {"HPY501": 1}
    assert path.read_text() == "enable_language(HIP)\n"


def test_command_refuses_what_it_does_not_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.txt").write_text("")
    assert main(["build-files", str(tmp_path / "x.txt")]) == 2
    assert "is no build file that is known" in capsys.readouterr().err


def test_lost_things_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "Makefile"
    path.write_text("L = -lnppc\n")
    assert main(["build-files", str(path), "-q"]) == 1
    assert Severity.ERROR in [each.severity for each in translate(path.read_bytes(), filename="Makefile").diagnostics]


def test_a_flag_that_hipcc_does_not_need_is_said_so_once() -> None:
    messages = [each.message for each in translate(b"F = --extended-lambda -maxrregcount=32\n", filename="Makefile").diagnostics]
    assert "the nvcc flag `--extended-lambda` was removed: hipcc needs no flag for it" in messages
    assert ("the nvcc flag `-maxrregcount=32` was removed: hipcc has none for it; bound the registers of a kernel with "
            "`__launch_bounds__`") in messages


def test_help_is_the_subcommands_own(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("-h", "--help"):
        assert main(["build-files", word]) == 0
        assert capsys.readouterr().out.startswith("usage: hipify-py build-files ")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"CMakeLists.txt": "enable_language(CUDA)\n", "tools/Makefile": "all:\n\tnvcc -c a.cu\n",
             "host/CMakeLists.txt": "add_library(host host.cpp)\n", "src/k.cu": "cudaStream_t s;\n",
             "build/CMakeCache.txt": "", "build/Makefile": "CUDA = 1\n", "build/sub/x.cmake": "# CUDA\n",
             "ignored/Makefile": "NVCC = nvcc\n", ".gitignore": "ignored/\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_of_a_folder_those_with_cuda_are_taken(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build-files", "."]) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line.startswith("+++ ")] == ["+++ CMakeLists.txt", "+++ tools/Makefile"]
    assert main(["build-files", "host"]) == 2
    assert "`host` holds no build file with CUDA in it" in capsys.readouterr().err


def test_a_run_that_writes_names_the_build_files_that_are_left(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = "build files with CUDA in them: 2, `--build-files` takes them along (CMakeLists.txt, tools/Makefile)"
    assert main([".", "--output-dir", "hip"]) == 0
    assert said in capsys.readouterr().err
    for more in ([], ["--check"], ["-q"]):
        assert main([".", "--output-dir", "hip", *more]) == 0
        assert "build files" not in capsys.readouterr().err


def test_build_files_of_a_folder_go_along(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("CMakeLists.txt").write_text("project(p LANGUAGES CUDA)\nadd_library(k src/k.cu)\n")
    assert main([".", "--output-dir", "hip", "--build-files", "--copy-others"]) == 0
    assert "build files with CUDA" not in capsys.readouterr().err
    assert Path("hip/CMakeLists.txt").read_text() == "project(p LANGUAGES HIP)\nadd_library(k src/k.hip)\n"
    assert "hipcc -c a.cu" in Path("hip/tools/Makefile").read_text()
    assert Path("hip/host/CMakeLists.txt").read_text() == Path("host/CMakeLists.txt").read_text()
    assert main([".", "--output-dir", "hip", "--build-files", "--copy-others", "--check", "-q", "--quiet-warnings"]) == 0
    assert main([".", "-i", "--build-files"]) == 0
    assert "set_source_files_properties(src/k.cu PROPERTIES LANGUAGE HIP)" in Path("CMakeLists.txt").read_text()


def test_sources_that_become_hip_are_one_note(project: Path) -> None:
    result = translate(b"add_library(a a.cu b.cu c.cu)\n", filename="CMakeLists.txt")
    assert [each.message for each in result.diagnostics if each.code == "HPY509"] == [
        "`a.cu` and 2 more get the property `LANGUAGE HIP`: translate in place, or list the `.hip` here, which needs none"]
