// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/collective_table.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>

#include "views/text.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

QString tr(const char* text) { return QCoreApplication::translate("CollectiveTable", text); }

struct Line {
  std::size_t call = 0;
  trace::Ns start = 0;     ///< of the first rank
  trace::Ns wait = 0;      ///< the longest
  trace::Ns transfer = 0;  ///< the longest
  std::uint32_t waited = 0;  ///< the rank that waited longest
};

Line lineOf(const together::Across& across, std::size_t index) {
  Line line{.call = index, .start = trace::kMaxTime};
  for (const together::AcrossPart& part : across.partsOf(across.calls[index])) {
    line.start = std::min(line.start, part.time.begin);
    line.transfer = std::max(line.transfer, part.transfer);
    if (part.wait <= line.wait) continue;
    line.wait = part.wait;
    line.waited = part.rank;
  }
  return line;
}

}  // namespace

TableContent collectiveContent(const std::shared_ptr<const together::Across>& across) {
  auto lines = std::make_shared<std::vector<Line>>();
  for (std::size_t i = 0; i < across->calls.size(); ++i) lines->push_back(lineOf(*across, i));
  std::ranges::stable_sort(*lines, std::greater<>(), &Line::wait);
  TableContent content;
  content.name = QStringLiteral("collectives");
  content.columns = {
      {.title = tr("Start"),
       .meaning = tr("Of the rank that came first"),
       .kind = ColumnKind::kTime,
       .exact = true,
       .characters = 18},
      {.title = tr("Longest wait"),
       .meaning = tr("From the start of the rank that came first to the start of the one that came last"),
       .kind = ColumnKind::kTime},
      {.title = tr("Transfer"),
       .meaning = tr("From there to the end, of the rank that took longest"),
       .kind = ColumnKind::kTime},
      {.title = tr("Operation"), .characters = 16},
      {.title = tr("Last"),
       .meaning = tr("The rank that all others waited for; with ≈ where the clocks are not known well enough to tell"),
       .characters = 14},
      {.title = tr("Waited longest"), .quiet = true, .characters = 14},
  };
  content.nameColumn = 3;
  content.rows = lines->size();
  content.cell = [across, lines](std::size_t row, std::size_t column) -> Cell {
    const Line& line = (*lines)[row];
    const together::AcrossCall& call = across->calls[line.call];
    switch (column) {
      case 0:
        return line.start;
      case 1:
        return line.wait;
      case 2:
        return line.transfer;
      case 3:
        return call.operation;
      case 4:
        return (call.isCertain ? "" : "≈ ") + across->ranks[call.last].label;
      default:
        return line.wait > 0 ? Cell(across->ranks[line.waited].label) : Cell();
    }
  };
  content.key = [lines](std::size_t row) { return (*lines)[row].call; };
  return content;
}

}  // namespace lanescope::views
