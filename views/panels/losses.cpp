// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/losses.h"

#include <QStringList>

#include "model/format.h"

namespace lanescope::views {
namespace {

/// An issue's kind is its name in the singular with hyphens: "invalid-time".
QString counted(const trace::Issue& issue) {
  QString words = QString::fromStdString(issue.kind).replace('-', ' ');
  if (issue.count != 1 && !words.endsWith('s')) words += 's';
  return QString::fromStdString(formatCount(issue.count)) + ' ' + words;
}

}  // namespace

QString lossSummary(const trace::Trace& trace) {
  QStringList parts;
  for (const trace::Issue& issue : trace.issues) parts += counted(issue);
  return parts.isEmpty() ? QStringLiteral("0 events lost") : parts.join(QStringLiteral(" · "));
}

}  // namespace lanescope::views
