# SPDX-License-Identifier: Apache-2.0
# Programs that the tests of the preloaded libraries run, and where all is. Included after collector_tests is made.
add_executable(os_program collector/preload/programs/os_program.cpp collector/preload/programs/os_waits.cpp)
target_link_libraries(os_program PRIVATE lanescope_options Threads::Threads)
add_executable(signal_program collector/preload/programs/signal_program.cpp collector/preload/programs/os_waits.cpp)
target_link_libraries(signal_program PRIVATE lanescope_options Threads::Threads)
add_dependencies(collector_tests os_program signal_program lanescope-preload lanescope-mpi)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_PRELOAD="$<TARGET_FILE:lanescope-preload>"
                                                   LANESCOPE_PRELOAD_MPI="$<TARGET_FILE:lanescope-mpi>"
                                                   LANESCOPE_OS_PROGRAM="$<TARGET_FILE:os_program>"
                                                   LANESCOPE_SIGNAL_PROGRAM="$<TARGET_FILE:signal_program>")

# A fake MPI for each kind of handles, and the same program with each.
foreach(kind pointers ints)
  add_library(fake_mpi_${kind} SHARED collector/preload/programs/fake_mpi.cpp)
  target_link_libraries(fake_mpi_${kind} PRIVATE lanescope_options)
  add_executable(mpi_program_${kind} collector/preload/programs/mpi_program.cpp)
  target_link_libraries(mpi_program_${kind} PRIVATE lanescope_options fake_mpi_${kind})
  add_dependencies(collector_tests mpi_program_${kind})
  string(TOUPPER ${kind} name)
  target_compile_definitions(collector_tests PRIVATE LANESCOPE_MPI_OF_${name}="$<TARGET_FILE:mpi_program_${kind}>")
endforeach()
target_compile_definitions(fake_mpi_pointers PRIVATE FAKE_MPI_POINTERS)
target_compile_definitions(mpi_program_pointers PRIVATE FAKE_MPI_POINTERS)

# The recorder linked into a program, for sanitizers.
add_executable(door_program collector/preload/programs/door_program.cpp)
target_link_libraries(door_program PRIVATE lanescope_inject_parts Threads::Threads)
add_dependencies(collector_tests door_program)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_DOOR_PROGRAM="$<TARGET_FILE:door_program>")

# What is preloaded, linked into a program under names of its own, for sanitizers.
file(GLOB called CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/collector/preload/os_*.cpp)
add_executable(called_program collector/preload/programs/called_program.cpp ${called}
                              ${CMAKE_SOURCE_DIR}/collector/preload/real.cpp)
target_compile_definitions(called_program PRIVATE LANESCOPE_PRELOAD_CALLED)
target_link_libraries(called_program PRIVATE lanescope_inject_parts Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(collector_tests called_program)
target_compile_definitions(collector_tests PRIVATE LANESCOPE_CALLED_PROGRAM="$<TARGET_FILE:called_program>")

# Measured by hand (tests/bench/RESULTS.md).
add_executable(call_cost EXCLUDE_FROM_ALL programs/call_cost.cpp)
target_link_libraries(call_cost PRIVATE lanescope_options Threads::Threads)
