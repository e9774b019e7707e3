// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QGlyphRun>
#include <QIcon>
#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTextLayout>

#include "tests/support/files.h"
#include "views/theme.h"
#include "views/theme_file.h"

namespace lanescope::views {
namespace {

class ThemeOf : public testing::TestWithParam<const char*> {
 protected:
  QByteArray json() const { return themeJson(QString::fromLatin1(GetParam())); }
  std::string errorOf(const QJsonObject& changed) const {
    const auto theme = readTheme(QJsonDocument(changed).toJson());
    return theme ? std::string() : theme.error().toStdString();
  }
};
INSTANTIATE_TEST_SUITE_P(Theme, ThemeOf, testing::Values("dark", "light"),
                         [](const auto& theme) { return std::string(theme.param); });

TEST_P(ThemeOf, TheCompiledInFileIsWholeAndValid) {
  const auto theme = readTheme(json());
  ASSERT_TRUE(theme) << theme.error().toStdString();
}

TEST_P(ThemeOf, AMissingColourIsAnErrorThatNamesIt) {
  QJsonObject root = QJsonDocument::fromJson(json()).object();
  QJsonObject colours = root[QLatin1String("colours")].toObject();
  colours.remove(QLatin1String("hairline"));
  root[QLatin1String("colours")] = colours;
  EXPECT_EQ(errorOf(root), "colours.hairline is missing");
}

TEST_P(ThemeOf, AnInvalidOrUnknownColourIsAnErrorThatNamesIt) {
  QJsonObject root = QJsonDocument::fromJson(json()).object();
  root[QLatin1String("copyApi")] = QLatin1String("#12345");
  EXPECT_EQ(errorOf(root), "copyApi is not a colour");
  root = QJsonDocument::fromJson(json()).object();
  root[QLatin1String("hairlin")] = QLatin1String("#123456");
  EXPECT_EQ(errorOf(root), "hairlin is not known");
  EXPECT_FALSE(readTheme("nonsense"));
}

TEST(ThemeFont, NamesAreDrawnLetterForLetter) {
  const auto glyphs = [](const QString& text) {
    QTextLayout layout(text, Theme::font());
    layout.beginLayout();
    layout.createLine();
    layout.endLayout();
    QList<quint32> found;
    for (const QGlyphRun& run : layout.glyphRuns()) found += run.glyphIndexes();
    return found;
  };
  const auto apart = [&](const QString& text) {
    QList<quint32> found;
    for (const QChar c : text) found += glyphs(c);
    return found;
  };
  for (const char* text : {"256x128x8", "0x7F5E", "a->b", "fi"}) EXPECT_EQ(glyphs(text), apart(text)) << text;
}

TEST_P(ThemeOf, TextReadsOnEveryGround) {
  const auto theme = readTheme(json());
  ASSERT_TRUE(theme);
  const ThemeColours& c = theme->colours;
  for (const QColor& ground : {c.window, c.chrome, c.panel, c.field, c.canvas, c.canvasAlternate}) {
    EXPECT_GE(contrast(c.text.rgb(), ground.rgb()), 7) << ground.name().toStdString();
    EXPECT_GE(contrast(c.textDim.rgb(), ground.rgb()), 4.5) << ground.name().toStdString();
    EXPECT_GE(contrast(c.textFaint.rgb(), ground.rgb()), 3) << ground.name().toStdString();
    EXPECT_GE(contrast(c.warning.rgb(), ground.rgb()), 4.5) << ground.name().toStdString();
    EXPECT_GE(contrast(c.error.rgb(), ground.rgb()), 4.5) << ground.name().toStdString();
  }
  EXPECT_GE(contrast(c.text.rgb(), c.chip.rgb()), 7);
  EXPECT_GE(contrast(c.textOnAccent.rgb(), c.accent.rgb()), 4.5);
}

TEST_P(ThemeOf, TheStyleSheetHasEveryNameReplaced) {
  const auto theme = readTheme(json());
  ASSERT_TRUE(theme);
  const QString sheet = styleSheet(*theme, 1.5);
  EXPECT_FALSE(sheet.isEmpty());
  EXPECT_FALSE(sheet.section(QLatin1String("*/"), 1).contains(u'@'));
  EXPECT_TRUE(sheet.contains(QLatin1String("font-size: 30px")));
}

TEST_P(ThemeOf, WhatIsSelectedLooksSoUnderThePointerToo) {
  const auto theme = readTheme(json());
  ASSERT_TRUE(theme);
  QListWidget list;
  list.setStyleSheet(styleSheet(*theme, 1));
  list.addItem("CUDA GPU Kernel Summary");
  list.ensurePolished();
  const auto drawn = [&](QStyle::State state) {
    QImage image(120, 20, QImage::Format_RGB32);
    image.fill(theme->colours.panel);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.initFrom(&list);
    option.widget = &list;
    option.rect = image.rect();
    option.state = QStyle::State_Enabled | state;
    list.style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, &painter, &list);
    return image;
  };
  const QImage selected = drawn(QStyle::State_Selected);
  EXPECT_NE(selected, drawn(QStyle::State_None));
  EXPECT_EQ(drawn(QStyle::State_Selected | QStyle::State_MouseOver), selected);
}

TEST(Icons, ThoseForDesktopsWithoutSvgShowTheSamePicture) {
  for (const int size : {48, 128, 256}) {
    const QImage drawn = QIcon(":/icons/lanescope.svg").pixmap(size).toImage();
    const QImage kept(QString::fromStdString((test::sourceFolder() / "resources/icons").string()) +
                      QStringLiteral("/lanescope-%1.png").arg(size));
    ASSERT_EQ(kept.size(), QSize(size, size));
    qint64 apart = 0;
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const QColor a = drawn.pixelColor(x, y), b = kept.pixelColor(x, y);
        apart += std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.alpha() - b.alpha());
      }
    }
    EXPECT_LT(apart, 3LL * size * size) << size << ": draw it anew from resources/icons/lanescope.svg";
  }
}

}  // namespace
}  // namespace lanescope::views
