// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/take_facts.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

namespace lanescope::launch {
namespace {

constexpr std::string_view kPrefix = "take.";

}  // namespace

std::string takeFact(std::size_t number) { return fmt::format("{}{}", kPrefix, number); }

std::string openTake(trace::Ns begin, const std::filesystem::path& report) { return closedTake(begin, 0, report); }

std::string closedTake(trace::Ns begin, trace::Ns end, const std::filesystem::path& report) {
  return fmt::format("{} {} {}", begin, end, report.string());
}

std::vector<UnwrittenTake> unwrittenTakes(const std::filesystem::path& session) {
  std::map<std::size_t, std::string> last;  // of each, what was said last
  std::ifstream in(session / "facts", std::ios::binary);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(kPrefix)) continue;
    std::size_t number = 0;
    const char* const end = line.data() + line.size();
    const auto read = std::from_chars(line.data() + kPrefix.size(), end, number);
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '=') last[number].assign(read.ptr + 1, end);
  }
  std::vector<UnwrittenTake> all;
  for (const auto& [number, fact] : last) {
    if (fact == kTakeDone) continue;
    UnwrittenTake unwritten;
    trace::Ns end = 0;
    std::string report;
    std::istringstream words(fact);
    words >> unwritten.take.begin >> end >> std::ws;
    std::getline(words, report);
    unwritten.report = report;
    if (end > 0) unwritten.take.end = end;
    unwritten.take.facts = {{"start-monotonic", std::to_string(unwritten.take.begin)}};
    all.push_back(std::move(unwritten));
  }
  return all;
}

}  // namespace lanescope::launch
