// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/cpu_existing.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include "collector/wire/perf.h"

namespace lanescope::sample {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBytes = 32u << 20;  ///< of all records
constexpr std::size_t kLongestText = 4096;

std::string readAll(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class... Numbers>
void append(std::string& to, const Numbers&... numbers) {
  (to.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
}

void appendRecord(std::string& to, std::uint32_t type, std::string body, std::string_view text, std::uint32_t process,
                  std::uint32_t thread) {
  constexpr std::size_t kAlign = 8;
  text = text.substr(0, kLongestText);
  body.append(text).append(kAlign - text.size() % kAlign, '\0');
  const wire::PerfId id{process, thread};
  const perf_event_header header{type, PERF_RECORD_MISC_USER,
                                 static_cast<std::uint16_t>(sizeof header + body.size() + sizeof id)};
  append(to, header);
  to += body;
  append(to, id);
}

std::uint32_t numberOf(const fs::path& folder) {
  const std::string name = folder.filename().string();
  std::uint32_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() && read.ptr == name.data() + name.size() ? number : 0;
}

/// A hexadecimal number at the front, which goes with the character behind it.
std::uint64_t takeHex(std::string_view& line) {
  constexpr int kHex = 16;
  std::uint64_t value = 0;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), value, kHex);
  line.remove_prefix(std::min(line.size(), static_cast<std::size_t>(read.ptr - line.data()) + 1));
  return value;
}

}  // namespace

std::string recordsOfMaps(std::string_view maps, std::uint32_t process) {
  std::string records;
  while (!maps.empty()) {
    std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(maps.size(), line.size() + 1));
    const std::uint64_t start = takeHex(line), end = takeHex(line);
    const bool isExecutable = line.size() > 2 && line[2] == 'x';
    line.remove_prefix(std::min(line.size(), line.find(' ') + 1));
    const std::uint64_t offset = takeHex(line);
    for (int i = 0; i < 2; ++i) line.remove_prefix(std::min(line.size(), line.find(' ') + 1));  // device and inode
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    if (!isExecutable || end <= start) continue;
    std::string body;
    constexpr std::uint64_t kUnknown = 0;
    constexpr std::uint32_t kProtection = 5, kFlags = 2;
    append(body, process, process, start, end - start, offset, kUnknown, kUnknown, kUnknown, kProtection, kFlags);
    appendRecord(records, PERF_RECORD_MMAP2, std::move(body), line.empty() ? "//anon" : line, process, process);
  }
  return records;
}

std::string recordsOfExisting(const fs::path& proc) {
  std::string records;
  std::error_code error;
  for (fs::directory_iterator at(proc, error), end; !error && at != end; at.increment(error)) {
    const std::uint32_t process = numberOf(at->path());
    if (process == 0) continue;
    std::error_code gone;
    for (fs::directory_iterator task(at->path() / "task", gone); !gone && task != end; task.increment(gone)) {
      const std::uint32_t thread = numberOf(task->path());
      std::string name = readAll(task->path() / "comm");
      if (!name.empty() && name.back() == '\n') name.pop_back();
      std::string body;
      append(body, process, thread);
      if (thread != 0) appendRecord(records, PERF_RECORD_COMM, std::move(body), name, process, thread);
    }
    records += recordsOfMaps(readAll(at->path() / "maps"), process);
    if (records.size() > kMostBytes) break;
  }
  return records;
}

}  // namespace lanescope::sample
