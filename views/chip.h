// SPDX-License-Identifier: GPL-3.0-or-later
// A small button in a line of controls above a table or timeline. A click leaves the keys where they are. GUI thread only.
#pragma once

#include <QString>

class QToolButton;
class QWidget;

namespace lanescope::views {

QToolButton* chip(const QString& text, const QString& tip, QWidget* parent);

/// One that stays pressed until it is clicked again.
QToolButton* toggleChip(const QString& text, const QString& tip, QWidget* parent);

}  // namespace lanescope::views
