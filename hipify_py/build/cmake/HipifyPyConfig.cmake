# find_package(HipifyPy) with HipifyPy_DIR from `python -m hipify_py --cmake-dir`.
include("${CMAKE_CURRENT_LIST_DIR}/HipifyPy.cmake")
set(HipifyPy_FOUND TRUE)
