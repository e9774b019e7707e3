// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/losses.h"

#include <QStringList>

#include "model/analysis/losses.h"
#include "model/format.h"

namespace lanescope::views {
namespace {

struct Phrase {
  const char *kind, *one, *many;
};

/// What does not read well as its kind with an s.
constexpr Phrase kPhrases[] = {
    {"time-not-recorded", "time not recorded", "times not recorded"},
    {"end-before-start", "event ends before it starts", "events end before they start"},
    {"time-out-of-range", "time out of range", "times out of range"},
    {"time-not-a-number", "time is no number", "times are no numbers"},
    {"graphs-not-recorded", "graph recorded as a whole", "graphs recorded as a whole"},
    {"records-dropped", "warning of lost records", "warnings of lost records"},
    {"string-missing", "name missing", "names missing"},
    {"sample-unusable", "unusable sample", "unusable samples"},
    {"thread-missing", "event without its thread", "events without their thread"},
    {"table-damaged", "damaged table", "damaged tables"},
    {"too-many-events", "event too many", "events too many"},
    {"correlation-reused", "correlation used again", "correlations used again"},
    {"unfinished", "unfinished range", "unfinished ranges"},
    {"journal", "unfinished file", "unfinished files"},
    {"gpu-metrics", "note on GPU metrics", "notes on GPU metrics"},
    {"lost-metric-samples", "GPU metric sample lost", "GPU metric samples lost"},
    {"sampler-killed", "killed sampler of GPU metrics", "killed samplers of GPU metrics"},
    {"newer-schema", "newer schema", "newer schemas"},
    {"young-children", "call of a child just forked left out", "calls of children just forked left out"},
    {"other-user", "process of another user", "processes of other users"},
    {"became-unrecorded", "process that kept us out", "processes that kept us out"},
    {"end-unseen", "end not seen", "ends not seen"},
    {"file-access-cut", "file access left out", "file accesses left out"},
    // Of other tools' files.
    {"import-not-shown", "row not shown", "rows not shown"},
    {"import-cut-off", "text cut off", "texts cut off"},
    {"import-gave-up", "rest not read", "rests not read"},
    {"import-packed-damaged", "damaged archive", "damaged archives"},
    {"import-skipped-damaged", "damaged entry", "damaged entries"},
    {"import-skipped-no-object", "entry that is no event", "entries that are no events"},
    {"import-skipped-deep", "entry nested too deep", "entries nested too deep"},
    {"import-skipped-long", "entry too long", "entries too long"},
    {"import-skipped-text", "text that is no JSON", "texts that are no JSON"},
    {"import-skipped-member", "file of the archive not read", "files of the archive not read"},
    {"import-skipped-beside", "damage beside the events", "damages beside the events"},
    {"import-repaired-control", "text repaired", "texts repaired"},
    {"import-repaired-utf8", "text repaired", "texts repaired"},
    {"import-no-time", "event without a time", "events without a time"},
    {"import-no-duration", "event without a duration", "events without a duration"},
    {"import-unmatched", "half of a range", "halves of ranges"},
    {"import-end-without-begin", "end without a begin", "ends without a begin"},
    {"import-async-end-without-begin", "end without a begin", "ends without a begin"},
    {"import-other-name-at-end", "end by another name", "ends by another name"},
    {"import-counter-without-number", "counter without a number", "counters without a number"},
    {"import-different-clocks", "different clock", "different clocks"},
    {"import-arrow-without-begin", "arrow that comes from nowhere", "arrows that come from nowhere"},
    {"import-arrow-without-end", "arrow that leads nowhere", "arrows that lead nowhere"},
    {"import-arrow-without-event", "arrow between no events", "arrows between no events"},
};

/// Others by their kind, which is a name in the singular with hyphens: "projection-cut".
QString counted(const trace::Issue& issue) {
  const bool one = issue.count == 1;
  QString words = QString::fromStdString(issue.kind).replace('-', ' ');
  if (!one && !words.endsWith('s')) words += 's';
  for (const Phrase& phrase : kPhrases)
    if (issue.kind == phrase.kind) words = QString::fromLatin1(one ? phrase.one : phrase.many);
  return QString::fromStdString(formatCount(issue.count)) + ' ' + words;
}

}  // namespace

QString lossSummary(const trace::Trace& trace) {
  QStringList parts;
  for (const trace::Issue& issue : trace.issues)
    if (!analysis::isOnPurpose(issue)) parts += counted(issue);
  if (!parts.isEmpty()) return parts.join(QStringLiteral(" · "));
  return trace.issues.empty() ? QStringLiteral("0 events lost") : QStringLiteral("part of a recording");
}

}  // namespace lanescope::views
