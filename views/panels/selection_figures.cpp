// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/selection_figures.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>
#include <set>

#include "model/analysis/grouping.h"
#include "model/analysis/losses.h"
#include "model/format.h"
#include "views/text.h"
#include "views/timeline/go_to.h"

namespace lanescope::views {
namespace {

constexpr std::size_t kDirections = 4;  // of copies that are named; the table has them all

QString tr(const char* text) { return QCoreApplication::translate("SelectionFigures", text); }

QString duration(trace::Ns ns) { return QString::fromStdString(formatDuration(ns)); }
QString share(trace::Ns part, trace::Ns whole) { return QString::fromStdString(formatShare(part, whole)); }

analysis::Durations durationsOf(const trace::Trace& trace, const analysis::Selection& selection, NameKey line,
                                const Job& job) {
  analysis::Durations all = analysis::durationsOf(trace, selection, line.name, line.kind, job);
  if (line.kind != trace::EventKind::kCopy) return all;
  // Copies of all directions may have one name.
  analysis::Durations some;
  for (std::size_t i = 0; i < all.event.size(); ++i) {
    if (trace.info(trace.ref(all.event[i])).copyKind != line.copyKind) continue;
    some.time.push_back(all.time[i]);
    some.event.push_back(all.event[i]);
  }
  return some;
}

/// "800.0 µs", or "800.0 µs × 2 GPUs": what the shares of a GPU are of.
QString available(const SelectionAnswer& answer) {
  const QString length = duration(answer.question.selection.range.length());
  return answer.gpu.gpus > 1 ? tr("%1 × %2 GPUs").arg(length).arg(answer.gpu.gpus) : length;
}

Phrase rangePhrase(const SelectionAnswer& answer) {
  const trace::TimeRange range = answer.question.selection.range;
  const QString length = duration(range.length());
  const QString from = QString::fromStdString(formatExact(range.begin));
  const QString exact = QString::fromStdString(formatExact(range.length()));
  return {answer.question.chosen ? tr("%1 selected").arg(length) : tr("Visible range %1").arg(length),
          answer.question.chosen ? tr("%1 from %2").arg(exact, from)
                                 : tr("%1 from %2. Drag over the timeline to select a range").arg(exact, from),
          false, true};
}

/// What is missing from the figures of GPU work, a line a reason; graphs recorded as a whole have a phrase of their own.
QString lostWork(const trace::Trace& trace) {
  QStringList reasons;
  for (const analysis::Loss& loss : analysis::affected(trace)) {
    const trace::Issue& issue = trace.issues[loss.issue];
    if (!loss.ofFigures || (loss.kind && !trace::isGpuWork(*loss.kind)) || issue.kind == "graphs-not-recorded")
      continue;
    if (const QString text = QString::fromStdString(issue.text); !reasons.contains(text)) reasons += text;
  }
  return reasons.join('\n');
}

void addGpu(const SelectionAnswer& answer, std::vector<Phrase>& phrases) {
  const analysis::GpuFigures& gpu = answer.gpu;
  if (gpu.gpus == 0) return;
  const QString of = available(answer);
  // A filter tells of the work that passes it, not of the GPU.
  const bool filtered = answer.question.selection.passing != nullptr;
  phrases.push_back(
      {(filtered ? tr("filtered work: GPU busy %1") : tr("of it GPU busy %1")).arg(share(gpu.busy, gpu.available)),
       tr("%1 of %2 with a kernel, copy or memset on the GPU.\nWhat overlaps counts once; all rows count, "
          "also when only some are selected.\nShares in Analysis are of GPU time: from the first to the last GPU work.")
           .arg(duration(gpu.busy), of)});
  phrases.push_back(
      {(filtered ? tr("without it %1 (%2)") : tr("idle %1 (%2)"))
           .arg(duration(gpu.idle()), share(gpu.idle(), gpu.available)),
       tr("%1 of %2 without a kernel, copy or memset on the GPU.\nShares in Analysis are of GPU time: from the first "
          "to the last GPU work.")
           .arg(duration(gpu.idle()), of)});
  if (answer.wholeGraphs)
    phrases.push_back({tr("graphs as a whole"),
                       tr("CUDA graphs were recorded without their nodes: the GPU counts as busy from the first to the "
                          "last of a graph,\nwhich hides what was idle inside."),
                       true});
  if (const QString why = lostWork(*answer.question.trace); !why.isEmpty())
    phrases.push_back({tr("⚠ figures incomplete"), why, true});
  if (gpu.copying > 0)
    phrases.push_back(
        {tr("copies beside kernels %1").arg(share(gpu.hidden, gpu.copying)),
         tr("%1 of %2 of copying, copies within a GPU as well, went on while a kernel, collectives as well, "
            "ran on the same GPU.\nThe checklist of Analysis is about what kernels that compute can hide.")
             .arg(duration(gpu.hidden), duration(gpu.copying))});
}

void addCopies(const SelectionAnswer& answer, std::vector<Phrase>& phrases) {
  const std::size_t named = std::min(answer.copies.size(), kDirections);
  for (std::size_t i = 0; i < named; ++i) {
    const analysis::CopyFigures& copies = answer.copies[i];
    const std::string_view brief = trace::copyKindName(copies.copyKind, true);
    const QString direction = toQt(brief);
    const QString bytes = QString::fromStdString(formatBytes(copies.bytes));
    const QString rate = QString::fromStdString(formatRate(copies.bytes, copies.time));
    const QString count = copies.count == 1 ? tr("1 copy") : tr("%1 copies").arg(copies.count);
    const QString cut = answer.question.selection.clip == analysis::Clip::kAtEdges
                            ? tr("\nOf a copy that the edge cuts, the part inside counts.")
                            : QString();
    phrases.push_back(
        {tr("%1 %2, %3").arg(direction, bytes, rate),
         tr("%1 by the %2 that %3 took, not by the length of the range").arg(bytes, duration(copies.time), count) +
             cut});
  }
}

/// Leaves kMostNames of the lines, those with the most total time and the ones asked for, in their order; says how many
/// it took away.
std::size_t keepMost(std::vector<analysis::NameFigures>& names, const SelectionQuestion& question) {
  constexpr std::size_t kMost = SelectionAnswer::kMostNames;
  if (names.size() <= kMost) return 0;
  const auto isAsked = [&](const analysis::NameFigures& each) {
    return each.name == question.name || NameKey::of(each) == question.line;
  };
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::nth_element(order.begin(), order.begin() + kMost, order.end(), [&](std::size_t a, std::size_t b) {
    const bool asked = isAsked(names[a]);
    if (asked != isAsked(names[b])) return asked;
    return names[a].time.total != names[b].time.total ? names[a].time.total > names[b].time.total : a < b;
  });
  order.resize(kMost);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < kMost; ++i) names[i] = names[order[i]];
  const std::size_t more = names.size() - kMost;
  names.erase(names.begin() + kMost, names.end());
  return more;
}

}  // namespace

SelectionAnswer answer(SelectionQuestion question, const Job& job) {
  SelectionAnswer found;
  if (!question.work)
    question.work = std::make_shared<const analysis::GpuWork>(*question.trace, job, question.selection.passing.get());
  if (!question.colours && !job.cancelled())
    question.colours = LineColours(std::move(question.palette), *question.trace);
  const trace::TimeRange range = question.selection.range;
  found.gpu = question.work->figures(range);
  found.wholeGraphs = std::any_of(question.work->devices().begin(), question.work->devices().end(),
                                  [](const auto& d) { return d.wholeGraphs; });
  found.copies = analysis::copyFigures(*question.trace, question.selection, job);
  analysis::NameTable names = analysis::nameFigures(*question.trace, question.selection, job);
  found.moreNames = keepMost(names.names, question);
  found.names = std::make_shared<const analysis::NameTable>(std::move(names));
  found.labels = std::make_shared<const std::vector<QString>>(nameLabels(*question.trace, *found.names));
  for (const std::uint32_t row : question.openRows) {
    if (job.cancelled()) break;
    found.rows.push_back(analysis::rowFigures(*question.trace, row, range, job, question.selection.passing.get()));
  }
  if (question.counters || found.names->names.empty())
    found.counters = analysis::counterLines(*question.trace, question.selection, job);
  if (question.line && !job.cancelled()) {
    found.durations = std::make_shared<const analysis::Durations>(
        durationsOf(*question.trace, question.selection, *question.line, job));
    found.bins = binsOf(found.durations->time);
  }
  found.question = std::move(question);
  return found;
}

analysis::Hits eventsTaking(const trace::Trace& trace, const analysis::Durations& durations, trace::TimeRange range) {
  std::vector<trace::EventId> events;
  for (std::size_t i = 0; i < durations.event.size(); ++i)
    if (range.contains(durations.time[i])) events.push_back(durations.event[i]);
  std::sort(events.begin(), events.end());
  analysis::Hits hits;
  hits.count = events.size();
  for (const trace::EventId id : events) {
    const trace::EventRef event = trace.ref(id);
    if (hits.lanes.empty() || hits.lanes.back().lane != event.lane) hits.lanes.push_back({event.lane, {}});
    hits.lanes.back().events.push_back(event.index);
  }
  return hits;
}

std::optional<trace::EventRef> longestOf(const trace::Trace& trace, const analysis::Selection& selection, NameKey line,
                                         const Job& job) {
  const analysis::Durations durations = durationsOf(trace, selection, line, job);
  const auto longest = std::max_element(durations.time.begin(), durations.time.end());
  if (longest == durations.time.end()) return std::nullopt;
  return trace.ref(durations.event[static_cast<std::size_t>(longest - durations.time.begin())]);
}

std::optional<trace::EventRef> longestIn(const trace::Trace& trace, const analysis::Selection& selection,
                                         std::uint32_t row, const Job& job) {
  std::optional<trace::EventRef> longest;
  for (const trace::LaneId id : trace.rows[row].lanes) {
    const trace::Lane& lane = *trace.lanes[id];
    const analysis::Touching touched = analysis::touching(lane, selection.range);
    for (std::size_t i = touched.first; i < touched.last && !job.cancelled(); ++i) {
      const trace::EventRef event{id, static_cast<std::uint32_t>(i)};
      if (selection.passing && !selection.passing->passes(event)) continue;
      if (!longest || lane.duration(i) > trace.time(*longest).length()) longest = event;
    }
  }
  return longest;
}

std::vector<std::uint32_t> rowsOf(const trace::Trace& trace, const analysis::Selection& selection, NameKey line,
                                  const Job& job) {
  const std::vector<std::uint32_t> home = homeRows(trace);
  std::set<std::uint32_t> rows;
  for (const trace::EventId id : durationsOf(trace, selection, line, job).event) rows.insert(home[trace.ref(id).lane]);
  rows.erase(trace::kNone);
  return {rows.begin(), rows.end()};
}

QString moreNamesText(const SelectionAnswer& answer) {
  if (answer.moreNames == 0) return {};
  const auto count = [](std::size_t n) { return QString::fromStdString(formatCount(n)); };
  return (answer.moreNames == 1
              ? tr("… and 1 more name; narrow the selection to see it. ")
              : tr("… and %1 more names; narrow the selection to see them. ").arg(count(answer.moreNames))) +
         tr("Here are the %1 with the most total time, and only they are sorted, copied and saved.")
             .arg(count(answer.names->names.size()));
}

std::vector<Phrase> phrasesOf(const SelectionAnswer& answer) {
  std::vector<Phrase> phrases{rangePhrase(answer)};
  if (const analysis::PassingPtr& passing = answer.question.selection.passing)
    phrases.push_back({tr("filtered"),
                       tr("Figures are of the %1 of %2 events that pass the filter")
                           .arg(QString::fromStdString(formatCount(passing->events())),
                                QString::fromStdString(formatCount(answer.question.trace->eventCount()))),
                       false, true});
  addGpu(answer, phrases);
  addCopies(answer, phrases);
  return phrases;
}

}  // namespace lanescope::views
