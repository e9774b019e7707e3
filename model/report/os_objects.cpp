// SPDX-License-Identifier: Apache-2.0
#include "model/report/os_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "model/format.h"

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

struct SystemError {
  std::int64_t number;
  std::string_view name, words;
};
/// Those that calls of threads return, as Linux numbers them.
constexpr SystemError kErrors[] = {
    {1, "EPERM", "not permitted"},         {3, "ESRCH", "no such thread"},    {4, "EINTR", "interrupted"},
    {11, "EAGAIN", "try again"},           {12, "ENOMEM", "out of memory"},   {16, "EBUSY", "busy"},
    {22, "EINVAL", "invalid argument"},    {35, "EDEADLK", "would deadlock"}, {110, "ETIMEDOUT", "timed out"},
    {130, "EOWNERDEAD", "its owner died"},
};

constexpr std::string_view kReturnErrors[] = {"clock_nanosleep", "posix_fallocate", "posix_fallocate64", "sigwait"};
constexpr std::string_view kReturnBytes[] = {
    "read",   "write",    "pread",   "pread64",   "pwrite",   "pwrite64",   "readv",           "writev",
    "preadv", "preadv64", "pwritev", "pwritev64", "sendfile", "sendfile64", "splice",          "getline",
    "recv",   "recvfrom", "recvmsg", "send",      "sendto",   "sendmsg",    "copy_file_range",
};
constexpr std::string_view kReturnReady[] = {"poll",       "ppoll",       "select",      "pselect",
                                             "epoll_wait", "epoll_pwait", "epoll_pwait2"};
constexpr std::string_view kReturnAddress[] = {"mmap", "mmap64", "mremap", "sem_open", "popen", "fopen", "fopen64"};

bool isOneOf(std::string_view call, std::span<const std::string_view> calls) {
  return std::ranges::find(calls, call) != calls.end();
}

std::string errorText(std::int64_t number) {
  if (number == 0) return "success";
  for (const SystemError& error : kErrors)
    if (error.number == number) return fmt::format("{} ({}, {})", error.words, error.name, number);
  return fmt::format("error {}", number);
}

}  // namespace

std::string osResult(std::string_view call, std::int64_t result) {
  constexpr std::int64_t kSerialThread = -1;  // one of those that met at a barrier is told so
  if (call == "pthread_barrier_wait" && result == kSerialThread) return "success, as the one of all";
  if (call.starts_with("pthread_") || isOneOf(call, kReturnErrors)) return errorText(result);
  if (result == -1) return "failed (-1)";
  if (result >= 0 && isOneOf(call, kReturnBytes)) return formatBytes(static_cast<std::uint64_t>(result));
  if (isOneOf(call, kReturnReady)) return result == 0 ? "timed out" : fmt::format("{} ready", result);
  if (isOneOf(call, kReturnAddress))
    return result == 0 ? "failed (0)" : fmt::format("{:#x}", static_cast<std::uint64_t>(result));
  return std::to_string(result);
}

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
