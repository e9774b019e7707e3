// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "collector/inject/clock.h"
#include "collector/inject/memory.h"
#include "collector/inject/session.h"

namespace lanescope::inject {
namespace {

constexpr const char* kKeptVariables[] = {
    "RANK",     "LOCAL_RANK",   "WORLD_SIZE",           "OMPI_COMM_WORLD_RANK",
    "PMI_RANK", "SLURM_PROCID", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_MAX_CONNECTIONS"};

constexpr std::size_t kBuffer = 32u << 10;

/// What follows `label` on its line in the text, without blanks around it.
void addLineOf(Lines& lines, const char* name, const char* text, const char* label) {
  const char* at = std::strstr(text, label);
  if (at == nullptr) return;
  at += std::strlen(label);
  while (*at == ' ' || *at == '\t') ++at;
  lines.add(name, at, std::strcspn(at, "\n"));
}

void addCommand(Lines& lines, char* buffer) {
  const std::size_t length = readWhole("/proc/self/cmdline", buffer, kBuffer - 1);
  buffer[length] = 0;
  std::size_t at = 0;
  for (int i = 0; at < length; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "argument.%d", i);
    const std::size_t word = std::strlen(buffer + at);
    lines.add(name, buffer + at, word);
    at += word + 1;
  }
  for (std::size_t i = 0; i + 1 < length; ++i) {
    if (buffer[i] == 0) buffer[i] = ' ';
  }
  lines.add("command", buffer);
}

void addStartTime(Lines& lines, char* buffer) {
  buffer[readWhole("/proc/self/stat", buffer, kBuffer - 1)] = 0;
  const char* at = std::strrchr(buffer, ')');  // the name before it may hold anything
  for (int field = 2; at != nullptr && field < 22; ++field) {
    at = std::strchr(at + 1, ' ');
  }
  if (at != nullptr) lines.add("start-time", at + 1, std::strcspn(at + 1, " \n"));
}

std::uint64_t clockCost() {
  std::uint64_t best = ~0ull;
  for (int round = 0; round < 5; ++round) {
    const std::uint64_t before = now();
    for (int i = 0; i < 62; ++i) static_cast<void>(now());
    const std::uint64_t cost = (now() - before) / 63;
    if (cost < best) best = cost;
  }
  return best;
}

void addMachine(Lines& lines, char* buffer) {
  char host[256] = {};
  if (gethostname(host, sizeof host - 1) == 0) lines.add("host", host);
  buffer[readWhole("/proc/sys/kernel/random/boot_id", buffer, kBuffer - 1)] = 0;
  lines.add("boot-id", buffer, std::strcspn(buffer, "\n"));
  buffer[readWhole("/proc/driver/nvidia/version", buffer, kBuffer - 1)] = 0;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159  Tue …", "… Open Kernel Module for x86_64  580.159  …"
  if (const char* at = std::strstr(buffer, "Kernel Module")) {
    at += std::strcspn(at, "0123456789");
    if (std::strncmp(at, "86_64", 5) == 0) at += 5 + std::strcspn(at + 5, "0123456789");
    lines.add("driver-version", at, std::strspn(at, "0123456789."));
  }
}

}  // namespace

void Lines::add(const char* name, const char* value, std::size_t length) {
  std::size_t needed = std::strlen(name) + 2 + length;
  for (std::size_t i = 0; i < length; ++i) needed += value[i] == '\n' || value[i] == '\\' ? 1 : 0;
  if (needed > sizeof bytes - used) return;
  std::memcpy(bytes + used, name, std::strlen(name));
  used += std::strlen(name);
  bytes[used++] = '=';
  for (std::size_t i = 0; i < length; ++i) {
    const bool escaped = value[i] == '\n' || value[i] == '\\';
    if (escaped) bytes[used++] = '\\';
    bytes[used++] = value[i] == '\n' ? 'n' : value[i];
  }
  bytes[used++] = '\n';
}

void Lines::add(const char* name, const char* value) { add(name, value, std::strlen(value)); }

void Lines::add(const char* name, unsigned long long value) {
  char digits[24];
  std::snprintf(digits, sizeof digits, "%llu", value);
  add(name, digits);
}

std::size_t readWhole(const char* path, char* to, std::size_t most) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  std::size_t length = 0;
  while (length < most) {
    const ssize_t got = read(descriptor, to + length, most - length);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  close(descriptor);
  return length;
}

void writeProcessFacts(Session& session) {
  void* pages = mapPages(sizeof(Lines) + kBuffer);
  if (pages == nullptr) return;
  auto& lines = *static_cast<Lines*>(pages);
  char* buffer = static_cast<char*>(pages) + sizeof(Lines);

  lines.add("pid", static_cast<unsigned long long>(session.pid));
  lines.add("ppid", static_cast<unsigned long long>(getppid()));
  lines.add("recording-start", session.started);
  if (session.ringsPath[0] != 0) lines.add("rings", session.ringsPath);
  const ssize_t length = readlink("/proc/self/exe", buffer, kBuffer);
  if (length > 0) lines.add("exe", buffer, static_cast<std::size_t>(length));
  addCommand(lines, buffer);
  addStartTime(lines, buffer);
  buffer[readWhole("/proc/self/status", buffer, kBuffer - 1)] = 0;
  addLineOf(lines, "nspid", buffer, "NSpid:");
  addMachine(lines, buffer);
  lines.add("clock-cost-ns", clockCost());
  for (const char* variable : kKeptVariables) {
    if (const char* value = std::getenv(variable)) lines.add(variable, value);
  }
  session.writeFacts(lines.bytes, lines.used);
  unmapPages(pages, sizeof(Lines) + kBuffer);
}

void writeFact(Session& session, const char* name, const char* value) {
  char line[2048];
  const int length = std::snprintf(line, sizeof line, "%s=%s\n", name, value);
  if (length <= 0 || static_cast<std::size_t>(length) >= sizeof line) return;
  session.writeFacts(line, static_cast<std::size_t>(length));
}

}  // namespace lanescope::inject
