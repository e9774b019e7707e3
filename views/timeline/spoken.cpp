// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/spoken.h"

#include <QCoreApplication>
#include <QStringList>

#include "model/format.h"
#include "model/trace/kind_words.h"
#include "views/text.h"

namespace lanescope::views {
namespace {

constexpr qsizetype kLongest = 200;

QString tr(const char* text) { return QCoreApplication::translate("Spoken", text); }

QString text(std::string_view utf8) {
  const QString whole = toQt(utf8, 1000);
  return whole.size() > kLongest ? whole.left(kLongest) + u'…' : whole;
}

QString labelOf(const trace::Trace& trace, trace::EventRef event) {
  return text((*trace.names)[trace.name(event)].label);
}

void addEvent(QStringList& words, const trace::Trace& trace, trace::EventRef event) {
  const trace::TimeRange time = trace.time(event);
  words += labelOf(trace, event);
  words += text(trace::kindWord(trace, trace.info(event)));
  words += tr("starts at %1").arg(QString::fromStdString(formatExact(time.begin)));
  words += trace.lanes[event.lane]->unfinished(event.index)
               ? tr("not finished")
               : tr("lasts %1").arg(QString::fromStdString(formatExact(time.length())));
  const auto partners = trace.partners(event);
  if (partners.empty()) return;
  const bool launched = trace::isGpuWork(trace.info(event).kind);
  words += launched ? tr("launched by %1").arg(labelOf(trace, trace.ref(partners.front())))
                    : tr("GPU work started: %1").arg(partners.size());
}

}  // namespace

QString spokenState(const ViewState& state) {
  const trace::Trace& trace = *state.trace();
  QStringList words;
  if (state.current()) addEvent(words, trace, *state.current());
  if (const std::uint32_t row = state.currentRow(); row != trace::kNone) {
    words += tr("row %1").arg(text(trace.rows[row].label));
    if (!trace.rows[row].children.empty()) words += state.isExpanded(row) ? tr("expanded") : tr("collapsed");
  }
  if (const auto selection = state.selection())
    words += tr("%1 selected").arg(QString::fromStdString(formatDuration(selection->length())));
  return words.join(QStringLiteral(", "));
}

}  // namespace lanescope::views
