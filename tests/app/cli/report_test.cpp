// SPDX-License-Identifier: Apache-2.0
// Runs `lanescope report`: the page it writes, what it refuses.
#include <gmock/gmock.h>

#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

using test::K;
using test::N;
using test::R;
using testing::HasSubstr;

class ReportCommand : public testing::Test {
 protected:
  ReportCommand() {
    test::ReportBuilder(folder / "a.sqlite")
        .add(R{.start = 500, .end = 700, .correlation = 1})
        .add(K{.start = 1000, .end = 2000, .correlation = 1, .name = "gemm"})
        .add(N{.start = 400, .end = 2500, .text = "step"})
        .write();
  }
  Outcome made(const std::string& arguments) { return run(folder, "report " + arguments, " >.out"); }

  test::TemporaryFolder folder;
};

TEST_F(ReportCommand, WritesOnePageByTheEndingOfItsName) {
  EXPECT_EQ(made("a.sqlite -o a.html").status, 0);
  const std::string html = test::readFile(folder / "a.html");
  EXPECT_THAT(html, testing::StartsWith("<!DOCTYPE html>"));
  for (const char* part :
       {"<h1>a.sqlite</h1>", "<svg ", "gemm", "step", "Nothing was lost", "What to look at first", "gpu_busy"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  EXPECT_EQ(made("a.sqlite -o a.md").status, 0);
  EXPECT_THAT(test::readFile(folder / "a.md"), HasSubstr("| gemm |"));
}

TEST_F(ReportCommand, NeverReplacesAPageUnasked) {
  ASSERT_EQ(made("a.sqlite -o a.html").status, 0);
  const Outcome again = made("a.sqlite -o a.html");
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr("a.html"));
  EXPECT_EQ(made("a.sqlite -o a.html -f").status, 0);
}

TEST_F(ReportCommand, ALimitOnFileSizesEndsInThreeAndLeavesNothing) {
  const Outcome done = run(folder, "report a.sqlite -o a.html", " >.out", "ulimit -f 1; ");
  EXPECT_EQ(done.status, 3);
  EXPECT_THAT(done.err, HasSubstr("a.html: grows beyond the limit on file sizes"));
  EXPECT_THAT(folder.names(), testing::ElementsAre(".err", ".out", "a.sqlite"));
}

TEST_F(ReportCommand, SaysWhatItCannotDo) {
  EXPECT_THAT(made("a.sqlite -o a.pdf").err, HasSubstr("a.pdf: write a name that ends in .html or .md"));
  EXPECT_EQ(made("a.sqlite -o a.pdf").status, 2);
  EXPECT_EQ(made("missing.sqlite -o a.html").status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.html"));
}

}  // namespace
}  // namespace lanescope::cli
