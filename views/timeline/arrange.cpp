// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/arrange.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <tuple>

#include "views/text.h"
#include "views/timeline/layout.h"

namespace lanescope::views {
namespace {

using trace::kNone;
using trace::Row;
using trace::RowKind;

constexpr std::size_t kLabelBytes = 4096;  // of a label are looked at

/// Changes a copy of the arrangement and sets it.
template <class Change>
void arrange(ViewState& view, Change change) {
  RowArrangement arrangement = view.arrangement();
  change(arrangement);
  view.setArrangement(std::move(arrangement));
}

std::string keyAbove(const trace::Trace& trace, std::uint32_t row) {
  const std::uint32_t parent = trace.rows[row].parent;
  return parent == kNone ? std::string() : trace.rows[parent].key;
}

/// Puts `key` before or behind `other` in a list that holds both.
void place(std::vector<std::string>& keys, const std::string& key, const std::string& other, bool behind) {
  std::erase(keys, key);
  const auto at = std::find(keys.begin(), keys.end(), other);
  keys.insert(at == keys.end() || !behind ? at : at + 1, key);
}

std::vector<std::string> keysOf(const trace::Trace& trace, const std::vector<std::uint32_t>& rows) {
  std::vector<std::string> keys;
  for (const std::uint32_t row : rows) keys.push_back(trace.rows[row].key);
  return keys;
}

trace::Ns busyTime(const trace::Trace& trace, const Row& row) {
  if (row.busy) return row.busy->busy(trace.range);
  trace::Ns busy = 0;
  for (const trace::LaneId lane : row.lanes) busy += trace.lanes[lane]->busy(trace.range);
  return busy;
}

trace::Ns firstStart(const trace::Trace& trace, const Row& row) {
  trace::Ns first = std::numeric_limits<trace::Ns>::max();
  for (const trace::LaneId lane : row.lanes)
    if (trace.lanes[lane]->size() > 0) first = std::min(first, trace.lanes[lane]->start(0));
  return first;
}

/// A text to compare by: "stream 7" before "Stream 14".
QString natural(const QString& text) {
  constexpr qsizetype kDigits = 20;
  QString key, number;
  const auto flush = [&] { key += number.isEmpty() ? number : number.rightJustified(kDigits, '0'), number.clear(); };
  for (const QChar c : text) {
    if (c.isDigit()) number += c;
    else flush(), key += c.toCaseFolded();
  }
  flush();
  return key;
}

/// Streams and threads in order; equal ones as recorded.
void sortAlike(const trace::Trace& trace, std::vector<std::uint32_t>& rows, RowSort by) {
  // The part that is a name: a thread's label begins with its number.
  const auto named = [&](std::uint32_t row) {
    QString label = toQt(trace.rows[row].label, kLabelBytes);
    if (trace.rows[row].kind == RowKind::kThread && !label.isEmpty() && label.front().isDigit())
      label = label.section(' ', 1);
    else if (const qsizetype dot = label.indexOf(QStringLiteral(" · ")); dot >= 0) label = label.mid(dot + 3);
    return natural(label);
  };
  const auto sortBy = [&](auto key, auto less) {
    std::vector<std::pair<decltype(key(0u)), std::uint32_t>> keyed;
    for (const std::uint32_t row : rows) keyed.emplace_back(key(row), row);
    std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) { return less(a.first, b.first); });
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keyed[i].second;
  };
  switch (by) {
    case RowSort::kAsRecorded:
      return;
    case RowSort::kName:
      return sortBy(named, std::less<>());
    case RowSort::kNumber:  // the last part of a key is made of numbers only
      return sortBy([&](std::uint32_t row) { return natural(toQt(trace.rows[row].key)); }, std::less<>());
    case RowSort::kBusyTime:
      return sortBy([&](std::uint32_t row) { return busyTime(trace, trace.rows[row]); }, std::greater<>());
    case RowSort::kFirstEvent:
      return sortBy([&](std::uint32_t row) { return firstStart(trace, trace.rows[row]); }, std::less<>());
  }
}

bool isNamed(std::string_view text, std::initializer_list<const char*> words) {
  const QString label = toQt(text, kLabelBytes);
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return label.contains(QLatin1String(word), Qt::CaseInsensitive); });
}

/// Which names are of communication kernels, asked once a name.
class Communication {
 public:
  explicit Communication(const trace::Trace& trace) : trace_(trace), answers_(trace.names->size(), kUnknown) {}

  bool is(const Row& row) {
    switch (row.kind) {
      case RowKind::kMemory:
      case RowKind::kCopyDirection:
      case RowKind::kNvtx:
      case RowKind::kNvtxProcess:
      case RowKind::kNvtxProjection:
      case RowKind::kLibrary:
        return row.kind == RowKind::kMemory || row.kind == RowKind::kCopyDirection ||
               isNamed(row.label, {"nccl", "mpi", "ucx", "nvshmem"});
      case RowKind::kStream:
        return std::any_of(row.lanes.begin(), row.lanes.end(),
                           [this](trace::LaneId lane) { return communicates(lane); });
      default:
        return false;
    }
  }

 private:
  bool communicates(trace::LaneId id) {
    const trace::EventKind kind = trace_.laneInfo[id].kind;
    if (kind == trace::EventKind::kCopy) return true;
    if (kind != trace::EventKind::kKernel) return false;
    const trace::Lane& lane = *trace_.lanes[id];
    for (std::size_t i = 0; i < lane.size(); ++i) {
      Answer& answer = answers_[lane.name(i)];
      if (answer == kUnknown) answer = isNamed((*trace_.names)[lane.name(i)].label, {"nccl", "nvshmem"}) ? kYes : kNo;
      if (answer == kYes) return true;
    }
    return false;
  }

  const trace::Trace& trace_;
  enum Answer : std::uint8_t { kUnknown, kNo, kYes };
  std::vector<Answer> answers_;  // by name
};

/// Hides all rows but those that `keep` wants, what is above them and what is below them.
std::set<std::string> allBut(const trace::Trace& trace, const std::function<bool(const Row&)>& keep) {
  enum : std::uint8_t { kNo, kAbove, kKept };
  std::vector<std::uint8_t> fate(trace.rows.size(), kNo);
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {  // parents stand before children
    const std::uint32_t parent = trace.rows[row].parent;
    if ((parent != kNone && fate[parent] == kKept) || keep(trace.rows[row])) fate[row] = kKept;
    if (fate[row] != kKept) continue;
    for (std::uint32_t above = parent; above != kNone && fate[above] == kNo; above = trace.rows[above].parent)
      fate[above] = kAbove;
  }
  std::set<std::string> hidden;
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row) {
    const std::uint32_t parent = trace.rows[row].parent;
    if (fate[row] == kNo && (parent == kNone || fate[parent] != kNo)) hidden.insert(trace.rows[row].key);
  }
  return hidden;
}

std::uint32_t processRow(const ViewState& view) {
  const trace::Trace& trace = *view.trace();
  std::uint32_t row = view.currentRow();
  while (row != kNone && trace.rows[row].kind != RowKind::kProcess) row = trace.rows[row].parent;
  if (row != kNone) return row;
  std::vector<std::uint32_t> roots = arrangedChildren(trace, view.arrangement(), kNone);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (trace.rows[roots[i]].kind == RowKind::kProcess) return roots[i];
    if (trace.rows[roots[i]].kind != RowKind::kReport) continue;
    const auto below = arrangedChildren(trace, view.arrangement(), roots[i]);
    roots.insert(roots.end(), below.begin(), below.end());
  }
  return kNone;
}

}  // namespace

void togglePin(ViewState& view, std::uint32_t row) {
  if (row >= view.trace()->rows.size()) return;
  arrange(view, [&](RowArrangement& a) {
    const std::string& key = view.trace()->rows[row].key;
    a.hidden.erase(key);
    if (std::erase(a.pinned, key) == 0 && a.pinned.size() < RowArrangement::kMostPinned) a.pinned.push_back(key);
  });
}

void unpinAll(ViewState& view) {
  arrange(view, [](RowArrangement& a) { a.pinned.clear(); });
}

void hideRow(ViewState& view, std::uint32_t row) {
  const trace::Trace& trace = *view.trace();
  if (row >= trace.rows.size()) return;
  const auto before = view.layout();
  const auto boxes = before->boxes();
  std::uint32_t next = kNone;
  if (const int at = before->boxOf(row); at >= 0) {
    auto i = static_cast<std::size_t>(at) + 1;
    while (i < boxes.size() && boxes[i].depth > boxes[static_cast<std::size_t>(at)].depth) ++i;  // all below it
    if (i < boxes.size()) next = boxes[i].row;
    else if (at > 0) next = boxes[static_cast<std::size_t>(at) - 1].row;
  }
  arrange(view, [&](RowArrangement& a) {
    std::erase(a.pinned, trace.rows[row].key);
    a.hidden.insert(trace.rows[row].key);
  });
  if (view.currentRow() == row) view.setCurrentRow(next);
}

void showHiddenRows(ViewState& view) {
  arrange(view, [](RowArrangement& a) { a.hidden.clear(); });
}

std::vector<std::uint32_t> hiddenRows(const ViewState& view) {
  std::vector<std::uint32_t> rows;
  for (const std::string& key : view.arrangement().hidden)
    if (const std::uint32_t row = view.rowWithKey(key); row != kNone) rows.push_back(row);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void showRowsBelow(ViewState& view, std::uint32_t row) {
  const trace::Trace& trace = *view.trace();
  arrange(view, [&](RowArrangement& a) {
    std::erase_if(a.hidden, [&](const std::string& key) {
      std::uint32_t each = view.rowWithKey(key);
      while (each != kNone && each != row) each = trace.rows[each].parent;
      return each == row && each != kNone;
    });
  });
  view.setExpanded(row, true);
}

void uncoverRow(ViewState& view, std::uint32_t row) {
  const trace::Trace& trace = *view.trace();
  if (row >= trace.rows.size()) return;
  arrange(view, [&](RowArrangement& a) {
    for (std::uint32_t each = row; each != kNone; each = trace.rows[each].parent) {
      a.hidden.erase(trace.rows[each].key);
      if (a.isPinned(trace.rows[each])) break;
    }
  });
  for (std::uint32_t each = row; !view.arrangement().isPinned(trace.rows[each]);) {
    each = trace.rows[each].parent;
    if (each == kNone) break;
    view.setExpanded(each, true);
  }
}

bool areBeside(const ViewState& view, std::uint32_t row, std::uint32_t other) {
  const trace::Trace& trace = *view.trace();
  const bool pinned = view.arrangement().isPinned(trace.rows[row]);
  if (pinned != view.arrangement().isPinned(trace.rows[other])) return false;
  return pinned || trace.rows[row].parent == trace.rows[other].parent;
}

void moveRowTo(ViewState& view, std::uint32_t row, std::uint32_t other, bool behind) {
  if (row == other || !areBeside(view, row, other)) return;
  const trace::Trace& trace = *view.trace();
  arrange(view, [&](RowArrangement& a) {
    const std::string &key = trace.rows[row].key, &otherKey = trace.rows[other].key;
    if (a.isPinned(trace.rows[row])) return place(a.pinned, key, otherKey, behind);
    auto keys = keysOf(trace, arrangedChildren(trace, a, trace.rows[row].parent));
    place(keys, key, otherKey, behind);
    a.order[keyAbove(trace, row)] = std::move(keys);
  });
}

void moveRow(ViewState& view, std::uint32_t row, int steps) {
  if (row >= view.trace()->rows.size() || steps == 0) return;
  std::vector<std::uint32_t> beside;
  const auto layout = view.layout();
  for (const RowBox& box : layout->boxes())
    if (areBeside(view, row, box.row)) beside.push_back(box.row);
  const auto at = std::find(beside.begin(), beside.end(), row) - beside.begin();
  const auto last = static_cast<std::ptrdiff_t>(beside.size()) - 1;
  if (at > last) return;
  const auto to = std::clamp<std::ptrdiff_t>(at + steps, 0, last);
  moveRowTo(view, row, beside[static_cast<std::size_t>(to)], to > at);
}

void sortRows(ViewState& view, RowSort by) {
  const trace::Trace& trace = *view.trace();
  arrange(view, [&](RowArrangement& a) {
    for (std::uint32_t parent = 0; parent < trace.rows.size(); ++parent) {
      const auto& recorded = trace.rows[parent].children;
      for (const RowKind kind : {RowKind::kStream, RowKind::kThread}) {
        std::vector<std::uint32_t> alike;
        for (const std::uint32_t row : recorded)
          if (trace.rows[row].kind == kind) alike.push_back(row);
        if (alike.size() < 2) continue;
        sortAlike(trace, alike, by);
        auto children = arrangedChildren(trace, a, parent);
        std::size_t next = 0;  // they take each other's places; all others stay
        for (std::uint32_t& row : children)
          if (trace.rows[row].kind == kind) row = alike[next++];
        if (children == recorded) a.order.erase(trace.rows[parent].key);
        else a.order[trace.rows[parent].key] = keysOf(trace, children);
      }
    }
  });
}

void showOnly(ViewState& view, RowPreset preset) {
  const trace::Trace& trace = *view.trace();
  std::function<bool(const Row&)> keep = [](const Row&) { return true; };
  Communication communication(trace);
  const std::uint32_t process = processRow(view);
  if (preset == RowPreset::kGpuOnly)
    keep = [](const Row& row) { return row.kind == RowKind::kGpu || row.kind == RowKind::kGpuMetrics; };
  if (preset == RowPreset::kOneProcess)
    keep = [&](const Row& row) {
      if (row.kind == RowKind::kProcess) return &row == &trace.rows[process];
      return row.parent == kNone && row.kind != RowKind::kReport;
    };
  if (preset == RowPreset::kCommunication) keep = [&](const Row& row) { return communication.is(row); };
  if (preset == RowPreset::kOneProcess && process == kNone) return;
  arrange(view, [&](RowArrangement& a) {
    a.hidden = allBut(trace, keep);
    for (const std::string& key : a.pinned) a.hidden.erase(key);
  });
}

std::vector<std::uint32_t> rowsNamed(const ViewState& view, const QString& text) {
  std::vector<std::uint32_t> found;
  if (text.isEmpty()) return found;
  const trace::Trace& trace = *view.trace();
  std::vector<std::uint32_t> pending = arrangedChildren(trace, view.arrangement(), kNone);
  std::reverse(pending.begin(), pending.end());
  while (!pending.empty()) {
    const std::uint32_t row = pending.back();
    pending.pop_back();
    if (toQt(trace.rows[row].label, kLabelBytes).contains(text, Qt::CaseInsensitive)) found.push_back(row);
    const auto children = arrangedChildren(trace, view.arrangement(), row);
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return found;
}

}  // namespace lanescope::views
