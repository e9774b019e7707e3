// SPDX-License-Identifier: Apache-2.0
#include "model/report/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/report/clock_error.h"
#include "model/report/step_limit.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr const char* kTable = "DIAGNOSTIC_EVENT";
constexpr std::size_t kMostBytes = 4096;  // of a text: the longest real ones are some hundred
constexpr int kMostShown = 1000;
constexpr std::size_t kMostQuoted = 3, kMostOfQuote = 500;

Severity severityOf(std::int64_t stored) {
  if (stored == 3) return Severity::kError;  // 4 is "verbose", 0 unknown
  return stored == 2 ? Severity::kWarning : Severity::kInfo;
}

constexpr std::string_view kSpace = " \t\r\n";

/// On one line, with a space for every run of white space: "collected: \t172." has a tab in Nsight Systems.
std::string onOneLine(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (std::size_t at = 0; (at = text.find_first_not_of(kSpace, at)) != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kSpace, at), text.size());
    if (!line.empty()) line += ' ';
    line += text.substr(at, end - at);
    at = end;
  }
  return line;
}

/// The rows with their texts cut, which sorting would otherwise hold in memory.
Result<Statement> prepareRows(const Database& database, const std::string& rest) {
  const std::string time = database.has(kTable, "timestamp") ? "timestamp" : "0";
  const std::string severity = database.has(kTable, "severity") ? "severity" : "1";
  return database.prepare(fmt::format("SELECT {} AS time, {} AS severity, substr(text, 1, {}) FROM {} {}", time,
                                      severity, kMostBytes + 1, kTable, rest));
}

Diagnostic read(const Statement& row) {
  return {row.integer(0), severityOf(row.integer(1)), shownText(onOneLine(row.text(2)), kMostBytes)};
}

}  // namespace

bool tellsOfLoss(const Diagnostic& diagnostic) {
  if (diagnostic.severity == Severity::kInfo) return false;
  std::string text = diagnostic.text;
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  // As Nsight Systems words it; "no … events collected" is about what the program does not use.
  for (const std::string_view word :
       {"dropped", "lost ", " lost", "discarded", "not all cuda", "not all nvtx", "not all os runtime", "overflow"}) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

std::vector<Diagnostic> diagnostics(const Database& database) {
  std::vector<Diagnostic> all;
  if (const auto clocks = clockError(database); clocks && clocks->isOfGpu)
    all.push_back({std::nullopt, clocks->steps > 0 ? Severity::kWarning : Severity::kInfo, sentence(*clocks)});
  if (!database.has(kTable, "text")) return all;
  const std::size_t before = all.size();
  const StepLimit limit(database);
  auto rows = prepareRows(
      database, fmt::format("ORDER BY severity = 3 DESC, severity = 2 DESC, time, rowid LIMIT {}", kMostShown + 1));
  if (!rows) return all;
  while (rows->step()) all.push_back(read(*rows));
  const bool more = rows->failed() || all.size() - before > kMostShown;
  if (all.size() - before > kMostShown) all.pop_back();
  std::ranges::stable_sort(all, {}, &Diagnostic::time);
  if (more)
    all.push_back({std::nullopt, Severity::kInfo, "… and more than is shown here: the file holds too many messages"});
  return all;
}

LossesSaid lossesSaid(const Database& database, const Job& job) {
  LossesSaid losses;
  if (!database.has(kTable, "text")) return losses;
  auto rows = prepareRows(database, "");
  if (!rows) return losses;
  std::vector<std::string> quoted;
  std::uint64_t notQuoted = 0;
  while (rows->step() && !job.cancelled()) {
    const Diagnostic said = read(*rows);
    if (!tellsOfLoss(said)) continue;
    ++losses.count;
    const std::string quote = shownText(said.text, kMostOfQuote);
    if (quoted.size() < kMostQuoted && std::ranges::find(quoted, quote) == quoted.end()) quoted.push_back(quote);
    else ++notQuoted;
  }
  for (const std::string& quote : quoted) losses.text += (losses.text.empty() ? "“" : ", “") + quote + "”";
  if (notQuoted > 0)
    losses.text += fmt::format(" and {} more message{}", formatCount(notQuoted), notQuoted == 1 ? "" : "s");
  return losses;
}

}  // namespace lanescope::report
