// SPDX-License-Identifier: Apache-2.0
#include "model/report/clock_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "model/format.h"

namespace lanescope::report {
namespace {

constexpr int kMostRows = 4096;

std::optional<trace::Ns> numberIn(std::string_view text) {
  trace::Ns number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<ClockError> clockError(const Database& database) {
  constexpr const char* kTable = "META_DATA_CAPTURE";
  if (!database.has(kTable, "name") || !database.has(kTable, "value")) return std::nullopt;
  auto rows = database.prepare(fmt::format(
      "SELECT name, value FROM {} WHERE name GLOB 'LANESCOPE:PROCESS_*:WALL_CLOCK_*' LIMIT {}", kTable, kMostRows));
  ClockError clocks;
  bool isKnown = false, hasOffset = false;
  while (rows && rows->step()) {
    const std::string_view name = rows->text(0);
    const auto value = numberIn(rows->text(1));
    if (!value) continue;
    if (name.ends_with(":WALL_CLOCK_AHEAD_NS") && !std::exchange(hasOffset, true)) clocks.ahead = *value;
    if (*value < 0) continue;
    if (name.ends_with(":WALL_CLOCK_STEPS")) clocks.steps = std::max(clocks.steps, static_cast<std::uint64_t>(*value));
    if (!name.ends_with(":WALL_CLOCK_ERROR_NS")) continue;
    clocks.error = std::max(clocks.error, *value);
    isKnown = true;
  }
  clocks.isOfGpu = database.has("TARGET_INFO_GPU") && database.integer("SELECT count(*) FROM TARGET_INFO_GPU") > 0;
  return isKnown ? std::optional(clocks) : std::nullopt;
}

std::string sentence(const ClockError& clocks) {
  std::string text = fmt::format("Times of the GPU and of the CPU agree within {}", formatDuration(clocks.error));
  if (clocks.ahead != 0)
    text += fmt::format(": the offset of their clocks, {}, was measured so closely", formatExact(clocks.ahead));
  if (clocks.steps > 0)
    text += fmt::format("; the wall clock was stepped {}",
                        clocks.steps == 1 ? "once" : formatCount(clocks.steps) + " times");
  return text;
}

}  // namespace lanescope::report
