// SPDX-License-Identifier: GPL-3.0-or-later
// Lets word wrapping break a long name where C++ allows a space, and a run without such a place after so many
// characters. For showing only: what is copied stays as it is. Pure. O(length).
#pragma once

#include <QString>

namespace lanescope::views {

QString breakable(const QString& text);

}  // namespace lanescope::views
