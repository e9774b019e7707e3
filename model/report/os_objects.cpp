// SPDX-License-Identifier: Apache-2.0
#include "model/report/os_objects.h"

#include <fmt/format.h>

namespace lanescope::report {

namespace {

struct Kind {
  std::string_view prefix, kind;
};
/// By what a call's name begins with; the first that fits.
constexpr Kind kOfCalls[] = {
    {"pthread_mutex", "Lock"},
    {"pthread_rwlock", "Lock"},
    {"pthread_spin", "Lock"},
    {"pthread_cond", "Condition"},
    {"pthread_barrier", "Barrier"},
    {"pthread_join", "Thread"},
    {"pthread_try", "Thread"},
    {"pthread_timedjoin", "Thread"},
    {"pthread_clockjoin", "Thread"},
    {"sem_", "Semaphore"},
    {"futex", "Futex"},
    {"syscall", "Futex"},
    {"wait", "Process"},
};
/// By what a descriptor's name begins with, as the system tells it.
constexpr Kind kOfNames[] = {
    {"socket:", "Socket"}, {"pipe:", "Pipe"}, {"anon_inode:", "Descriptor"}, {"/dev/", "Device"}, {"/", "File"},
};

}  // namespace

OsObject osObject(std::string_view call, std::int64_t object, std::string_view name) {
  for (const Kind& of : kOfCalls) {
    if (!call.starts_with(of.prefix)) continue;
    if (!name.empty()) return {of.kind, std::string(name)};
    const bool isNumber = of.kind == "Process";
    return {of.kind, isNumber ? fmt::format("{}", object) : fmt::format("{:#x}", static_cast<std::uint64_t>(object))};
  }
  for (const Kind& of : kOfNames)
    if (name.starts_with(of.prefix)) return {of.kind, std::string(name)};
  return {"Descriptor", name.empty() ? fmt::format("{}", object) : std::string(name)};
}

std::string OsObject::text() const {
  std::string words(kind);
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] = static_cast<char>(words[0] - 'A' + 'a');
  return name.starts_with(words + ':') ? name : words + ' ' + name;  // "pipe:[77]" says it itself
}

}  // namespace lanescope::report
