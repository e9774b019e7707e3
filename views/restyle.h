// SPDX-License-Identifier: GPL-3.0-or-later
// Properties that the style sheet asks for: it looks at one only when it is told. GUI thread only.
#pragma once

#include <QStyle>
#include <QVariant>
#include <QWidget>

namespace lanescope::views {

inline void restyle(QWidget& widget, const char* property, const QVariant& value) {
  if (widget.property(property) == value) return;
  widget.setProperty(property, value);
  widget.style()->unpolish(&widget);
  widget.style()->polish(&widget);
}

}  // namespace lanescope::views
