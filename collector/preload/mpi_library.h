// SPDX-License-Identifier: Apache-2.0
// The program's MPI behind our calls of it: PMPI_*, Fortran's pmpi_*_, and what is asked of it about handles. Found when
// it is first called, which may be long after the start, in a library that only the caller sees. Any thread.
#pragma once

#include "collector/preload/door.h"
#include "collector/preload/mpi_table.h"

namespace lanescope::preload {

constexpr std::size_t kMostArguments = 13;
struct MpiArguments {
  Word at[kMostArguments];
};

enum class Mpi : std::uint32_t {
#define LANESCOPE_INDEX(name, fortran, kind, ...) k##name,
  LANESCOPE_MPI_CALLS(LANESCOPE_INDEX)
#undef LANESCOPE_INDEX
      kCount,
};
/// Of the module mpi_f08, whose arguments are those of Fortran: what it wraps in types is a number in memory all the same.
/// MPICH has calls with buffers by other names there (_f08ts_); these call C's, which are recorded.
enum class Language : std::uint8_t { kC, kFortran, kFortran08 };

/// Null where there is none. `caller`: code of the program, in whose scope the library is.
void* realMpi(Mpi call, Language language, const void* caller);
Word callMpi(void* function, const MpiArguments& arguments);

/// Open MPI's handles are pointers, MPICH's ints.
bool handlesArePointers(const void* caller);
/// MPI_COMM_WORLD as C has it.
Word worldOf(const void* caller);

/// Of C's handles, or Fortran's; -1 if it is not to be had.
std::int64_t typeSize(Word type, Language language, const void* caller);
std::int32_t rankIn(Word communicator, Language language, const void* caller);
std::int32_t sizeOf(Word communicator, Language language, const void* caller);

/// What a status of C says was received: how many elements of the type, and from which rank; -1 if it does not.
std::int32_t receivedCount(Word status, Word type, const void* caller);
std::int32_t receivedFrom(Word status, const void* caller);

}  // namespace lanescope::preload
