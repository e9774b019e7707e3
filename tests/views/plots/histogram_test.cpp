// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/plots/histogram.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QMouseEvent>
#include <QTest>

namespace lanescope::views {
namespace {

using trace::Ns;

class HistogramTest : public testing::Test {
 protected:
  HistogramTest() {
    histogram.resize(400, 200);
    histogram.show();
    histogram.setBins({{10, 20, 30, 40}, {3, 0, 1}, false}, Qt::blue);
    histogram.grab();  // lays it out
    QObject::connect(&histogram, &Histogram::picked, [this](Ns from, Ns to) { picked.push_back({from, to}); });
  }
  void mouse(QEvent::Type type, std::size_t bin) {
    QWidget* plot = histogram.childAt(histogram.middleOf(bin));
    const QPointF at = plot->mapFrom(&histogram, histogram.middleOf(bin));
    QMouseEvent event(type, at, plot->mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                      type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(plot, &event);
  }

  Histogram histogram;
  std::vector<trace::TimeRange> picked;
};

TEST_F(HistogramTest, AClickOnABarPicksItsDurations) {
  mouse(QEvent::MouseButtonPress, 2);
  mouse(QEvent::MouseButtonRelease, 2);
  EXPECT_EQ(picked, (std::vector<trace::TimeRange>{{30, 40}}));
}

TEST_F(HistogramTest, ADragPicksFromBarToBarEitherWay) {
  mouse(QEvent::MouseButtonPress, 2);
  mouse(QEvent::MouseMove, 1);
  mouse(QEvent::MouseMove, 0);
  mouse(QEvent::MouseButtonRelease, 0);
  EXPECT_EQ(picked, (std::vector<trace::TimeRange>{{10, 40}}));
}

TEST_F(HistogramTest, ArrowsAndEnterPickWithoutAMouse) {
  QTest::keyClick(&histogram, Qt::Key_Return);
  EXPECT_TRUE(picked.empty()) << "nothing is marked yet";
  QTest::keyClick(&histogram, Qt::Key_Right);
  QTest::keyClick(&histogram, Qt::Key_Right);
  QTest::keyClick(&histogram, Qt::Key_Return);
  QTest::keyClick(&histogram, Qt::Key_Right, Qt::ShiftModifier);
  QTest::keyClick(&histogram, Qt::Key_Return);
  EXPECT_EQ(picked, (std::vector<trace::TimeRange>{{20, 40}})) << "there is nothing to find in the empty one";
}

TEST_F(HistogramTest, SaysHowManyEventsAndHowLong) {
  EXPECT_EQ(histogram.saying(0, 0), QStringLiteral("3 events · 10 – 19 ns"));
  EXPECT_EQ(histogram.saying(2, 2), QStringLiteral("1 event · 30 – 39 ns"));
  EXPECT_EQ(histogram.saying(0, 2), QStringLiteral("4 events · 10 – 39 ns"));
  QString said;
  QObject::connect(&histogram, &Histogram::said, [&](const QString& saying) { said = saying; });
  mouse(QEvent::MouseMove, 2);
  EXPECT_EQ(said, QStringLiteral("1 event · 30 – 39 ns"));
}

TEST_F(HistogramTest, TheAxisHasRoundDurationsWithTheirUnits) {
  std::vector<Ns> edges{700};
  for (int i = 0; i < 12; ++i) edges.push_back(edges.back() * 3);
  histogram.setBins({edges, std::vector<std::uint64_t>(12, 1), true}, Qt::blue);
  histogram.grab();
  EXPECT_EQ(histogram.axisLabels().join(' '), QStringLiteral("1 µs 10 µs 100 µs 1 ms 10 ms 100 ms"));
  histogram.setBins({{1'000, 1'200, 1'400, 1'600}, {1, 0, 1}, false}, Qt::blue);
  histogram.grab();
  EXPECT_EQ(histogram.axisLabels().join('|'), QStringLiteral("1 µs|1.1 µs|1.2 µs|1.3 µs|1.4 µs|1.5 µs"));
  histogram.setBins({{492'306'232, 492'306'233}, {1}, false}, Qt::blue);
  EXPECT_EQ(histogram.axisLabels().join('|'), QStringLiteral("492.3 ms")) << "no more digits than tell them apart";
}

TEST(DurationSpan, NamesTheUnitOnceAndAsManyDigitsAsTellTheEndsApart) {
  EXPECT_EQ(durationSpan(91'900, 92'100), QStringLiteral("91.9 – 92.1 µs"));
  EXPECT_EQ(durationSpan(92'226, 92'231), QStringLiteral("92.226 – 92.231 µs"));
  EXPECT_EQ(durationSpan(900, 1'200), QStringLiteral("900 ns – 1.20 µs"));
  EXPECT_EQ(durationSpan(5, 5), QStringLiteral("5 ns"));
}

}  // namespace
}  // namespace lanescope::views
