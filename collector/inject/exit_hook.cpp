// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/exit_hook.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

#include "collector/inject/threads.h"

namespace lanescope::inject {
namespace {

[[noreturn]] void exitAfterFlush(int status) {
  flushBeforeExit();
  for (;;) syscall(SYS_exit_group, status);
}

#if defined(__x86_64__)

struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * calls = nullptr;
  const ElfW(Rela) * data = nullptr;
  std::size_t callsBytes = 0, dataBytes = 0;
};

Tables tablesOf(const dl_phdr_info& object, const ElfW(Dyn) * dynamic) {
  Tables tables;
  const auto at = [&](const ElfW(Dyn) & entry) {
    const ElfW(Addr) address = entry.d_un.d_ptr;  // the linker has made most of them absolute
    return reinterpret_cast<const char*>(address < object.dlpi_addr ? address + object.dlpi_addr : address);
  };
  bool isRela = true;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    switch (dynamic->d_tag) {
      case DT_SYMTAB:
        tables.symbols = reinterpret_cast<const ElfW(Sym)*>(at(*dynamic));
        break;
      case DT_STRTAB:
        tables.names = at(*dynamic);
        break;
      case DT_JMPREL:
        tables.calls = reinterpret_cast<const ElfW(Rela)*>(at(*dynamic));
        break;
      case DT_PLTRELSZ:
        tables.callsBytes = dynamic->d_un.d_val;
        break;
      case DT_PLTREL:
        isRela = dynamic->d_un.d_val == DT_RELA;
        break;
      case DT_RELA:
        tables.data = reinterpret_cast<const ElfW(Rela)*>(at(*dynamic));
        break;
      case DT_RELASZ:
        tables.dataBytes = dynamic->d_un.d_val;
        break;
      default:
        break;
    }
  }
  if (!isRela) tables.calls = nullptr;
  return tables;
}

/// The slot may lie in pages that the linker has made read-only.
void lead(ElfW(Addr) address, bool isProtected) {
  auto* slot = reinterpret_cast<void**>(address);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* start = reinterpret_cast<void*>(address & ~(page - 1));
  if (isProtected && mprotect(start, page, PROT_READ | PROT_WRITE) != 0) return;
  __atomic_store_n(slot, reinterpret_cast<void*>(exitAfterFlush), __ATOMIC_RELEASE);
  if (isProtected) mprotect(start, page, PROT_READ);
}

int leadObject(dl_phdr_info* object, std::size_t, void*) {
  const ElfW(Dyn)* dynamic = nullptr;
  ElfW(Addr) protectedFrom = 0, protectedTo = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    const ElfW(Addr) start = object->dlpi_addr + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
    if (part.p_type == PT_GNU_RELRO) protectedFrom = start, protectedTo = start + part.p_memsz;
  }
  if (dynamic == nullptr || std::strstr(object->dlpi_name, "linux-vdso") != nullptr) return 0;
  const Tables tables = tablesOf(*object, dynamic);
  if (tables.symbols == nullptr || tables.names == nullptr) return 0;
  const auto leadAll = [&](const ElfW(Rela) * table, std::size_t bytes, std::uint32_t wanted) {
    for (std::size_t i = 0; table != nullptr && i < bytes / sizeof *table; ++i) {
      if (ELF64_R_TYPE(table[i].r_info) != wanted) continue;
      const char* name = tables.names + tables.symbols[ELF64_R_SYM(table[i].r_info)].st_name;
      if (std::strcmp(name, "_exit") != 0 && std::strcmp(name, "_Exit") != 0) continue;
      const ElfW(Addr) slot = object->dlpi_addr + table[i].r_offset;
      lead(slot, slot >= protectedFrom && slot < protectedTo);
    }
  };
  leadAll(tables.calls, tables.callsBytes, R_X86_64_JUMP_SLOT);
  leadAll(tables.data, tables.dataBytes, R_X86_64_GLOB_DAT);
  return 0;
}

#endif

}  // namespace

void hookExits() {
  static std::atomic<bool> done{false};
  if (done.exchange(true)) return;
#if defined(__x86_64__)
  dl_iterate_phdr(leadObject, nullptr);
#endif
}

}  // namespace lanescope::inject
