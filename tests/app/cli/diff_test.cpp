// SPDX-License-Identifier: Apache-2.0
// Runs `lanescope diff`: what it prints in which form, when it ends with 1, and what it refuses.
#include <gmock/gmock.h>
#include <simdjson.h>

#include "tests/app/cli/run_program.h"
#include "tests/support/report_builder.h"

namespace lanescope::cli {
namespace {

using test::K;
using test::N;
using test::R;
using test::ReportBuilder;
using testing::HasSubstr;
using testing::Not;

class DiffCommand : public testing::Test {
 protected:
  DiffCommand() {
    program("a.sqlite", 100);
    program("b.sqlite", 110);
  }

  void program(const char* file, std::int64_t kernel) {
    ReportBuilder builder(folder / file);
    for (std::int64_t step = 0; step < 10; ++step) {
      const std::int64_t begin = 1'000'000 * step;
      builder.add(N{.start = begin, .end = begin + 900'000, .text = "step " + std::to_string(step)});
      builder.add(R{.start = begin + 10'000, .end = begin + 20'000, .correlation = step + 1});
      builder.add(K{.start = begin + 30'000,
                    .end = begin + 30'000 + 1000 * kernel + step,
                    .correlation = step + 1,
                    .name = "gemm"});
    }
    builder.write();
  }

  Outcome diff(const std::string& arguments) { return run(folder, "diff " + arguments); }

  test::TemporaryFolder folder;
};

TEST_F(DiffCommand, TellsWhatChangedAndHowSureThatIs) {
  const Outcome done = diff("a.sqlite b.sqlite");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("A: a.sqlite\nB: b.sqlite\nIterations: “:step *”, 10 in A, 10 in B\n"));
  EXPECT_THAT(done.out, HasSubstr("** Kernels (diff_kernel):"));
  EXPECT_THAT(done.out, testing::ContainsRegex("1\\.100 .* slower +gemm"));
  EXPECT_THAT(done.out, HasSubstr("One run a side does not tell how runs differ"));
  EXPECT_EQ(done.err, "");
}

TEST_F(DiffCommand, AGateEndsWithOneAndSaysWhy) {
  const Outcome done = diff("a.sqlite b.sqlite --csv --fail-if 'p < 0.01 and ratio > 1.02'");
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.err, HasSubstr("lanescope: p < 0.01 and ratio > 1.02: kernel “gemm”: ratio 1.100, p "));
  EXPECT_THAT(done.out, HasSubstr("Kind,Change,Share (%),Difference (ns),"));
  EXPECT_EQ(diff("a.sqlite b.sqlite --fail-if 'ratio > 1.2'").status, 0);
  EXPECT_EQ(diff("a.sqlite a.sqlite --fail-if 'ratio != 1 or p < 1 or new or gone'").status, 0);
  EXPECT_EQ(diff("a.sqlite b.sqlite --fail-if 'ratio > 1.2' --fail-if 'busy: ratio > 1.05'").status, 1);
}

TEST_F(DiffCommand, AGateThatCannotBeHeldSaysSo) {
  program("short.sqlite", 100);
  const Outcome none = diff("a.sqlite b.sqlite --fail-if 'nothing: ratio > 1'");
  EXPECT_EQ(none.status, 0);
  EXPECT_THAT(none.err, HasSubstr("there is no such name or figure in both"));
}

TEST_F(DiffCommand, TakesSeveralRunsOnEachSideOfTwoDashes) {
  const Outcome done = diff("--json a.sqlite a.sqlite -- b.sqlite b.sqlite b.sqlite");
  ASSERT_EQ(done.status, 0) << done.err;
  simdjson::dom::parser parser;
  simdjson::dom::element all;
  ASSERT_EQ(parser.parse(done.out).get(all), simdjson::SUCCESS) << done.out;
  EXPECT_EQ(all["a"].get_array().size(), 2u);
  EXPECT_EQ(all["b"].get_array().size(), 3u);
  EXPECT_EQ(all["iterations"]["b"].get_uint64().value(), 30u);
  bool found = false;
  for (const simdjson::dom::element name : all["names"].get_array()) {
    if (name["name"].get_string().value() != "gemm") continue;
    found = true;
    EXPECT_EQ(name["kind"].get_string().value(), "kernel");
    EXPECT_EQ(name["verdict"].get_string().value(), "slower");
    EXPECT_EQ(name["b"]["count"].get_uint64().value(), 10u) << "of a run";
    EXPECT_EQ(name["difference_ns"].get_int64().value(), 100'000);
    EXPECT_NEAR(name["ratio"].get_double().value(), 1.1, 0.001);
  }
  EXPECT_TRUE(found);
}

TEST_F(DiffCommand, WritesAPageAndReplacesNone) {
  EXPECT_EQ(diff("a.sqlite b.sqlite --html page.html").status, 0);
  EXPECT_THAT(test::readFile(folder / "page.html"), testing::AllOf(HasSubstr("Kernels"), HasSubstr("gemm")));
  EXPECT_EQ(diff("a.sqlite b.sqlite --html page.html").status, 2);
  EXPECT_EQ(diff("a.sqlite b.sqlite --html page.html -f").status, 0);
}

TEST_F(DiffCommand, SaysWhatIsWrong) {
  EXPECT_THAT(diff("a.sqlite").err, HasSubstr("two reports are compared"));
  EXPECT_THAT(diff("a.sqlite b.sqlite a.sqlite").err, HasSubstr("on each side of --"));
  EXPECT_THAT(diff("a.sqlite --").err, HasSubstr("two reports are compared"));
  EXPECT_EQ(diff("--timeunit hours a.sqlite b.sqlite").err, run(folder, "stats --timeunit hours a.sqlite").err);
  const Outcome missing = diff("a.sqlite none.sqlite");
  EXPECT_EQ(missing.status, 2);
  EXPECT_THAT(missing.err, HasSubstr("none.sqlite"));
  const Outcome bad = diff("a.sqlite b.sqlite --fail-if 'speed > 1'");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("“speed” is none of"));
}

}  // namespace
}  // namespace lanescope::cli
