// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/table_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lanescope::analysis {
namespace {

Table table(std::vector<Column> columns, std::vector<std::vector<Cell>> rows) {
  return {"name", "Title", std::move(columns), std::move(rows)};
}

/// The one cell of a table of one column and row, as csv.
std::string cell(ColumnKind kind, Cell value, TimeUnit unit = TimeUnit::kNanoseconds) {
  const std::string text = toText(table({{"x", kind}}, {{std::move(value)}}), TableFormat::kCsv, unit);
  const std::size_t begin = text.find('\n') + 1;
  return text.substr(begin, text.size() - begin - 1);
}

TEST(TableText, IsRoundedHalfAwayFromZeroOnTheDouble) {
  EXPECT_EQ(cell(ColumnKind::kShare, 0.25), "0.3");
  EXPECT_EQ(cell(ColumnKind::kShare, 0.35), "0.3") << "the double lies below";
  EXPECT_EQ(cell(ColumnKind::kTime, 2.25), "2.3");
  EXPECT_EQ(cell(ColumnKind::kTime, -2.25), "-2.3");
  EXPECT_EQ(cell(ColumnKind::kTime, 577025.0), "577025.0");
  EXPECT_EQ(cell(ColumnKind::kShare, std::nan("")), "0");
}

TEST(TableText, WritesTotalsAsIntegersAndMeansWithOneDecimal) {
  EXPECT_EQ(cell(ColumnKind::kTime, std::int64_t{1154050}), "1154050");
  EXPECT_EQ(cell(ColumnKind::kTime, 1154050.0), "1154050.0");
  EXPECT_EQ(cell(ColumnKind::kSize, std::int64_t{4194304}), "4.194");
  EXPECT_EQ(cell(ColumnKind::kSize, 499.0), "0.000");
  EXPECT_EQ(cell(ColumnKind::kCount, std::int64_t{1234567}), "1234567");
  EXPECT_EQ(cell(ColumnKind::kId, std::int64_t{-1234567}), "-1234567");
  EXPECT_EQ(cell(ColumnKind::kTime, {}), "");
}

TEST(TableText, OtherUnitsOfTimeKeepEveryNanosecond) {
  EXPECT_EQ(cell(ColumnKind::kTime, std::int64_t{1234567}, TimeUnit::kMicroseconds), "1234.567");
  EXPECT_EQ(cell(ColumnKind::kTime, std::int64_t{-5}, TimeUnit::kMilliseconds), "-0.000005");
  EXPECT_EQ(cell(ColumnKind::kTime, 1234567.25, TimeUnit::kSeconds), "0.0012345673");
  EXPECT_EQ(toText(table({{"Avg", ColumnKind::kTime}}, {}), TableFormat::kCsv, TimeUnit::kMilliseconds), "Avg (ms)\n");
}

TEST(TableText, UnitsOfTimeAreFoundByTheirBeginning) {
  EXPECT_EQ(findTimeUnit("nsec"), TimeUnit::kNanoseconds);
  EXPECT_EQ(findTimeUnit("us"), TimeUnit::kMicroseconds);
  EXPECT_EQ(findTimeUnit("milli"), TimeUnit::kMilliseconds);
  EXPECT_EQ(findTimeUnit("s"), TimeUnit::kSeconds);
  for (const char* name : {"", "mi", "m", "hours", "nsecs"}) EXPECT_FALSE(findTimeUnit(name)) << name;
}

TEST(TableText, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(cell(ColumnKind::kText, "f(int, \"a\")"), "\"f(int, \"\"a\"\")\"");
  EXPECT_EQ(cell(ColumnKind::kText, "two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(cell(ColumnKind::kText, "plain"), "plain");
}

const Table kSmall = table({{"Time", ColumnKind::kShare},
                            {"Total Time", ColumnKind::kTime},
                            {"Avg", ColumnKind::kTime},
                            {"Name", ColumnKind::kText}},
                           {{97.5, std::int64_t{1234567}, 1234.25, "f(\"x\", 1)"}, {2.5, std::int64_t{31}, 31.0, "g"}});

TEST(TableText, ColumnsStandRightOfEachOtherUnderTheirTitles) {
  EXPECT_EQ(toText(kSmall, TableFormat::kColumn),
            " Time (%)  Total Time (ns)  Avg (ns)    Name\n"
            " --------  ---------------  --------  ---------\n"
            "     97.5        1,234,567   1,234.3  f(\"x\", 1)\n"
            "      2.5               31      31.0  g\n");
}

TEST(TableText, AColumnCutsNamesOfMoreThanAHundredCharacters) {
  const auto row = [](const std::string& name) {
    const std::string text = toText(table({{"Name", ColumnKind::kText}}, {{name}}), TableFormat::kColumn);
    return text.substr(text.rfind('\n', text.size() - 2) + 2, text.size() - text.rfind('\n', text.size() - 2) - 3);
  };
  const std::string umlauts = [] {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "ü";
    return text;
  }();
  EXPECT_EQ(row(umlauts), umlauts);
  EXPECT_EQ(row(umlauts + "x"), umlauts.substr(0, 198) + "…");
}

TEST(TableText, JsonHasNumbersAndEscapedText) {
  EXPECT_EQ(toText(kSmall, TableFormat::kJson),
            "[{\"Time (%)\": 97.5, \"Total Time (ns)\": 1234567, \"Avg (ns)\": 1234.3, \"Name\": \"f(\\\"x\\\", 1)\"}, "
            "{\"Time (%)\": 2.5, \"Total Time (ns)\": 31, \"Avg (ns)\": 31.0, \"Name\": \"g\"}]\n");
  EXPECT_EQ(toText(table({{"x", ColumnKind::kTime}}, {{Cell{}}}), TableFormat::kJson), "[{\"x (ns)\": \"\"}]\n");
  EXPECT_EQ(toText(table({{"x", ColumnKind::kTime}}, {}), TableFormat::kJson), "[]\n");
}

TEST(TableText, TsvHasNoTabsInItsCells) {
  EXPECT_EQ(toText(table({{"a", ColumnKind::kText}, {"b", ColumnKind::kCount}}, {{"x\ty\nz", std::int64_t{1000}}}),
                   TableFormat::kTsv),
            "a\tb\nx y z\t1000\n");
}

std::string styled(const char* style) { return toText(kSmall, findTableStyle(style).value()); }

TEST(TableText, TakesTheOptionsOfItsFormats) {
  EXPECT_EQ(styled("csv:nohdr"), "97.5,1234567,1234.3,\"f(\"\"x\"\", 1)\"\n2.5,31,31.0,g\n");
  EXPECT_EQ(styled("column:nohdr:nofmt:0:.:0"), "         1234567  f(\"x\", 1)\n              31  g\n");
  EXPECT_EQ(styled("column:.:.:0:4"),
            " Time (%)  Total Time (ns)  Name\n"
            " --------  ---------------  ----\n"
            "     97.5        1,234,567  f(\"…\n"
            "      2.5               31  g\n");
  EXPECT_EQ(styled("table:0:.:0:.").substr(0, 84),
            "+-----------------+-----------+\n"
            "| Total Time (ns) |   Name    |\n"
            "+-----------------+-");
  EXPECT_EQ(toText(table({{"a", ColumnKind::kText}}, {{"x\ty\\z"}}), findTableStyle("tsv:nohdr:esc").value()),
            "x\\ty\\\\z\n");
  for (const char* none : {"", "xml", "csv:esc", "json:nohdr", "column:wide", "hdoc:nohdr", "htable:title=x", "tsv:5"})
    EXPECT_FALSE(findTableStyle(none)) << none;
}

TEST(TableText, NamesHaveTheirTabsAndLineBreaksWhereAFormatCanWriteThem) {
  const Table odd = table({{"a", ColumnKind::kText}}, {{"x␉y␊z␛"}});
  EXPECT_EQ(toText(odd, findTableStyle("csv:nohdr").value()), "\"x\ty\nz␛\"\n");
  EXPECT_EQ(toText(odd, findTableStyle("tsv:nohdr:esc").value()), "x\\ty\\nz␛\n");
  EXPECT_EQ(toText(odd, findTableStyle("tsv:nohdr").value()), "x y z␛\n");
  EXPECT_EQ(toText(odd, TableFormat::kJson), "[{\"a\": \"x\\ty\\nz␛\"}]\n");
  EXPECT_EQ(toText(odd, findTableStyle("column:nohdr").value()), " x␉y␊z␛\n");
}

TEST(TableText, WhatIsWrongWithAFormatIsNamed) {
  EXPECT_EQ(whyNoStyle("csv:foo"), "csv:foo: csv takes no option “foo”; see: lanescope stats --help-formats csv");
  EXPECT_EQ(whyNoStyle("column:nohdr:w50"),
            "column:nohdr:w50: column takes no option “w50”; see: lanescope stats --help-formats column");
}

TEST(TableText, HtmlStandsAloneOrAsAPage) {
  const Table odd =
      table({{"Name", ColumnKind::kText}, {"n", ColumnKind::kCount}}, {{"f<int>(\"&\")", std::int64_t{1}}});
  EXPECT_EQ(toText(odd, TableFormat::kHtable),
            "<table>\n<thead>\n<tr><th>Name</th><th class=\"n\">n</th></tr>\n</thead>\n<tbody>\n"
            "<tr><td>f&lt;int&gt;(&quot;&amp;&quot;)</td><td class=\"n\">1</td></tr>\n</tbody>\n</table>\n");
  const std::string page = toText(odd, findTableStyle("hdoc:title=A: b:css=https://x/y.css").value());
  EXPECT_NE(page.find("<title>A: b</title>"), std::string::npos);
  EXPECT_NE(page.find("href=\"https://x/y.css\""), std::string::npos);
  EXPECT_NE(toText(odd, TableFormat::kHdoc).find("<h1>Title</h1>"), std::string::npos);
}

TEST(TableText, ALineOfColumnsIsALineWhateverANameHolds) {
  const std::string text = toText(table({{"Name", ColumnKind::kText}}, {{"two\nlines"}}), TableFormat::kColumn);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

}  // namespace
}  // namespace lanescope::analysis
