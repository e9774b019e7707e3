// SPDX-License-Identifier: GPL-3.0-or-later
// What the menus do to a view beyond a single call of it. GUI thread only.
#pragma once

#include "views/timeline/view_state.h"

namespace lanescope::ui {

void zoomIn(views::ViewState& view);  ///< around the middle of the window: the menu has no pointer
void zoomOut(views::ViewState& view);
void tallerRows(views::ViewState& view);
void lowerRows(views::ViewState& view);
/// Makes the row `steps` open rows below the current one current; the first if there is none.
void stepRow(views::ViewState& view, int steps);

}  // namespace lanescope::ui
