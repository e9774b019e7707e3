# SPDX-License-Identifier: Apache-2.0
# What is preloaded into the profiled program: one library for calls into the OS runtime, one for MPI, so that only who asks
# for MPI has its names. No C++ library at all, no symbols to the outside but the calls that they stand in for; what they
# record goes through the injected library, which must lie beside.
function(lanescope_preload name part)
  file(GLOB files CONFIGURE_DEPENDS collector/preload/door.* collector/preload/${part}_*.cpp
       collector/preload/${part}_*.h)
  if(part STREQUAL os)
    list(APPEND files ${CMAKE_SOURCE_DIR}/collector/preload/real.cpp)
  endif()
  add_library(${name} SHARED ${files})
  target_link_libraries(${name} PRIVATE lanescope_options ${CMAKE_DL_LIBS})
  target_compile_options(${name} PRIVATE -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics
                                         -fno-omit-frame-pointer -ftls-model=initial-exec -U_FORTIFY_SOURCE)
  if(NOT LANESCOPE_SANITIZE)
    target_compile_options(${name} PRIVATE -include ${CMAKE_SOURCE_DIR}/collector/preload/old_glibc.h)
  endif()
  set(exports ${CMAKE_SOURCE_DIR}/collector/preload/${part}_exports.map)
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -Wl,-z,nodelete -Wl,-z,now
                      -Wl,--exclude-libs,ALL -Wl,--version-script=${exports})
  set_target_properties(${name} PROPERTIES LINK_DEPENDS ${exports})
endfunction()
lanescope_preload(lanescope-preload os)
lanescope_preload(lanescope-mpi mpi)
