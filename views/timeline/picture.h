// SPDX-License-Identifier: GPL-3.0-or-later
// A file with the picture of what a widget shows: SVG, where texts and lines stay sharp and events are an image at the
// screen's resolution, or PNG. GUI thread only.
#pragma once

#include <QWidget>

namespace lanescope::views {

/// By the ending of the name: ".svg", anything else is PNG. Empty, or a sentence that says what went wrong.
QString writePicture(QWidget& widget, const QString& file);

/// Asks for the name of a file, offering this one with the ending of a picture.
void savePicture(QWidget& widget, const QString& name);

}  // namespace lanescope::views
