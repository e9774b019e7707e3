// SPDX-License-Identifier: GPL-3.0-or-later
// A filter as JSON, a condition an object. What tells rows, streams, threads, processes and GPUs of one report apart is
// kept as it is, and beside it the role of their row, by which another report of the program has them. Nothing in a file
// is trusted: conditions that are not as they should be are left out.
#pragma once

#include <QJsonArray>
#include <QStringList>

#include "model/analysis/filter.h"

namespace lanescope::views {

/// `roles` by row of the trace: rolesOf(). O(conditions · (lanes + rows)).
QJsonArray writeFilter(const analysis::Filter& filter, const trace::Trace& trace,
                       const std::vector<std::string>& roles);

analysis::Filter readFilter(const QJsonArray& conditions);

/// What of a filter kept of another report holds in this one. Times are left out, and what is not there, whose labels
/// `missing` takes.
analysis::Filter filterByRoles(const QJsonArray& conditions, const trace::Trace& trace,
                               const std::vector<std::string>& roles, QStringList& missing);

}  // namespace lanescope::views
