// SPDX-License-Identifier: GPL-3.0-or-later
// A label for text that comes from a report or the system: shown as it is (kernel names are full of angle brackets),
// wrapped, and free to be selected and copied. GUI thread only.
#pragma once

class QLabel;
class QWidget;

namespace lanescope::views {

QLabel* plainLabel(QWidget* parent);

}  // namespace lanescope::views
