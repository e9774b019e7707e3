// SPDX-License-Identifier: Apache-2.0
#include "model/page/page.h"

#include <gmock/gmock.h>

namespace lanescope::page {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using testing::HasSubstr;
using testing::Not;

Page samplePage() {
  analysis::Table table{"cuda_gpu_kern_sum",
                        "Kernels",
                        {{"Time", ColumnKind::kShare}, {"Total", ColumnKind::kTime}, {"Name", ColumnKind::kText}},
                        {}};
  table.rows.push_back({62.5, std::int64_t{1'500'000}, std::string("a|b<script>`x`")});
  table.rows.push_back({37.5, std::int64_t{900}, std::string("c")});
  return {
      "run \"1\"",
      "lanescope 1",
      {{"Run", {Facts{{"Program", "a.out -n <1>"}}, Note{"lost 3 & more", true}}}, {"Kernels", {TablePart{table, 1}}}}};
}

TEST(Page, HtmlHasEveryPartAndNoMarkupFromTheReport) {
  const std::string html = toHtml(samplePage());
  EXPECT_THAT(html, HasSubstr("<h1>run &quot;1&quot;</h1><p>lanescope 1</p>"));
  EXPECT_THAT(html, HasSubstr("<dt>Program</dt><dd>a.out -n &lt;1&gt;</dd>"));
  EXPECT_THAT(html, HasSubstr("<p class='warning'>lost 3 &amp; more</p>"));
  EXPECT_THAT(html,
              HasSubstr("<td class='n'>62.5 %</td><td class='n'>1.500 ms</td><td class='s'>a|b&lt;script&gt;`x`</td>"));
  EXPECT_THAT(html, HasSubstr("1 more: lanescope stats -r cuda_gpu_kern_sum"));
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("http"))) << "it loads nothing";
}

TEST(Page, MarkdownKeepsItsTablesWhateverANameHolds) {
  EXPECT_EQ(toMarkdown(samplePage()),
            "# run \"1\"\n\nlanescope 1\n\n## Run\n\n| | |\n|---|---|\n| Program | a.out -n \\<1\\> |\n\n"
            "> **Note:** lost 3 & more\n\n## Kernels\n\n**Kernels**\n\n| Time | Total | Name |\n|---:|---:|---|\n"
            "| 62.5 % | 1.500 ms | a\\|b\\<script\\>\\`x\\` |\n\n1 more: `lanescope stats -r cuda_gpu_kern_sum`\n\n");
}

TEST(Page, ACellIsWrittenForAPerson) {
  EXPECT_EQ(cellText(std::int64_t{12'345}, ColumnKind::kCount), "12 345");
  EXPECT_EQ(cellText(std::int64_t{-12'345}, ColumnKind::kCount), "−12 345");
  EXPECT_EQ(cellText(std::int64_t{12'345}, ColumnKind::kId), "12345") << "a pid is no quantity";
  EXPECT_EQ(cellText(std::int64_t{16'777'216}, ColumnKind::kSize), "16.8 MB");
  EXPECT_EQ(cellText(54.2e9, ColumnKind::kRate), "54.2 GB/s");
  EXPECT_EQ(cellText(2.25, ColumnKind::kMean), "2.2");
  EXPECT_EQ(cellText(1e300, ColumnKind::kTime), "0 ns") << "no time is as long";
  EXPECT_EQ(cellText(Cell(), ColumnKind::kTime), "");
  EXPECT_THAT(cellText(std::string(5000, 'x'), ColumnKind::kText), HasSubstr("… ("));
}

}  // namespace
}  // namespace lanescope::page
