// SPDX-License-Identifier: Apache-2.0
// What is typed to name a report, a rule, a check of --fail-on, a format of tables: found, or what is wrong with it. A
// table is written in the format.
#include "model/analysis/checklist.h"
#include "model/analysis/reports.h"
#include "model/analysis/rules.h"
#include "model/analysis/table_text.h"
#include "model/utf8.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope::analysis;

Table sampleTable() {
  Table table{.name = "sample", .title = "Sample", .columns = {}, .rows = {}};
  table.columns = {{"Share", ColumnKind::kShare}, {"Total Time", ColumnKind::kTime}, {"Name", ColumnKind::kText}};
  table.rows = {{99.5, std::int64_t{1'234'567}, std::string("a,\"b\"\n\t<i>ä")},
                {0.5, std::monostate(), std::string()}};
  return table;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view asked = fuzz::lineOf(bytes, size);
  const auto reports = findReports(asked);
  if (reports.empty()) fuzz::demand(!whyNoReport(asked).empty());
  for (const ReportCall& call : reports) fuzz::demand(findReports(call.name()) == std::vector{call});
  const auto rules = findRules(asked);
  fuzz::demand(rules ? !rules->empty() : !rules.error().empty());
  if (const CheckKind* check = findCheck(asked)) fuzz::demand(check->id == asked);

  static const Table table = sampleTable();
  if (const auto style = findTableStyle(asked)) fuzz::demand(toText(table, *style).size() < 1'000'000);
  else fuzz::demand(!whyNoStyle(asked).empty());
  return 0;
}
