// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the selection panel says of a range: figured by one function away from the GUI thread, worded by another.
// Every share names what it is a share of. Pure.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/find.h"
#include "model/analysis/gpu_work.h"
#include "model/analysis/selection.h"
#include "views/panels/phrase_line.h"
#include "views/plots/bins.h"
#include "views/tables/selection_tables.h"

namespace lanescope::views {

struct SelectionQuestion {
  trace::TracePtr trace;
  std::shared_ptr<const analysis::GpuWork>
      work;  ///< of this trace and filter, kept from the last answer; null: not made yet
  analysis::Selection selection;
  bool chosen = false;                  ///< by the user; else it is the visible range
  std::vector<std::uint32_t> openRows;  ///< whose busy time is wanted
  bool counters = false;                ///< their figures are wanted
  std::optional<NameKey> line;          ///< of the table by name, whose durations are wanted
  std::optional<trace::NameId> name;    ///< that is shown however little time it took
  Palette palette;                      ///< what colours are made of
  std::optional<LineColours> colours;   ///< of this trace and palette, kept from the last answer; none: not made yet
};

struct SelectionAnswer {
  static constexpr std::size_t kMostNames = 10'000;

  SelectionQuestion question;  ///< with `work` and `colours` made
  analysis::GpuFigures gpu;
  bool wholeGraphs = false;
  std::vector<analysis::CopyFigures> copies;
  std::shared_ptr<const analysis::NameTable> names;  ///< those with the most total time
  std::size_t moreNames = 0;                         ///< that are not among them
  std::shared_ptr<const std::vector<QString>> labels;  ///< of the names
  std::vector<analysis::RowFigures> rows;
  std::vector<analysis::CounterLine> counters;  ///< where asked for, or where there are no events
  std::shared_ptr<const analysis::Durations> durations;  ///< of the line, where one was asked for
  Bins bins;                                             ///< of those
};

/// O(events in the range), and once a trace O(GPU events + names). What follows in the GUI thread is bounded by
/// kMostNames. Incomplete once the job was cancelled.
SelectionAnswer answer(SelectionQuestion question, const Job& job = {});

/// The events among them that took as long as a range of durations says. O(n log n).
analysis::Hits eventsTaking(const trace::Trace& trace, const analysis::Durations& durations, trace::TimeRange range);

/// The longest event of a line in a selection; none if it has none there.
std::optional<trace::EventRef> longestOf(const trace::Trace& trace, const analysis::Selection& selection, NameKey line,
                                         const Job& job = {});

/// The longest event of a row, without those below it, that touches a selection; none if there is none.
std::optional<trace::EventRef> longestIn(const trace::Trace& trace, const analysis::Selection& selection,
                                         std::uint32_t row, const Job& job = {});

/// The rows where the events of a line in a selection are at home, ascending.
std::vector<std::uint32_t> rowsOf(const trace::Trace& trace, const analysis::Selection& selection, NameKey line,
                                  const Job& job = {});

/// What the table does not show, and what to do about it; empty if it shows all.
QString moreNamesText(const SelectionAnswer& answer);

/// "800.0 µs selected", "GPU busy 97.1 %", …
std::vector<Phrase> phrasesOf(const SelectionAnswer& answer);

}  // namespace lanescope::views
