// SPDX-License-Identifier: Apache-2.0
// Linked into the portable command line, so that what was built with a newer glibc starts with 2.28 too. glibc gives
// functions a new version when they move between its libraries or learn something; programs that are linked then ask
// for it. Each name here stands before glibc's and goes on to the older version, which every later glibc keeps. What
// is younger than 2.28 altogether is made of what is not. `packaging/package.sh` holds the result against that version.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#if defined(__x86_64__) && defined(__GLIBC__)

#define GO_ON_TO(name, version)                                                                          \
  asm(".text\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":\n  jmp " #name \
      "_older@PLT\n.size " #name ", . - " #name "\n.symver " #name "_older, " #name "@" version)

// In libc since 2.34, before in libpthread and libdl.
GO_ON_TO(dladdr, "GLIBC_2.2.5");
GO_ON_TO(dlclose, "GLIBC_2.2.5");
GO_ON_TO(dlerror, "GLIBC_2.2.5");
GO_ON_TO(dlopen, "GLIBC_2.2.5");
GO_ON_TO(dlsym, "GLIBC_2.2.5");
GO_ON_TO(__pthread_key_create, "GLIBC_2.2.5");
GO_ON_TO(pthread_create, "GLIBC_2.2.5");
GO_ON_TO(pthread_detach, "GLIBC_2.2.5");
GO_ON_TO(pthread_getspecific, "GLIBC_2.2.5");
GO_ON_TO(pthread_join, "GLIBC_2.2.5");
GO_ON_TO(pthread_key_create, "GLIBC_2.2.5");
GO_ON_TO(pthread_key_delete, "GLIBC_2.2.5");
GO_ON_TO(pthread_mutex_trylock, "GLIBC_2.2.5");
GO_ON_TO(pthread_mutexattr_destroy, "GLIBC_2.2.5");
GO_ON_TO(pthread_mutexattr_init, "GLIBC_2.2.5");
GO_ON_TO(pthread_mutexattr_settype, "GLIBC_2.2.5");
GO_ON_TO(pthread_once, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_destroy, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_init, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_rdlock, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_tryrdlock, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_unlock, "GLIBC_2.2.5");
GO_ON_TO(pthread_rwlock_wrlock, "GLIBC_2.2.5");
GO_ON_TO(pthread_setname_np, "GLIBC_2.12");
GO_ON_TO(pthread_setspecific, "GLIBC_2.2.5");
GO_ON_TO(pthread_sigmask, "GLIBC_2.2.5");
GO_ON_TO(sem_post, "GLIBC_2.2.5");
GO_ON_TO(sem_wait, "GLIBC_2.2.5");

// Without matherr since 2.29.
GO_ON_TO(exp, "GLIBC_2.2.5");
GO_ON_TO(log, "GLIBC_2.2.5");
GO_ON_TO(log2, "GLIBC_2.2.5");
GO_ON_TO(pow, "GLIBC_2.2.5");

extern "C" {

#define OLDER [[gnu::visibility("hidden")]]

// Functions since 2.33; before, inline calls of these with a version of the struct.
int older_xstat(int version, const char* path, struct stat* status);
int older_lxstat(int version, const char* path, struct stat* status);
int older_fxstat(int version, int file, struct stat* status);
int older_fxstatat(int version, int folder, const char* path, struct stat* status, int flags);
asm(".symver older_xstat, __xstat@GLIBC_2.2.5");
asm(".symver older_lxstat, __lxstat@GLIBC_2.2.5");
asm(".symver older_fxstat, __fxstat@GLIBC_2.2.5");
asm(".symver older_fxstatat, __fxstatat@GLIBC_2.4");

constexpr int kStatVersion = 1;
static_assert(sizeof(struct stat) == sizeof(struct stat64));

OLDER int stat(const char* path, struct stat* status) noexcept { return older_xstat(kStatVersion, path, status); }
OLDER int lstat(const char* path, struct stat* status) noexcept { return older_lxstat(kStatVersion, path, status); }
OLDER int fstat(int file, struct stat* status) noexcept { return older_fxstat(kStatVersion, file, status); }
OLDER int fstatat(int folder, const char* path, struct stat* status, int flags) noexcept {
  return older_fxstatat(kStatVersion, folder, path, status, flags);
}
OLDER int stat64(const char* path, struct stat64* status) noexcept {
  return older_xstat(kStatVersion, path, reinterpret_cast<struct stat*>(status));
}
OLDER int lstat64(const char* path, struct stat64* status) noexcept {
  return older_lxstat(kStatVersion, path, reinterpret_cast<struct stat*>(status));
}
OLDER int fstat64(int file, struct stat64* status) noexcept {
  return older_fxstat(kStatVersion, file, reinterpret_cast<struct stat*>(status));
}

// libstdc++ asks these two. Never "single threaded": its counters are then atomic, as they were before 2.32.
OLDER char __libc_single_threaded = 0;
OLDER std::uint32_t arc4random() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) std::abort();
  return number;
}

// libgcc looks for the unwinding table of an address so since 2.35.
struct Search {
  std::uintptr_t address;
  dl_find_object* found;
};
static int holds(dl_phdr_info* object, std::size_t, void* data) {
  const auto* search = static_cast<Search*>(data);
  const ElfW(Phdr)* code = nullptr;
  const ElfW(Phdr)* table = nullptr;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && search->address - (object->dlpi_addr + part.p_vaddr) < part.p_memsz) code = &part;
    if (part.p_type == PT_GNU_EH_FRAME) table = &part;
  }
  if (!code || !table) return 0;
  search->found->dlfo_map_start = reinterpret_cast<void*>(object->dlpi_addr + code->p_vaddr);
  search->found->dlfo_map_end = reinterpret_cast<void*>(object->dlpi_addr + code->p_vaddr + code->p_memsz);
  search->found->dlfo_eh_frame = reinterpret_cast<void*>(object->dlpi_addr + table->p_vaddr);
  return 1;
}
OLDER int _dl_find_object(void* address, dl_find_object* found) noexcept {
  *found = {};
  Search search{reinterpret_cast<std::uintptr_t>(address), found};
  return dl_iterate_phdr(holds, &search) == 1 ? 0 : -1;
}

// Since 2.34 a program's constructors are run by glibc; an older one is handed a function that does.
using Constructor = void (*)(int, char**, char**);
extern Constructor __preinit_array_start[] [[gnu::visibility("hidden")]];
extern Constructor __preinit_array_end[] [[gnu::visibility("hidden")]];
extern Constructor __init_array_start[] [[gnu::visibility("hidden")]];
extern Constructor __init_array_end[] [[gnu::visibility("hidden")]];
OLDER extern void _init();

static void construct(int argc, char** argv, char** environment) {
  for (Constructor* each = __preinit_array_start; each != __preinit_array_end; ++each) (*each)(argc, argv, environment);
  _init();
  for (Constructor* each = __init_array_start; each != __init_array_end; ++each) (*each)(argc, argv, environment);
}

using Main = int(int, char**, char**);
int older_start(Main* main, int argc, char** argv, Constructor init, void (*fini)(), void (*loader)(), void* stack);
asm(".symver older_start, __libc_start_main@GLIBC_2.2.5");
OLDER int __libc_start_main(Main* main, int argc, char** argv, Constructor, void (*fini)(), void (*loader)(),
                            void* stack) {
  return older_start(main, argc, argv, construct, fini, loader, stack);
}

}  // extern "C"

#endif
