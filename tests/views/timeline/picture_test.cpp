// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/picture.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include "tests/support/trace_fixture.h"
#include "views/timeline/timeline.h"

namespace lanescope::views {
namespace {

class Picture : public testing::Test {
 protected:
  Picture() {
    trace::TraceFixture fixture;
    fixture.lane(trace::EventKind::kKernel, {{.start = 0, .end = 1000, .name = fixture.name("gemm")}});
    state.setTrace(fixture.finish());
    timeline.resize(640, 200);
  }
  QTemporaryDir folder;
  ViewState state;
  Timeline timeline{state};
};

TEST_F(Picture, AsPngHasThePixelsOfTheWidget) {
  const QString file = folder.filePath("a.png");
  EXPECT_EQ(writePicture(timeline, file), QString());
  EXPECT_EQ(QImage(file).size(), QSize(640, 200));
}

TEST_F(Picture, AsSvgIsOneWithTexts) {
  const QString file = folder.filePath("a.SVG");
  EXPECT_EQ(writePicture(timeline, file), QString());
  QSvgRenderer svg(file);
  EXPECT_TRUE(svg.isValid());
  EXPECT_EQ(svg.viewBox(), QRect(0, 0, 640, 200));
  QFile text(file);
  ASSERT_TRUE(text.open(QIODevice::ReadOnly));
  EXPECT_TRUE(text.readAll().contains("<text"));
}

TEST_F(Picture, WhereNothingCanBeWrittenSaysSo) {
  EXPECT_TRUE(writePicture(timeline, folder.filePath("no/such/folder.png")).contains("folder.png"));
}

}  // namespace
}  // namespace lanescope::views
