// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/fact_lines.h"

#include <algorithm>
#include <charconv>

#include "model/utf8.h"

namespace lanescope::launch {

void FactLines::add(std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t sign = line.find('=');
    if (sign == 0 || sign == std::string_view::npos) continue;
    all_.emplace_back(repairUtf8(line.substr(0, sign)), repairUtf8(line.substr(sign + 1)));
  }
}

void FactLines::set(std::string_view name, std::string_view value) {
  std::erase_if(all_, [&](const auto& fact) { return fact.first == name; });
  all_.emplace_back(name, value);
}

std::optional<std::string_view> FactLines::find(std::string_view name) const {
  const auto found = std::find_if(all_.rbegin(), all_.rend(), [&](const auto& fact) { return fact.first == name; });
  return found == all_.rend() ? std::nullopt : std::optional<std::string_view>(found->second);
}

std::optional<std::int64_t> FactLines::number(std::string_view name) const {
  const std::string_view value = text(name);
  std::int64_t number = 0;
  const auto end = std::from_chars(value.data(), value.data() + value.size(), number);
  return end.ec == std::errc() && !value.empty() ? std::optional(number) : std::nullopt;
}

}  // namespace lanescope::launch
