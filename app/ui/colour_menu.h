// SPDX-License-Identifier: GPL-3.0-or-later
// The menu of what colours go by: one of the modes, a set for the colour-blind, rules for names. Every choice is
// remembered and changes all windows at once. GUI thread only.
#pragma once

#include <QMenu>

#include "app/ui/settings.h"

namespace lanescope::ui {

void addColourMenu(QMenu& menu, Settings& settings, QWidget* window);

}  // namespace lanescope::ui
