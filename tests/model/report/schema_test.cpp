// SPDX-License-Identifier: Apache-2.0
#include "model/report/schema.h"

#include <gtest/gtest.h>

#include <set>

#include "model/report/database.h"
#include "model/report/rows_metrics.h"
#include "model/report/rows_target.h"
#include "tests/support/files.h"

namespace lanescope::report {
namespace {

const char* typeText(ColumnType type) {
  return type == ColumnType::kText ? "text" : type == ColumnType::kReal ? "real" : "integer";
}

/// The part of FORMAT.md that lists the tables.
std::string describeCatalogue() {
  std::string text;
  for (const Table& table : catalogue()) {
    text += "\n### " + table.name + "\n\n" + table.meaning + ".\n\n| column | type | meaning |\n|---|---|---|\n";
    for (const Column& column : table.columns) {
      text += "| " + column.name + " | " + typeText(column.type) + (column.nullable ? ", may be NULL" : "") +
              (column.key ? ", key" : "") + " | " + std::string(meaning(table.name, column)) + " |\n";
    }
  }
  text += "\n### Enumerations\n\nEach is a table `(id, name, label)`.\n\n| table | values |\n|---|---|\n";
  for (const Enumeration& enumeration : enumerations()) {
    text += std::string("| ") + enumeration.table + " | ";
    for (const Label& label : enumeration.labels) {
      text += (&label == &enumeration.labels.front() ? "" : ", ") + std::to_string(label.id) + " " + label.label;
    }
    text += " |\n";
  }
  return text;
}

TEST(Schema, FormatMdListsExactlyTheCatalogue) {
  const std::string mark = "## Tables\n";
  const std::string document = test::readFile(test::sourceFolder() / "model/report/FORMAT.md");
  const std::size_t at = document.find(mark);
  const std::string wanted = describeCatalogue();
  if (at == std::string::npos || document.substr(at + mark.size()) != wanted) {
    const auto file = test::binaryFolder() / "FORMAT-tables.md";
    test::writeFile(file, wanted);
    FAIL() << "put " << file << " behind \"" << mark << "\" in FORMAT.md";
  }
}

TEST(Schema, EveryColumnHasAMeaning) {
  for (const Table& table : catalogue()) {
    for (const Column& column : table.columns) {
      EXPECT_FALSE(meaning(table.name, column).empty()) << table.name << "." << column.name;
    }
  }
}

TEST(Schema, TheCatalogueHasEveryColumnThatGoldenExportsHaveOfTheTablesItNames) {
  LANESCOPE_NEEDS_SHARED();
  // Device paths and other vendors' event sources; a copy keeps them all the same.
  const std::set<std::string> leftOut = {"ctxswDevPath", "ctrlDevPath", "revision", "nodeMask", "luid", "pwGpuId"};
  for (const auto& path : test::goldenExports()) {
    const auto database = Database::open(path);
    ASSERT_TRUE(database);
    for (const std::string& name : database->tables()) {
      const Table* table = findTable(name);
      if (!table || name.starts_with("GENERIC_EVENT") || name == "PROFILER_OVERHEAD") continue;
      for (const std::string& column : database->columns(name)) {
        const bool known = std::any_of(table->columns.begin(), table->columns.end(),
                                       [&](const Column& c) { return c.name == column; });
        EXPECT_TRUE(known || leftOut.contains(column)) << name << "." << column;
      }
    }
  }
}

template <class Row>
void expectColumnsOf() {
  const Table* table = findTable(Row::kTable);
  ASSERT_TRUE(table) << Row::kTable;
  std::set<std::string> given;
  Row{}.columns([&](std::string_view column, const auto&) {
    EXPECT_TRUE(given.emplace(column).second) << Row::kTable << "." << column << " is given twice";
  });
  for (const Column& column : table->columns) {
    EXPECT_TRUE(column.nullable || given.contains(column.name)) << Row::kTable << "." << column.name;
    given.erase(column.name);
  }
  for (const std::string& stranger : given) ADD_FAILURE() << Row::kTable << " has no column " << stranger;
}

TEST(Schema, RowsNameTheColumnsOfTheCatalogueAndAllThatMustNotBeNull) {
  expectColumnsOf<ProcessRow>();
  expectColumnsOf<ThreadNameRow>();
  expectColumnsOf<KernelRow>();
  expectColumnsOf<CudaEventRow>();
  expectColumnsOf<JitRow>();
  expectColumnsOf<SessionStartRow>();
  expectColumnsOf<ExtentRow>();
  expectColumnsOf<DiagnosticRow>();
  expectColumnsOf<MachineRow>();
  expectColumnsOf<GpuRow>();
  expectColumnsOf<CudaDeviceRow>();
  expectColumnsOf<NvtxSchemaRow>();
  expectColumnsOf<NvtxSchemaEntryRow>();
  expectColumnsOf<NvtxEnumRow>();
  expectColumnsOf<NvtxEnumEntryRow>();
  expectColumnsOf<CopyRow>();
  expectColumnsOf<MemsetRow>();
  expectColumnsOf<GraphTraceRow>();
  expectColumnsOf<SynchronizationRow>();
  expectColumnsOf<ApiCallRow>();
  expectColumnsOf<OsCallRow>();
  expectColumnsOf<OverheadRow>();
  expectColumnsOf<NvtxRow>();
  expectColumnsOf<MemoryUsageRow>();
  expectColumnsOf<ContextRow>();
  expectColumnsOf<StreamRow>();
  expectColumnsOf<DeviceNameRow>();
  expectColumnsOf<StreamNameRow>();
  expectColumnsOf<MetricNameRow>();
  expectColumnsOf<MetricSampleRow>();
  expectColumnsOf<EventSourceRow>();
  expectColumnsOf<EventTypeRow>();
  expectColumnsOf<EventFieldRow>();
  expectColumnsOf<IssueRow>();
}

}  // namespace
}  // namespace lanescope::report
