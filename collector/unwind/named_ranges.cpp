// SPDX-License-Identifier: Apache-2.0
#include "collector/unwind/named_ranges.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "model/unique_fd.h"

namespace lanescope::unwind {

namespace {

std::string contentOf(const std::filesystem::path& path, std::size_t most) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  std::string text;
  while (file && text.size() < most) {  // files of /proc do not say how long they are
    constexpr std::size_t kStep = 1u << 20;
    const std::size_t before = text.size();
    text.resize(before + kStep);
    const ssize_t got = read(file.get(), text.data() + before, kStep);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got <= 0) break;
  }
  return text;
}

std::optional<std::uint64_t> hexadecimal(std::string_view& line) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, 16);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return value;
}

template <class Each>
void eachLine(std::string_view text, const Each& each) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    each(text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

NamedRanges NamedRanges::perfMapOf(std::string text) {
  NamedRanges map;
  map.text_ = std::move(text);
  if (map.text_.size() > kMostBytes) map.text_.resize(kMostBytes);
  eachLine(map.text_, [&](std::string_view line) {
    if (line.starts_with("0x")) line.remove_prefix(2);
    const auto start = hexadecimal(line);
    if (line.starts_with("0x")) line.remove_prefix(2);
    const auto size = start ? hexadecimal(line) : std::nullopt;
    if (!size || *size == 0 || line.empty() || *start + *size < *start || map.ranges_.size() == kMost) return;
    map.ranges_.push_back({*start, *start + *size, static_cast<std::uint32_t>(line.data() - map.text_.data()),
                           static_cast<std::uint32_t>(line.size())});
  });
  map.settle();
  return map;
}

NamedRanges NamedRanges::perfMap(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) ? perfMapOf(contentOf(file, kMostBytes)) : NamedRanges();
}

NamedRanges NamedRanges::kernelOf(std::string text) {
  NamedRanges map;
  map.text_ = std::move(text);
  if (map.text_.size() > kMostBytes) map.text_.resize(kMostBytes);
  eachLine(map.text_, [&](std::string_view line) {
    const auto start = hexadecimal(line);
    if (!start || *start == 0 || line.size() < 3 || line[1] != ' ' || map.ranges_.size() == kMost) return;
    const bool isCode = std::string_view("tTwWvV").find(line[0]) != std::string_view::npos;
    line.remove_prefix(2);
    line = line.substr(0, line.find('\t'));  // behind it the module
    if (isCode && !line.empty())
      map.ranges_.push_back({*start, 0, static_cast<std::uint32_t>(line.data() - map.text_.data()),
                             static_cast<std::uint32_t>(line.size())});
  });
  std::ranges::stable_sort(map.ranges_, {}, &Range::start);
  for (std::size_t i = 0; i < map.ranges_.size(); ++i) {  // the last goes as far as a page, which is as good as any
    const std::uint64_t next = i + 1 < map.ranges_.size() ? map.ranges_[i + 1].start : map.ranges_[i].start + 4096;
    map.ranges_[i].end = std::max(next, map.ranges_[i].start);
  }
  return map;
}

NamedRanges NamedRanges::kernel(const std::filesystem::path& kallsyms) {
  return kernelOf(contentOf(kallsyms, kMostBytes));
}

/// By start; of what has the same start the last that was said.
void NamedRanges::settle() {
  std::ranges::reverse(ranges_);
  std::ranges::stable_sort(ranges_, {}, &Range::start);
  const auto rest = std::ranges::unique(ranges_, {}, &Range::start);
  ranges_.erase(rest.begin(), rest.end());
}

std::optional<NamedRanges::Found> NamedRanges::at(std::uint64_t address) const {
  const auto behind = std::ranges::upper_bound(ranges_, address, {}, &Range::start);
  if (behind == ranges_.begin()) return std::nullopt;
  // Aliases of the kernel share a start, and only the last of them has a length.
  const Range& found = *std::prev(behind);
  if (address >= found.end) return std::nullopt;
  return Found{found.start, std::string_view(text_).substr(found.name, found.length)};
}

}  // namespace lanescope::unwind
