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
target_link_libraries(collector_tests PRIVATE lanescope_inject_parts)
add_dependencies(collector_tests lanescope-inject)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_INJECT="$<TARGET_FILE:lanescope-inject>"
                                                   LANESCOPE_NVTX_PROGRAM="$<TARGET_FILE:nvtx_program>")
