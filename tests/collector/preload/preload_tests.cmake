# SPDX-License-Identifier: Apache-2.0
# Programs that the tests of the preloaded libraries run, and where all is. Included after collector_tests is made.
add_executable(os_program collector/preload/programs/os_program.cpp)
target_link_libraries(os_program PRIVATE lanescope_options Threads::Threads)
add_dependencies(collector_tests os_program lanescope-preload lanescope-mpi)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_PRELOAD="$<TARGET_FILE:lanescope-preload>"
                                                   LANESCOPE_PRELOAD_MPI="$<TARGET_FILE:lanescope-mpi>"
                                                   LANESCOPE_OS_PROGRAM="$<TARGET_FILE:os_program>")
