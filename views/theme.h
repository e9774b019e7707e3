// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour, font and size of the interface, read from resources/themes/{dark,light}.json: the one place to change
// a colour. Widgets ask Theme::colours() when they paint and follow Theme's changed() signal.
// GUI thread only, but for Palette, which is a value.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <array>

#include "views/palette.h"

namespace lanescope::views {

struct ThemeColours {
  QColor window;           ///< menu bar, and the canvas below the last row
  QColor chrome;           ///< ruler, row headers
  QColor panel;            ///< tool bar, docks, tables
  QColor field;            ///< line edits, the overview strip
  QColor chip;             ///< buttons, filter chips, scroll bar handles
  QColor canvas, canvasAlternate, hairline, gridLine;
  QColor text, textDim, textFaint;
  QColor accent;           ///< teal: selection, focus, progress
  QColor textOnAccent;
  QColor selectionFill;    ///< with alpha
  QColor rowHighlight;     ///< the current row, with alpha
  QColor marker;           ///< amber
  QColor warning, error;
  QColor curveFill;        ///< its alpha is used under curves
  std::array<QColor, 6> curves;
};

class DesktopScheme;

class Theme : public QObject {
  Q_OBJECT

 public:
  enum class Mode { kFollowDesktop, kLight, kDark };

  static Theme& instance();
  static const ThemeColours& colours() { return instance().colours_; }
  static const Palette& palette() { return instance().palette_; }

  Mode mode() const { return mode_; }
  void setMode(Mode mode);  ///< applies the palette and style sheet to the application
  bool isDark() const { return dark_; }

  const Colouring& colouring() const { return colouring_; }
  void setColouring(Colouring colouring);

  /// The size the user chose, 1 being 12 pixels; applies to every font and, through their metrics, to what holds text.
  double fontScale() const { return fontScale_; }
  void setFontScale(double scale);

  /// Interface font and the fixed-width one for figures, at the size the user chose.
  static QFont font(int pixelDelta = 0, bool bold = false);
  static QFont figures(int pixelDelta = 0);

 signals:
  void changed();

 private:
  Theme();
  void apply();

  DesktopScheme* desktop_;
  Mode mode_ = Mode::kFollowDesktop;
  bool dark_ = true;
  double fontScale_ = 1;
  Colouring colouring_;
  PaletteColours eventColours_;  // of the theme
  ThemeColours colours_;
  Palette palette_;
};

}  // namespace lanescope::views
