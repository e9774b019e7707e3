// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/python_here.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "collector/inject/process.h"
#include "collector/inject/text.h"
#include "collector/python/code.h"

namespace lanescope::inject {
namespace {

using python::Address;

enum State : std::uint32_t { kLooking, kReadable, kRefused };

struct Found {
  python::Python python;
  void* (*ownState)() = nullptr;  ///< PyGILState_GetThisThreadState
  std::uint64_t runtimeBytes = 0;
};
Found found;  // written before `state` says so, then never again
std::atomic<std::uint32_t> state{kLooking};
/// Stacks that were read by the kernel and were sound.
std::atomic<std::uint32_t> proven{0};
constexpr std::uint32_t kProofs = 64;

bool readByKernel(void*, Address from, void* to, std::size_t bytes) {
  const iovec local{to, bytes}, remote{reinterpret_cast<void*>(from), bytes};  // NOLINT(performance-no-int-to-ptr)
  const long got = syscall(SYS_process_vm_readv, syscall(SYS_getpid), &local, 1, &remote, 1, 0);
  return got == static_cast<long>(bytes);
}
bool readAsItLies(void*, Address from, void* to, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);  // NOLINT(performance-no-int-to-ptr)
  return true;
}
constexpr python::Memory kKernel{&readByKernel, nullptr}, kOwn{&readAsItLies, nullptr};

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ull ^ (b + 0x7F4A7C15ull);
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 29;
}

/// Other code at the same address has another name, file or lines.
std::uint64_t numberOf(Address address, const python::Code& code) {
  const std::uint64_t number = mixed(address * 0x9E3779B97F4A7C15ull + code.name * 0xC2B2AE3D27D4EB4Full,
                                     code.file * 0x165667B19E3779F9ull + code.lines * 0xD6E8FEB86659FD93ull +
                                         static_cast<std::uint32_t>(code.firstLine));
  return number != 0 ? number : 1;
}

/// Lines that were looked up before: 40 bits to know the place by, 24 of the line.
std::atomic<std::uint64_t> knownLines[8192];

std::uint32_t lineOf(std::uint64_t code, const python::Code& facts, const python::Frame& frame) {
  constexpr std::uint64_t kLineBits = 24, kLineMask = (1u << kLineBits) - 1;
  if (frame.line > 0) return static_cast<std::uint32_t>(frame.line);
  const std::uint64_t place = mixed(code, static_cast<std::uint32_t>(frame.at));
  std::atomic<std::uint64_t>& known = knownLines[place % (sizeof knownLines / sizeof knownLines[0])];
  const std::uint64_t held = known.load(std::memory_order_relaxed);
  if (held != 0 && (held ^ place) >> kLineBits == 0) return static_cast<std::uint32_t>(held & kLineMask);
  const auto line = static_cast<std::uint32_t>(python::readLine(kKernel, found.python, facts, frame));
  if (line <= kLineMask) known.store((place & ~kLineMask) | line, std::memory_order_relaxed);
  return line;
}

std::uint64_t defineText(ThreadRing& ring, Address address) {
  std::size_t length = 0;
  const std::span<char> room(ring.scratch, kLongestText);
  if (!python::readText(kKernel, found.python, address, room, length)) return 0;
  return define(ring, textOf(ring.scratch, length));
}

void tellCode(Session& session, ThreadRing& ring, std::uint64_t number, const python::Code& code) {
  std::atomic<std::uint64_t>& told = session.toldCodes.codes[number % ToldCodes::kPlaces];
  if (told.load(std::memory_order_relaxed) == number) return;
  wire::PythonCode record;
  record.id = number;
  record.name = defineText(ring, code.name);
  record.file = defineText(ring, code.file);
  record.line = static_cast<std::uint32_t>(code.firstLine > 0 ? code.firstLine : 0);
  record.header = {wire::RecordType::kPythonCode, sizeof record, 0};
  char* const at = ring.reserve(sizeof record);
  if (at == nullptr) return;
  std::memcpy(at, &record, sizeof record);
  ring.commit(sizeof record);
  told.store(number, std::memory_order_relaxed);
}

void refuse(const char* why) {
  if (state.exchange(kRefused) == kRefused) return;
  char line[256];
  std::snprintf(line, sizeof line, "no Python frames on CUDA calls: %s", why);
  tellUser(1, line);
}

/// The library of that name where the program did not show its symbols to all.
int findLibrary(dl_phdr_info* object, std::size_t, void* path) {
  const char* const slash = std::strrchr(object->dlpi_name, '/');
  if (slash == nullptr || std::strncmp(slash, "/libpython3", std::strlen("/libpython3")) != 0) return 0;
  std::snprintf(static_cast<char*>(path), 1024, "%s", object->dlpi_name);
  return 1;
}

bool find() {
  void* library = RTLD_DEFAULT;
  void* runtime = dlsym(library, "_PyRuntime");
  if (runtime == nullptr) {
    char path[1024] = {};
    if (dl_iterate_phdr(findLibrary, path) == 0) return false;
    library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    runtime = library != nullptr ? dlsym(library, "_PyRuntime") : nullptr;
    if (runtime == nullptr) return false;
  }
  Dl_info info{};
  void* entry = nullptr;
  if (dladdr1(runtime, &info, &entry, RTLD_DL_SYMENT) != 0 && entry != nullptr) {
    found.runtimeBytes = static_cast<const ElfW(Sym)*>(entry)->st_size;
  }
  found.python.runtime = reinterpret_cast<Address>(runtime);
  found.python.codeType = reinterpret_cast<Address>(dlsym(library, "PyCode_Type"));
  found.ownState = reinterpret_cast<void* (*)()>(dlsym(library, "PyGILState_GetThisThreadState"));
  unsigned minor = dlsym(library, "Py_NewRef") != nullptr ? 10 : dlsym(library, "PyFrame_GetBack") != nullptr ? 9 : 0;
  if (const void* version = dlsym(library, "Py_Version")) {
    unsigned long number = 0;
    std::memcpy(&number, version, sizeof number);
    minor = number >> 16 & 0xFF;
  }
  const python::Refusal refusal = python::findLayout(kKernel, found.python.runtime, minor, found.python.layout);
  if (refusal != python::Refusal::kNo) refuse(python::reasonOf(refusal));
  else if (found.ownState == nullptr) refuse("its interpreter does not tell a thread's state");
  else state.store(kReadable, std::memory_order_release);
  return true;
}

/// By the kernel at first: it says no where a field is not what it is taken for.
bool isSound(const python::Frame& frame, const python::Code& code) {
  char first[8];
  std::size_t length = 0;
  return frame.at < 1 << 24 && python::readText(kKernel, found.python, code.name, first, length) &&
         python::readText(kKernel, found.python, code.file, first, length);
}

}  // namespace

void lookForPython(Session& session) {
  const Options& options = session.options;
  if (!options.pythonStacks && !options.pythonGil && !options.osRuntime) return;
  if (state.load(std::memory_order_acquire) == kLooking && !find()) return;
  if (session.toldPython) return;
  session.toldPython = true;
  char line[128];
  const int length = std::snprintf(line, sizeof line, "python-runtime.%d=%llx+%llx\n", session.pid,
                                   static_cast<unsigned long long>(found.python.runtime),
                                   static_cast<unsigned long long>(found.runtimeBytes));
  session.writeFacts(line, static_cast<std::size_t>(length));
}

void appendPythonStack(Session& session, ThreadRing& ring, std::uint64_t time) {
  if (state.load(std::memory_order_acquire) != kReadable) return;
  const auto thread = reinterpret_cast<Address>(found.ownState());
  if (thread == 0) return;
  const bool isProven = proven.load(std::memory_order_relaxed) >= kProofs;
  const python::Memory& memory = isProven ? kOwn : kKernel;
  python::Frame frames[python::kMostFrames];
  std::size_t depth = 0;
  bool isCut = false;
  if (!python::readFrames(memory, found.python, thread, frames, depth, isCut)) {
    return refuse(errno == EPERM || errno == ENOSYS
                      ? "process_vm_readv is forbidden here; start the container with --cap-add=SYS_PTRACE"
                      : "they are not where this version of Python has them");
  }
  wire::PythonFrame told[python::kMostFrames];
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < depth; ++i) {
    python::Code code;
    if (!python::readCode(memory, found.python, frames[i].code, code) || (!isProven && !isSound(frames[i], code))) {
      return refuse("its code is not what this version of Python has there");
    }
    if (!python::hasBegun(frames[i], code)) continue;
    const std::uint64_t number = numberOf(frames[i].code, code);
    tellCode(session, ring, number, code);
    told[count++] = {number, lineOf(number, code, frames[i]), frames[i].isEntry ? 1u : 0u};
  }
  if (!isProven) proven.fetch_add(1, std::memory_order_relaxed);
  if (count == 0) return;
  wire::PythonStack record;
  record.time = time;
  record.process = static_cast<std::uint32_t>(session.pid);
  record.thread = ring.header->tid;
  record.holdsGil = static_cast<std::uint32_t>(python::Gil::kUnknown);
  record.cut = isCut ? wire::kOuterFramesMissing : 0;
  const auto size = static_cast<std::uint32_t>(sizeof record + count * sizeof told[0]);
  record.header = {wire::RecordType::kPythonStack, static_cast<std::uint16_t>(size), count};
  char* const at = ring.reserve(size);
  if (at == nullptr) return;
  std::memcpy(at, &record, sizeof record);
  std::memcpy(at + sizeof record, told, count * sizeof told[0]);
  ring.commit(size);
}

}  // namespace lanescope::inject
