// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme.h"

#include <QApplication>
#include <QPalette>
#include <QStyleFactory>
#include <QToolTip>
#include <algorithm>

#include "views/desktop_scheme.h"
#include "views/theme_file.h"

namespace lanescope::views {
namespace {

constexpr int kBasePixels = 12;

QFont interfaceFont(double scale, int pixelDelta, bool bold) {
  QFont font(QStringList{QStringLiteral("Inter"), QStringLiteral("sans-serif")});
  font.setPixelSize(qRound((kBasePixels + pixelDelta) * scale));
  // Inter's contextual alternates would make a × of the x between two digits: names are shown letter for letter.
  font.setStyleStrategy(QFont::PreferNoShaping);
  if (bold) font.setWeight(QFont::DemiBold);
  return font;
}

QPalette qtPalette(const ThemeColours& c) {
  QPalette p;
  p.setColor(QPalette::Window, c.panel);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.panel);
  p.setColor(QPalette::AlternateBase, c.chrome);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.textFaint);
  p.setColor(QPalette::Button, c.chip);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.error);
  p.setColor(QPalette::ToolTipBase, c.field);
  p.setColor(QPalette::ToolTipText, c.text);
  p.setColor(QPalette::Highlight, c.accent);
  p.setColor(QPalette::HighlightedText, c.textOnAccent);
  p.setColor(QPalette::Link, c.accent);
  p.setColor(QPalette::LinkVisited, c.accent);
  p.setColor(QPalette::Light, c.chip);
  p.setColor(QPalette::Midlight, c.chip);
  p.setColor(QPalette::Mid, c.hairline);
  p.setColor(QPalette::Dark, c.hairline);
  p.setColor(QPalette::Shadow, c.window);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, c.textFaint);
  return p;
}

}  // namespace

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

Theme::Theme() : desktop_(new DesktopScheme(this)) {
  connect(desktop_, &DesktopScheme::changed, this, [this] {
    if (mode_ == Mode::kFollowDesktop) apply();
  });
  apply();
}

void Theme::setMode(Mode mode) {
  mode_ = mode;
  apply();
}

void Theme::setColouring(Colouring colouring) {
  if (colouring == colouring_) return;
  colouring_ = std::move(colouring);
  palette_ = Palette(eventColours_, colouring_);
  emit changed();
}

void Theme::setFontScale(double scale) {
  fontScale_ = std::clamp(scale, 0.7, 2.0);
  apply();
}

void Theme::apply() {
  dark_ = mode_ == Mode::kDark || (mode_ == Mode::kFollowDesktop && desktop_->dark());
  const auto theme = readTheme(themeJson(dark_ ? QStringLiteral("dark") : QStringLiteral("light")));
  if (!theme) qFatal("the compiled-in theme: %s", qPrintable(theme.error()));
  colours_ = theme->colours;
  eventColours_ = theme->palette;
  palette_ = Palette(eventColours_, colouring_);

  if (auto* app = qobject_cast<QApplication*>(QCoreApplication::instance())) {
    const QFont interface = interfaceFont(fontScale_, 0, false);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(qtPalette(colours_));
    QApplication::setFont(interface);
    QToolTip::setFont(interface);
    app->setStyleSheet(styleSheet(*theme, fontScale_));
  }
  emit changed();
}

QFont Theme::font(int pixelDelta, bool bold) { return interfaceFont(instance().fontScale_, pixelDelta, bold); }

QFont Theme::figures(int pixelDelta) {
  QFont font(QStringList{QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
  font.setStyleHint(QFont::Monospace);
  // DejaVu is large for its size: one pixel less looks the same.
  font.setPixelSize(qRound((kBasePixels - 1 + pixelDelta) * instance().fontScale_));
  return font;
}

}  // namespace lanescope::views
