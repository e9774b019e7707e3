// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/phrase_line.h"

#include <gtest/gtest.h>

#include <QFontMetrics>

#include "views/theme.h"

namespace lanescope::views {
namespace {

TEST(PhraseLine, EachPhraseSaysWhatItMeans) {
  PhraseLine line;
  line.resize(1000, 20);
  line.setPhrases({{"busy", "of the range"}, {"idle", "the rest"}});
  EXPECT_EQ(line.text(), QStringLiteral("busy · idle"));
  EXPECT_EQ(line.accessibleDescription(), line.text());
  EXPECT_EQ(line.meaningAt(2), "of the range");
  const int dot = QFontMetrics(Theme::font()).horizontalAdvance("busy");
  EXPECT_EQ(line.meaningAt(dot + 2), QString());
  EXPECT_EQ(line.meaningAt(2 * dot), "the rest");
  EXPECT_EQ(line.meaningAt(900), QString());
}

TEST(PhraseLine, WhatDoesNotFitStandsInTheTooltipOfTheDots) {
  PhraseLine line;
  line.setPhrases({{"busy", "of the range"}, {"a rather long phrase", "its meaning"}, {"last", {}}});
  line.resize(QFontMetrics(Theme::font()).horizontalAdvance("busy  ·  … and more"), 20);
  EXPECT_EQ(line.meaningAt(2), "of the range");
  EXPECT_EQ(line.meaningAt(line.width() - 1), "a rather long phrase\nits meaning\n\nlast");
}

}  // namespace
}  // namespace lanescope::views
