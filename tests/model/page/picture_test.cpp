// SPDX-License-Identifier: Apache-2.0
#include "model/page/picture.h"

#include <gmock/gmock.h>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::page {
namespace {

using test::K;
using test::N;
using test::R;
using testing::HasSubstr;
using testing::Not;

trace::TracePtr loaded(test::ReportBuilder& report) {
  return report::load(report.write(), {}, [](const trace::TracePtr&) {}, Job()).value();
}

class PicturePage : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  test::ReportBuilder report_{folder_.path() / "a.sqlite"};
};

TEST_F(PicturePage, AStripSaysHowBusyEachColumnWas) {
  report_.add(K{.start = 0, .end = 100, .name = "gemm"}).add(K{.start = 150, .end = 200, .name = "gemm"});
  report_.add(N{.start = 0, .end = 400, .text = "step"}).add(N{.start = 0, .end = 100, .text = "forward"});
  const Picture picture = makePicture(*loaded(report_), {0, 400}, 8);
  EXPECT_EQ(picture.leftOut, 0u);
  EXPECT_EQ(toBlocks(picture),
            "process [1] › CUDA HW · GPU 0\n"
            "  Stream 7              |██ █    |\n"
            "process [1] › Thread 1\n"
            "  NVTX                  |████████|\n"
            "                        |██      |\n");
}

TEST_F(PicturePage, AnInstantAndAShortEventLeaveNoColumnBlank) {
  report_.add(K{.start = 0, .end = 1}).add(K{.start = 1'000'000, .end = 1'000'001});
  const Picture picture = makePicture(*loaded(report_), {0, 1'000'001}, 10);
  ASSERT_EQ(picture.strips.size(), 2u);
  EXPECT_GT(picture.strips[1].columns.front().busy, 0);
  EXPECT_GT(picture.strips[1].columns.back().busy, 0);
}

TEST_F(PicturePage, BinsOfALongLaneAgreeWithItsEvents) {
  for (int i = 0; i < 20'000; ++i) report_.add(K{.start = i * 100, .end = i * 100 + (i < 10'000 ? 90 : 25)});
  const Picture picture = makePicture(*loaded(report_), {0, 2'000'000}, 20);
  for (std::size_t i = 0; i < 20; ++i) {
    if (i == 9 || i == 10 || i == 19) continue;  // a bin lies in both halves, or beyond the end
    EXPECT_NEAR(picture.strips[1].columns[i].busy / 65535.0, i < 10 ? 0.9 : 0.25, 0.05) << i;
  }
}

TEST_F(PicturePage, TheBusiestRowsHaveThePlacesAndTheRestIsCounted) {
  for (int stream = 1; stream <= 11; ++stream) report_.add(K{.start = 0, .end = 100 * stream, .stream = stream});
  const Picture picture = makePicture(*loaded(report_), {0, 1100}, 10);
  EXPECT_EQ(picture.strips.size(), 9u) << "a heading and eight";
  EXPECT_EQ(picture.leftOut, 3u);
  EXPECT_THAT(toBlocks(picture), Not(HasSubstr("stream 3 ")));
}

TEST_F(PicturePage, NothingInsideAnSvgIsMarkupOfTheReport) {
  report_.add(K{.start = 0, .end = 100, .name = "f<g>(\"&\")"});
  const trace::TracePtr trace = loaded(report_);
  const std::string svg = toSvg(makePicture(*trace, {0, 100}, 10), *trace->names);
  EXPECT_THAT(svg, HasSubstr("f&lt;g&gt;(&quot;&amp;&quot;)"));
  EXPECT_THAT(svg, Not(HasSubstr("<g>")));
}

TEST_F(PicturePage, AnEmptyRangeIsAnEmptyPicture) {
  report_.add(K{.start = 0, .end = 100});
  EXPECT_TRUE(makePicture(*loaded(report_), {5, 5}, 10).strips.empty());
}

}  // namespace
}  // namespace lanescope::page
