# SPDX-License-Identifier: Apache-2.0
# Programs that the tests of the injected library run, and where they are. Included after collector_tests is made.
function(lanescope_test_program name)
  add_executable(${name} collector/inject/programs/${name}.cpp)
  target_link_libraries(${name} PRIVATE lanescope_options ${CMAKE_DL_LIBS})
  target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  add_dependencies(collector_tests ${name})
endfunction()

find_package(Threads REQUIRED)
lanescope_test_program(nvtx_program)
target_link_libraries(nvtx_program PRIVATE Threads::Threads)
lanescope_test_program(nvtx_places)
target_link_libraries(nvtx_places PRIVATE Threads::Threads)
add_library(nvtx_later MODULE collector/inject/programs/nvtx_later.cpp)
target_link_libraries(nvtx_later PRIVATE lanescope_options ${CMAKE_DL_LIBS})
target_include_directories(nvtx_later SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
add_dependencies(collector_tests nvtx_later)
lanescope_test_program(cuda_program)
target_link_libraries(cuda_program PRIVATE Threads::Threads)

add_library(mock_cupti SHARED collector/inject/programs/mock_cupti.cpp)
target_link_libraries(mock_cupti PRIVATE lanescope_options)
target_include_directories(mock_cupti SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
set_target_properties(mock_cupti PROPERTIES PREFIX "" OUTPUT_NAME "libcupti.so" SUFFIX ".13" DEBUG_POSTFIX "")

target_link_libraries(collector_tests PRIVATE lanescope_inject_parts)
add_dependencies(collector_tests mock_cupti)
add_dependencies(collector_tests lanescope-inject)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_INJECT="$<TARGET_FILE:lanescope-inject>"
                                                   LANESCOPE_NVTX_PROGRAM="$<TARGET_FILE:nvtx_program>"
                                                   LANESCOPE_NVTX_PLACES="$<TARGET_FILE:nvtx_places>"
                                                   LANESCOPE_NVTX_LATER="$<TARGET_FILE:nvtx_later>"
                                                   LANESCOPE_CUDA_PROGRAM="$<TARGET_FILE:cuda_program>"
                                                   LANESCOPE_MOCK_CUPTI="$<TARGET_FILE:mock_cupti>")
