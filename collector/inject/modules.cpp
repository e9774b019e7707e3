// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/modules.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "collector/inject/clock.h"
#include "collector/inject/process.h"
#include "collector/inject/text.h"

namespace lanescope::inject {
namespace {

struct Walk {
  Session& session;
  ThreadRing& ring;
  std::uint64_t time;
  bool first = true;
};

/// The build id out of the notes of a loaded object; its length.
std::uint32_t readBuildId(const dl_phdr_info& object, std::uint8_t (&to)[24]) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object.dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + part.p_vaddr);
    for (std::size_t left = part.p_memsz; left >= sizeof(ElfW(Nhdr));) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const std::size_t name = (note.n_namesz + 3) & ~std::size_t{3};
      const std::size_t size = sizeof note + name + ((note.n_descsz + 3) & ~std::size_t{3});
      if (size > left) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(at + sizeof note, "GNU", 4) == 0) {
        const std::uint32_t length = std::min<std::uint32_t>(note.n_descsz, sizeof to);
        std::memcpy(to, at + sizeof note + name, length);
        return length;
      }
      at += size;
      left -= size;
    }
  }
  return 0;
}

int noteObject(dl_phdr_info* object, std::size_t, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  KnownModules& known = walk.session.modules;
  const bool isFirst = walk.first;
  walk.first = false;
  if (isFirst) {
    if (known.adds == object->dlpi_adds) return 1;
    known.adds = object->dlpi_adds;
  }
  char path[1024];
  std::snprintf(path, sizeof path, "%s", object->dlpi_name);
  if (std::strstr(path, "linux-vdso") != nullptr) std::snprintf(path, sizeof path, "[vdso]");
  if (path[0] == 0) {  // the program itself
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
  }
  const Text text = textOf(path);
  wire::Module record;
  record.time = walk.time;
  std::uint32_t idLength = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = object->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    record.start = object->dlpi_addr + part.p_vaddr;
    record.end = record.start + part.p_memsz;
    record.offset = part.p_offset;
    if (!known.insert(text.id ^ record.start * 0x9E3779B97F4A7C15ull)) continue;
    if (idLength == 0) idLength = readBuildId(*object, record.buildId);
    record.path = define(walk.ring, text);
    walk.ring.append(record, wire::RecordType::kModule, idLength);
  }
  return 0;
}

}  // namespace

bool KnownModules::insert(std::uint64_t hash) {
  for (std::uint64_t i = hash % kMost, tries = 0; tries < 64; ++tries, i = (i + 1) % kMost) {
    if (hashes[i] == hash) return false;
    if (hashes[i] != 0) continue;
    hashes[i] = hash;
    return true;
  }
  return false;
}

void noteModules(Session& session) {
  const Options& options = session.options;
  const bool hasOsStacks = options.osRuntime && options.osStackBytes > 0;
  if (!hasOsStacks && options.cpuTimerHertz == 0 && !options.wantsCudaStacks()) return;
  ThreadRing* ring = hostRing();
  if (ring == nullptr) return;
  Walk walk{session, *ring, now()};
  dl_iterate_phdr(noteObject, &walk);
}

}  // namespace lanescope::inject
