// SPDX-License-Identifier: Apache-2.0
#include "model/report/summary.h"

#include <fmt/format.h>

#include <string_view>

#include "model/format.h"
#include "model/report/run_facts.h"
#include "model/report/secrets.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr int kMostRows = 2000;  // of a table
constexpr int kMostGpus = 64;
constexpr std::size_t kLongest = 4096;

class Lines {
 public:
  explicit Lines(const Database& database) : database_(database) {}

  void add(std::string part, std::string_view what, std::string_view value) {
    const std::string text = repairUtf8(value.substr(0, kLongest));
    if (!text.empty()) lines_.push_back({std::move(part), repairUtf8(what), withoutSecrets(what, text)});
  }

  /// Rows of names and values; the environment among them is kept for the end.
  void addPairs(const char* part, const char* table) {
    if (!database_.has(table, "name") || !database_.has(table, "value")) return;
    auto rows = database_.prepare(fmt::format("SELECT name, value FROM {} LIMIT {}", table, kMostRows));
    while (rows && rows->step()) {
      const std::string_view name = rows->text(0), value = rows->text(1);
      if (!tellsEnvironment(name)) {
        add(part, name, value);
      } else if (const std::size_t equals = value.find('='); equals != std::string_view::npos) {
        environment_.emplace_back(value.substr(0, equals), value.substr(equals + 1));
      }
    }
  }

  void addGpus() {
    constexpr const char* kTable = "TARGET_INFO_GPU";
    if (!database_.has(kTable)) return;
    auto rows = database_.prepare(fmt::format("SELECT * FROM {} LIMIT {}", kTable, kMostGpus));
    for (int gpu = 0; rows && rows->step(); ++gpu)
      for (int column = 0; column < rows->columns(); ++column) {
        const std::string name = rows->columnName(column);
        const bool bytes = name.ends_with("Memory") || name == "l2CacheSize";
        if (rows->isNull(column)) continue;
        add(fmt::format("GPU {}", gpu), name,
            bytes && rows->integer(column) > 0 ? formatBytes(static_cast<std::uint64_t>(rows->integer(column)))
                                               : std::string(rows->text(column)));
      }
  }

  void addZero() {
    constexpr const char* kTable = "TARGET_INFO_SESSION_START_TIME";
    if (database_.has(kTable, "utcTime"))
      add("Run", "Time 0 in UTC", database_.text(fmt::format("SELECT utcTime FROM {} LIMIT 1", kTable)));
    if (database_.has(kTable, "utcEpochNs"))
      add("Run", "Time 0, ns since 1970", database_.text(fmt::format("SELECT utcEpochNs FROM {} LIMIT 1", kTable)));
  }

  std::vector<SummaryLine> finish() {
    for (const auto& [name, value] : environment_) add("Environment", name, value);
    return std::move(lines_);
  }

 private:
  const Database& database_;
  std::vector<SummaryLine> lines_;
  std::vector<std::pair<std::string, std::string>> environment_;
};

}  // namespace

std::vector<SummaryLine> summary(const Database& database) {
  Lines lines(database);
  for (const auto& [what, value] : runFacts(database)) lines.add("Run", what, value);
  lines.addZero();
  lines.addGpus();
  lines.addPairs("Machine", "TARGET_INFO_SYSTEM_ENV");
  lines.addPairs("Options", "META_DATA_CAPTURE");
  lines.addPairs("Versions", "META_DATA_EXPORT");
  return lines.finish();
}

}  // namespace lanescope::report
