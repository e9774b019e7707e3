// SPDX-License-Identifier: Apache-2.0
#include "collector/preload/os_recorder.h"

#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "collector/preload/os_descriptor.h"

namespace lanescope::preload {
namespace {

struct Kind {
  const char* name;
  Object object;
  Result result;
};
constexpr Kind kKinds[] = {
#define LANESCOPE_KIND(symbol, name, object, result) {#name, Object::object, Result::result},
    LANESCOPE_OS_CALLS(LANESCOPE_KIND)
#undef LANESCOPE_KIND
};

constexpr bool touchesFiles(Os call) {
  switch (call) {
#define LANESCOPE_FILE(symbol, name, object, result) case Os::k_##symbol:
    LANESCOPE_FILE_OS_CALLS(LANESCOPE_FILE)
#undef LANESCOPE_FILE
    return true;
    default:
      return false;
  }
}

/// The descriptor that is closed: of fclose(), as long as the FILE is there.
Word closedBy(Os call, Word a) {
  if (call != Os::k_fclose || a == 0) return a;
  const int before = errno;
  const auto descriptor = static_cast<Word>(fileno(reinterpret_cast<FILE*>(a)));
  errno = before;  // a FILE need not have one
  return descriptor;
}

/// What the program does here only where it may allocate.
bool allocates(Os call) {
  return call == Os::k_fopen || call == Os::k_fopen64 || call == Os::k_getline || call == Os::k_popen ||
         call == Os::k_getaddrinfo;
}

/// -1 none.
std::int64_t descriptorOf(Object object, Word a, Word c, Word d, Word result) {
  const auto number = [](Word file) { return file != 0 ? fileno(reinterpret_cast<FILE*>(file)) : -1; };
  switch (object) {
    case Object::kDescriptor:
      return static_cast<std::int32_t>(a);
    case Object::kReturned:
      return static_cast<std::int32_t>(result);
    case Object::kFile1:
      return number(a);
    case Object::kFile3:
      return number(c);
    case Object::kFile4:
      return number(d);
    case Object::kReturnedFile:
      return number(result);
    case Object::kNone:
    case Object::kFirst:
    case Object::kClosed:
      return -1;
  }
  return -1;
}

[[gnu::noinline]] void tellOf(Os call, Word a, Word b, Word c, Word d, Word result, std::uint64_t start,
                              std::uint64_t end, const void* caller) {
  const Recorder& to = *recorder;
  const auto from = reinterpret_cast<std::uintptr_t>(caller);
  if (from >= to.codeStart && from < to.codeEnd) return;
  const int before = errno;
  const Kind& kind = kKinds[static_cast<std::uint32_t>(call)];
  DescriptorText text;
  inject::OsNote note{kind.name, start, end, 0, 0, nullptr, from};
  note.result = kind.result == Result::kInt ? static_cast<std::int32_t>(result) : static_cast<std::int64_t>(result);
  if (call == Os::k_fread || call == Os::k_fwrite)
    note.itemBytes = static_cast<std::uint32_t>(std::min<Word>(b, UINT32_MAX));
  if (kind.object == Object::kFirst) {
    note.object = a;
  } else if (kind.object == Object::kClosed) {
    const auto descriptor = static_cast<std::int32_t>(a);
    if (to.fileAccess && descriptor >= 0) note.object = static_cast<std::uint64_t>(descriptor);
  } else if (const std::int64_t descriptor = descriptorOf(kind.object, a, c, d, result); descriptor >= 0) {
    note.object = static_cast<std::uint64_t>(descriptor);
    note.about = text.of(descriptor);
  }
  // Who is aside changes no file of the process that this is told of.
  const bool isAside = to.fileAccess && touchesFiles(call) && to.isAside();
  if (isAside) note.object = 0, note.about = nullptr;
  // Short ones are of interest for the file alone: not those of sockets and pipes, nor those that failed.
  const bool isClosed = kind.object == Object::kClosed && static_cast<std::int32_t>(a) >= 0 && note.result == 0;
  const bool isOfFile = !isAside && (isClosed || (note.about != nullptr && note.about[0] == '/'));
  if (end - start >= to.threshold || isOfFile) to.osCall(note);
  if (allocates(call) && !isAside) to.mayAllocate(false);
  errno = before;
}

}  // namespace

bool osRuntime = false;
int guardedSignal = 0;
std::uintptr_t gilStart = 0, gilEnd = 0;

void note(const inject::OsNote& call) {
  const Recorder& to = *recorder;
  if (call.end - call.start < to.threshold || (call.caller >= to.codeStart && call.caller < to.codeEnd)) return;
  const int before = errno;
  to.osCall(call);
  errno = before;
}

[[gnu::noinline]] Word timed(Os call, Word a, Word b, Word c, Word d, Word e, Word f, const void* caller) {
  const Function function = real(call);
  const Call mine;
  if (!mine.isOutermost()) return function(a, b, c, d, e, f);
  const bool isWanted = recorder->fileAccess && touchesFiles(call);
  const Word first = isWanted ? closedBy(call, a) : a;
  const std::uint64_t start = now();
  const Word result = function(a, b, c, d, e, f);
  const std::uint64_t end = now();
  if (isWanted || end - start >= recorder->threshold) tellOf(call, first, b, c, d, result, start, end, caller);
  mine.end();
  return result;
}

}  // namespace lanescope::preload
