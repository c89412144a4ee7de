# hipify-py in a CMake build.
#
#   hipify_py_sources(<variable> <source>... [OUTPUT_DIR <dir>] [INCLUDE_DIRS <dir>...] [OPTIONS <option>...])
#
# Translates the sources when they, or headers of theirs, have changed, and sets <variable> to the results, to be given to
# add_library() or add_executable(). Local headers are translated beside them, in the layout of the source folder; sources
# that are no CUDA (.cpp) are translated too, others are passed on.
#
#   OUTPUT_DIR    default: ${CMAKE_CURRENT_BINARY_DIR}/hip
#   INCLUDE_DIRS  folders for #include, as -I
#   OPTIONS       options of `python -m hipify_py.build`, such as --rocm 6.2
#
# With HIP as a language the results are .hip; without it they are .hip.cpp, for CMAKE_CXX_COMPILER=hipcc.
#
# HipifyPy_PYTHON names the Python that has hipify-py; default: the one that CMake finds first.
include_guard(GLOBAL)
cmake_minimum_required(VERSION 3.20)  # DEPFILE with every generator but Visual Studio's and Xcode's

if(NOT HipifyPy_PYTHON)
  find_program(HipifyPy_PYTHON NAMES python3 python REQUIRED DOC "the Python that has hipify-py")
endif()

function(hipify_py_sources variable)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIR" "INCLUDE_DIRS;OPTIONS")
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR "${CMAKE_CURRENT_BINARY_DIR}/hip")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(suffix ".hip.cpp")
  if("HIP" IN_LIST languages)
    set(suffix ".hip")
  endif()
  set(flags ${arg_OPTIONS})
  if(CMAKE_GENERATOR MATCHES "Make")
    list(APPEND flags --touch)
  endif()
  foreach(dir IN LISTS arg_INCLUDE_DIRS)
    get_filename_component(dir "${dir}" ABSOLUTE)
    list(APPEND flags -I "${dir}")
  endforeach()

  set(results)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    if(NOT source MATCHES "\\.(cu|cc|cpp|cxx|c)$")
      list(APPEND results "${source}")
      continue()
    endif()
    get_filename_component(input "${source}" ABSOLUTE)
    file(RELATIVE_PATH inner "${CMAKE_CURRENT_SOURCE_DIR}" "${input}")
    if(inner MATCHES "^\\.\\./")
      message(FATAL_ERROR "hipify_py_sources: ${source} lies outside ${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    string(REGEX REPLACE "\\.cu$" "${suffix}" inner "${inner}")
    set(output "${arg_OUTPUT_DIR}/${inner}")
    get_filename_component(folder "${output}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(
      OUTPUT "${output}"
      COMMAND "${HipifyPy_PYTHON}" -m hipify_py.build "${input}" -o "${output}" --root "${CMAKE_CURRENT_SOURCE_DIR}"
              --depfile "${output}.d" ${flags}
      DEPENDS "${input}"
      DEPFILE "${output}.d"
      COMMENT "Translating ${source} to HIP"
      VERBATIM)
    list(APPEND results "${output}")
  endforeach()
  set(${variable} ${results} PARENT_SCOPE)
endfunction()
