# SPDX-License-Identifier: Apache-2.0
# What is loaded into the profiled program. It takes nothing with it that the program might have too: its own static C++
# library, no CUPTI, three symbols to the outside.
if(CUDAToolkit_VERSION VERSION_LESS 13.0)
  message(STATUS "CUDA toolkit ${CUDAToolkit_VERSION} is older than 13.0: the injected library is not built")
  return()
endif()

list(FILTER inject_files EXCLUDE REGEX "entry.cpp$")
add_library(lanescope_inject_parts STATIC ${inject_files})
target_include_directories(lanescope_inject_parts SYSTEM PUBLIC ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(lanescope_inject_parts PUBLIC lanescope_options lanescope_wire lanescope_python ${CMAKE_DL_LIBS})
target_compile_options(lanescope_inject_parts PRIVATE -fvisibility=hidden -fvisibility-inlines-hidden -fno-exceptions
                                                      -fno-rtti -fno-threadsafe-statics -fno-omit-frame-pointer
                                                      -ftls-model=initial-exec)
if(NOT LANESCOPE_SANITIZE)
  target_compile_options(lanescope_inject_parts PRIVATE -include ${CMAKE_SOURCE_DIR}/collector/inject/old_glibc.h)
endif()

add_library(lanescope-inject SHARED collector/inject/entry.cpp)
target_link_libraries(lanescope-inject PRIVATE -Wl,--whole-archive lanescope_inject_parts -Wl,--no-whole-archive)
target_compile_options(lanescope-inject PRIVATE -fvisibility=hidden -fno-exceptions -fno-rtti)
set(exports ${CMAKE_SOURCE_DIR}/collector/inject/exports.map)
target_link_options(lanescope-inject PRIVATE -static-libstdc++ -static-libgcc -Wl,-z,nodelete -Wl,-z,now -Wl,-Bsymbolic
                    -Wl,--exclude-libs,ALL -Wl,--version-script=${exports})
set_target_properties(lanescope-inject PROPERTIES LINK_DEPENDS ${exports})
