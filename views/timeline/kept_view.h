// SPDX-License-Identifier: GPL-3.0-or-later
// What a person did to a view, as JSON to keep beside the settings, to hand on and to apply to another report: a
// section a subject, each with a version of its own. To keep another subject, add a row to the table in kept_view.cpp;
// sections that this program does not know stay as they were.
//
// Rows are named by Row::key, which holds for one report, and beside it by their role ("process train/threads/thread
// worker#2"), which holds for every report of the same program. Nothing in a file is trusted: what is not as it should
// be is left out. GUI thread.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "views/timeline/view_state.h"

namespace lanescope::views {

inline constexpr int kKeptViewVersion = 1;

/// `before` is what was kept last: its sections and names of rows that this program or trace does not know are handed on.
QJsonObject keptView(const ViewState& view, const QJsonObject& before = {});

/// Why this is no kept view; empty if it is one.
QString mistakeIn(const QJsonObject& kept);

/// What does not need the trace (rows, marks, filter, colours): before it is loaded, so that nothing jumps.
void restoreRows(ViewState& view, const QJsonObject& kept);
/// The rest (visible range, selection, current row and event), once the trace is complete.
void restoreTime(ViewState& view, const QJsonObject& kept);

/// Applies to a view of another report what holds there too: how its rows are arranged and what is filtered, by the roles
/// of rows, and what colours go by. The labels of rows that are not there; their arrangement stays kept. Needs a complete
/// trace.
QStringList applyToOther(ViewState& view, const QJsonObject& kept);

/// By row: what it is in every report of the program.
std::vector<std::string> rolesOf(const trace::Trace& trace);

}  // namespace lanescope::views
