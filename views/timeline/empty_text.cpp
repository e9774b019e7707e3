// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/empty_text.h"

#include <QCoreApplication>
#include <algorithm>

#include "views/text.h"

namespace lanescope::views {

QString emptyText(const trace::Trace& trace) {
  const bool any = !trace.counters.empty() ||
                   std::ranges::any_of(trace.lanes, [](const trace::LanePtr& lane) { return lane->size() > 0; });
  if (!trace.complete || any) return {};
  QString text = QCoreApplication::translate("EmptyText", "This file holds no events");
  for (const trace::Issue& issue : trace.issues) text += u'\n' + toQt(issue.text);
  return text;
}

}  // namespace lanescope::views
