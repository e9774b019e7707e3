// SPDX-License-Identifier: GPL-3.0-or-later
// Files dropped on the window. GUI thread only.
#pragma once

#include <filesystem>
#include <vector>

class QMimeData;
class QPoint;

namespace lanescope::ui {

class ReportTabs;

/// The local files among what is dragged; empty for anything else.
std::vector<std::filesystem::path> droppedFiles(const QMimeData& data);

/// One file while no report is open is opened; else asks at the point where they fell (global) what to do with them.
void takeDrop(ReportTabs& tabs, std::vector<std::filesystem::path> files, const QPoint& where);

}  // namespace lanescope::ui
