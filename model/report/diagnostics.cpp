// SPDX-License-Identifier: Apache-2.0
#include "model/report/diagnostics.h"

#include "model/trace/names.h"

namespace lanescope::report {
namespace {

Severity severityOf(std::int64_t stored) {
  if (stored == 3) return Severity::kError;  // 4 is "verbose", 0 unknown
  return stored == 2 ? Severity::kWarning : Severity::kInfo;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
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
  if (!database.has("DIAGNOSTIC_EVENT", "text")) return all;
  const std::string time = database.has("DIAGNOSTIC_EVENT", "timestamp") ? "timestamp" : "0";
  const std::string severity = database.has("DIAGNOSTIC_EVENT", "severity") ? "severity" : "1";
  auto rows = database.prepare("SELECT " + time + ", " + severity + ", text FROM DIAGNOSTIC_EVENT ORDER BY 1, rowid");
  if (!rows) return all;
  while (rows->step()) {
    all.push_back({rows->integer(0), severityOf(rows->integer(1)), repairUtf8(trimmed(rows->text(2)))});
  }
  return all;
}

}  // namespace lanescope::report
