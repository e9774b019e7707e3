// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/time_filter.h"

#include <gmock/gmock.h>

#include "tests/support/loaded_report.h"

namespace lanescope::analysis {
namespace {

using testing::HasSubstr;
using trace::Ns;
using trace::TimeRange;

constexpr TimeRange kRecorded{155'360'000'000, 156'320'000'000};

/// The time that a filter leaves, or the sentence that refuses it.
std::string left(std::string_view text, TimeRange recorded = kRecorded) {
  const auto filter = parseTimeFilter(text);
  if (!filter) return sentence(filter.error());
  const auto range = resolve(*filter, recorded, recorded, "a.rep");
  return range ? std::to_string(range->begin) + "/" + std::to_string(range->end) : sentence(range.error());
}

TEST(TimeFilter, TakesNanosecondsWhereNoUnitIsWritten) {
  EXPECT_EQ(left("155400000001/155900000002"), "155400000001/155900000002");
}

TEST(TimeFilter, TakesUnitsPointsExponentsAndSumsExactly) {
  const TimeRange all{-1'000'000'000'000, 7'200'000'000'001};
  EXPECT_EQ(left("1.000000001s/2s", all), "1000000001/2000000000");
  EXPECT_EQ(left("1.5us/2.5µs", all), "1500/2500");
  EXPECT_EQ(left("1s500ms/1e1s", all), "1500000000/10000000000");
  EXPECT_EQ(left("-1.5e3ms/1min", all), "-1500000000/60000000000");
  EXPECT_EQ(left("0/2h", all), "0/7200000000000");
  EXPECT_EQ(left("0.0000000000000000000000000000000000000000001h/1", all), "0/1");
}

TEST(TimeFilter, CountsFromTheStartOfTheRecordingBehindAPlus) {
  EXPECT_EQ(left("+100ms/+0.2s"), "155460000000/155560000000");
}

TEST(TimeFilter, LeavesASideOpenThatIsNotGiven) {
  EXPECT_EQ(left("155.4s/"), "155400000000/" + std::to_string(trace::kMaxTime));
  EXPECT_EQ(left("/155.4s"), std::to_string(trace::kMinTime) + "/155400000000");
}

TEST(TimeFilter, TellsWhatWasRecordedWhereNothingIsLeft) {
  EXPECT_EQ(left("0/1s"),
            "a.rep: nothing was recorded in that time: it was recorded in 155360000000/156320000000 ns; "
            "choose a part of that");
  EXPECT_THAT(left("157s/"), HasSubstr("nothing was recorded in that time"));
  EXPECT_THAT(left("2s/1s"), HasSubstr("the filter ends before it begins"));
}

TEST(TimeFilter, TakesTimeInWhichOnlySamplesWereTaken) {
  const auto filter = parseTimeFilter("+10ns/+20ns");
  const TimeRange timeline{100, 200};
  const auto begin = [&](std::optional<TimeRange> recorded) {
    const auto range = resolve(*filter, recorded, timeline, "a.rep");
    return range ? std::to_string(range->begin) : sentence(range.error());
  };
  EXPECT_EQ(begin(TimeRange{150, 155}), "160") << "a plus counts from the begin of calls and GPU work";
  EXPECT_EQ(begin(std::nullopt), "110") << "and, where there are none, from that of all";
  EXPECT_EQ(begin(TimeRange{195, 196}),
            "a.rep: nothing was recorded in that time: it was recorded in 100/200 ns; choose a part of that");
}

TEST(TimeFilter, RefusesWhatIsNoTime) {
  EXPECT_EQ(left("1s"),
            "1s: is no part of time (there is no / in it); write [START]/[END], for example 1.5s/2s or +100ms/");
  EXPECT_THAT(left("/"), HasSubstr("neither side"));
  EXPECT_THAT(left("1 parsec/"), HasSubstr("no unit of time:  parsec"));
  EXPECT_THAT(left("1s/x"), HasSubstr("no number: x"));
  EXPECT_THAT(left("1s/-"), HasSubstr("no number: nothing"));
  EXPECT_THAT(left("1s/2s/3s"), HasSubstr("no unit of time: s/"));
  for (const char* large :
       {"9e18s/", "1e999/", "1e9999/", "99999999999999999999999999999999999999999999/", "3e9h3e9h/", "2e18ns2e18ns/"})
    EXPECT_THAT(left(large), HasSubstr("too large a number")) << large;
}

class NvtxFilterTest : public test::LoadedReport {
 protected:
  NvtxFilterTest() {
    trace = load(report()
                     .add(test::N{.start = 50, .end = 60, .text = "step"})
                     .add(test::N{.start = 10, .end = 20, .text = "step"})
                     .add(test::N{.start = 5, .end = 70, .type = 60, .text = "a/b@c"})
                     .add(test::N{.start = 80, .end = std::nullopt, .text = "open"})
                     .add(test::N{.start = 1, .end = 1, .type = 75, .text = "NCCL", .domain = 3})
                     .add(test::N{.start = 30, .end = 40, .text = "step", .domain = 3})
                     .add(test::N{.start = 31, .end = 33, .text = "reduce", .domain = 3}));
  }
  std::string found(std::string_view text) const {
    const auto filter = parseNvtxFilter(text);
    if (!filter) return sentence(filter.error());
    const auto range = resolve(*filter, *trace, "a.rep");
    return range ? std::to_string(range->begin) + "/" + std::to_string(range->end) : sentence(range.error());
  }
  trace::TracePtr trace;
};

TEST_F(NvtxFilterTest, TakesTheFirstOfThatNameInTheDefaultDomain) { EXPECT_EQ(found("step"), "10/20"); }

TEST_F(NvtxFilterTest, CountsFromNoughtInOrderOfStart) { EXPECT_EQ(found("step/1"), "50/60"); }

TEST_F(NvtxFilterTest, TakesANamedDomainOrAny) {
  EXPECT_EQ(found("step@NCCL"), "30/40");
  EXPECT_EQ(found("step@NCCL/0"), "30/40");
  EXPECT_EQ(found("step@*/1"), "30/40");
}

TEST_F(NvtxFilterTest, TakesSignsBehindABackslashAsPartOfTheName) { EXPECT_EQ(found("a/b\\@c"), "5/70"); }

TEST_F(NvtxFilterTest, LetsAnOpenRangeReachToTheEndOfTime) {
  EXPECT_EQ(found("open"), "80/" + std::to_string(trace::kMaxTime));
}

TEST_F(NvtxFilterTest, TellsWhereThereIsSuchARangeOrHowMany) {
  EXPECT_EQ(found("step/2"),
            "a.rep: has 2 NVTX ranges “step”, and they count from 0; see which there are: lanescope stats -r nvtx_sum "
            "a.rep");
  EXPECT_THAT(found("reduce"), HasSubstr("has an NVTX range “reduce” in another domain (“NCCL”)"));
  EXPECT_THAT(found("none"), HasSubstr("has no NVTX range “none”"));
}

TEST_F(NvtxFilterTest, RefusesAFilterWithoutARange) {
  EXPECT_EQ(found("@NCCL"),
            "@NCCL: is no NVTX range (it names no range); write RANGE[@DOMAIN][/INDEX], for example step/3");
  EXPECT_THAT(found("a/99999999999999999999"), HasSubstr("its index is too large"));
}

}  // namespace
}  // namespace lanescope::analysis
