// SPDX-License-Identifier: Apache-2.0
#include "model/report/source.h"

#include <charconv>

#include "model/report/table_scan.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr const char* kTable = "LANESCOPE_SOURCE";
constexpr std::string_view kPhase = "phase:";

template <class T>
T numberIn(std::string_view text) {
  T number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::optional<Source> sourceOf(const Database& database) {
  if (!database.has(kTable, "name") || !database.has(kTable, "value")) return std::nullopt;
  Source source;
  std::map<std::string, std::string> facts;
  scanTable(database, kTable, {"name", "value"}, [&](const TableRow& row) { facts.emplace(row.text(0), row.text(1)); });
  source.file = facts["file"];
  source.format = repairUtf8(facts["format"]);
  source.version = repairUtf8(facts["version"]);
  if (!facts.contains("entries")) return source;
  Written& written = source.written.emplace();
  written.entries = numberIn<std::uint64_t>(facts["entries"]);
  written.totalNs = numberIn<std::int64_t>(facts["total-ns"]);
  if (facts.contains("span-first") && facts.contains("span-last"))
    written.span.emplace(numberIn<trace::Ns>(facts["span-first"]), numberIn<trace::Ns>(facts["span-last"]));
  for (const auto& [name, value] : facts)
    if (name.starts_with(kPhase))
      written.byPhase[repairUtf8(name.substr(kPhase.size()))] = numberIn<std::uint64_t>(value);
  scanTable(database, "LANESCOPE_COPIES_WRITTEN", {"name", "count", "bytes", "totalNs"}, [&](const TableRow& row) {
    written.copies[repairUtf8(row.text(0))] = {static_cast<std::uint64_t>(row.integer(1)),
                                               static_cast<std::uint64_t>(row.integer(2)), row.integer(3)};
  });
  return source;
}

bool isOfPlainChrome(const Database& database) {
  const std::optional<Source> source = sourceOf(database);
  return source && source->format == "chrome-json";
}

bool hasZeroTimes(std::string_view format) { return format == "kineto" || format == "chrome-json"; }

std::vector<std::uint64_t> entryPositions(const Database& database) {
  std::vector<std::uint64_t> offsets;
  scanTable(database, "LANESCOPE_POSITIONS", {"offset"},
            [&](const TableRow& row) { offsets.push_back(static_cast<std::uint64_t>(row.integer(0))); });
  return offsets;
}

}  // namespace lanescope::report
