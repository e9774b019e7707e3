// SPDX-License-Identifier: Apache-2.0
#include "collector/preload/mpi_library.h"

#include <dlfcn.h>

namespace lanescope::preload {
namespace {

constexpr auto kCalls = static_cast<std::uint32_t>(Mpi::kCount);
constexpr const char* kNames[3][kCalls] = {
    {
#define LANESCOPE_NAME(name, fortran, kind, ...) "PMPI_" #name,
        LANESCOPE_MPI_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
    },
    {
#define LANESCOPE_NAME(name, fortran, kind, ...) "pmpi_" #fortran "_",
        LANESCOPE_MPI_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
    },
    {  // the next one of its own name, as MPICH has no other
#define LANESCOPE_NAME(name, fortran, kind, ...) "mpi_" #fortran "_f08_",
     LANESCOPE_MPI_CALLS(LANESCOPE_NAME)
#undef LANESCOPE_NAME
    },
};
void* foundCalls[3][kCalls];

/// In all that is loaded for everybody, from `first` on, else in what the caller's library was linked with.
void* lookUp(const char* name, const void* caller, void* first = RTLD_NEXT) {
  if (void* symbol = dlsym(first, name)) return symbol;
  Dl_info who{};
  if (dladdr(caller, &who) == 0 || who.dli_fname == nullptr) return nullptr;
  void* library = dlopen(who.dli_fname, RTLD_LAZY | RTLD_NOLOAD);  // stays open: it is there anyway
  return library != nullptr ? dlsym(library, name) : nullptr;
}

/// Looked up once; what is not there is looked up again.
void* kept(void*& place, const char* name, const void* caller) {
  void* function = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
  if (function != nullptr) return function;
  function = lookUp(name, caller);
  __atomic_store_n(&place, function, __ATOMIC_RELEASE);
  return function;
}

/// What is asked of a handle: a function of C, and Fortran's, which has the same places but for where its error goes.
struct Question {
  const char *c, *fortran;
  void *foundC, *foundFortran;
};
Question typeSizes{"PMPI_Type_size", "pmpi_type_size_", nullptr, nullptr};
Question ranks{"PMPI_Comm_rank", "pmpi_comm_rank_", nullptr, nullptr};
Question sizes{"PMPI_Comm_size", "pmpi_comm_size_", nullptr, nullptr};

bool ask(Question& question, Word handle, Language language, const void* caller, int& answer) {
  if (language == Language::kC) {
    void* function = kept(question.foundC, question.c, caller);
    return function != nullptr && reinterpret_cast<int (*)(Word, int*)>(function)(handle, &answer) == 0;
  }
  void* function = kept(question.foundFortran, question.fortran, caller);
  if (function == nullptr) return false;
  auto number = static_cast<std::int32_t>(handle);
  int error = -1;
  reinterpret_cast<void (*)(std::int32_t*, int*, int*)>(function)(&number, &answer, &error);
  return error == 0;
}

}  // namespace

void* realMpi(Mpi call, Language language, const void* caller) {
  const auto which = static_cast<std::uint32_t>(language);
  const auto number = static_cast<std::uint32_t>(call);
  return kept(foundCalls[which][number], kNames[which][number], caller);
}

Word callMpi(void* function, const MpiArguments& arguments) {
  using Function = Word (*)(Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word, Word);
  const Word* a = arguments.at;
  return reinterpret_cast<Function>(function)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
                                              a[12]);
}

namespace {

/// The program may have a copy of it, which is the one that counts.
void* worldOfOpenMpi(const void* caller) { return lookUp("ompi_mpi_comm_world", caller, RTLD_DEFAULT); }

}  // namespace

bool handlesArePointers(const void* caller) {
  static std::uint32_t known = 0;  // 1 no, 2 yes
  std::uint32_t answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    answer = worldOfOpenMpi(caller) != nullptr ? 2 : 1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == 2;
}

Word worldOf(const void* caller) {
  constexpr Word kOfMpich = 0x44000000;
  if (!handlesArePointers(caller)) return kOfMpich;
  return reinterpret_cast<Word>(worldOfOpenMpi(caller));
}

std::int32_t receivedCount(Word status, Word type, const void* caller) {
  static void* found = nullptr;
  void* function = kept(found, "PMPI_Get_count", caller);
  int count = -1;
  if (function == nullptr || reinterpret_cast<int (*)(Word, Word, int*)>(function)(status, type, &count) != 0)
    return -1;
  return count;
}

std::int32_t receivedFrom(Word status, const void* caller) {
  const std::size_t place = handlesArePointers(caller) ? 0 : 2;  // MPICH has the count before it
  return reinterpret_cast<const std::int32_t*>(status)[place];
}

std::int64_t typeSize(Word type, Language language, const void* caller) {
  int size = 0;
  return ask(typeSizes, type, language, caller, size) ? size : -1;
}
std::int32_t rankIn(Word communicator, Language language, const void* caller) {
  int rank = 0;
  return ask(ranks, communicator, language, caller, rank) ? rank : -1;
}
std::int32_t sizeOf(Word communicator, Language language, const void* caller) {
  int size = 0;
  return ask(sizes, communicator, language, caller, size) ? size : -1;
}

}  // namespace lanescope::preload
