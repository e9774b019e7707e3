// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a theme: the JSON with every colour. All keys must be there and be colours; an unknown key is an error too, so
// that a slip of the pen in a theme fails a test rather than turning something black.
#pragma once

#include <QByteArray>
#include <QString>
#include <tl/expected.hpp>

#include "views/theme.h"

namespace lanescope::views {

struct ThemeFile {
  ThemeColours colours;
  PaletteColours palette;
};

/// The theme, or which key is wrong and how.
tl::expected<ThemeFile, QString> readTheme(const QByteArray& json);

/// The JSON of a theme that is compiled in: "dark" or "light".
QByteArray themeJson(const QString& name);

/// The style sheet with every @name replaced by the theme's colour of that name.
QString styleSheet(const ThemeFile& theme, double fontScale);

}  // namespace lanescope::views
