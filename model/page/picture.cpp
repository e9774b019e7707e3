// SPDX-License-Identifier: Apache-2.0
#include "model/page/picture.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/wide.h"

namespace lanescope::page {

using trace::EventKind;
using trace::Lane;
using trace::Ns;
using trace::Row;
using trace::RowKind;
using trace::TimeRange;

namespace {

/// Columns of equal time; those of a remainder are a nanosecond longer.
class Columns {
 public:
  Columns(TimeRange range, std::size_t count) : range_(range), filled_(count) {}

  void add(TimeRange time, Ns busy, trace::NameId name, const trace::LaneInfo& lane) {
    const Ns begin = std::max(time.begin, range_.begin), end = std::min(std::max(time.end, time.begin + 1), range_.end);
    if (begin >= end) return;
    for (std::size_t i = columnOf(begin); i <= columnOf(end - 1); ++i) {
      const Ns within = std::min(end, edge(i + 1)) - std::max(begin, edge(i));
      const Ns part = std::max<Ns>(1, static_cast<Ns>(Wide{busy} * within / std::max<Ns>(1, time.end - time.begin)));
      Filled& column = filled_[i];
      column.busy += part;
      if (part <= column.most) continue;
      column.most = part;
      column.with = {0, name, lane.kind, lane.copyKind};
    }
  }

  std::vector<PictureColumn> finish() const {
    std::vector<PictureColumn> columns;
    for (std::size_t i = 0; i < filled_.size(); ++i) {
      const Ns width = std::max<Ns>(1, edge(i + 1) - edge(i));
      const Wide busy = std::min<Wide>(Wide{filled_[i].busy} * 65535 / width, 65535);
      PictureColumn column = filled_[i].with;
      if (filled_[i].busy > 0) column.busy = static_cast<std::uint16_t>(std::max<Wide>(busy, 1));
      columns.push_back(column);
    }
    return columns;
  }

 private:
  struct Filled {
    Ns busy = 0, most = 0;
    PictureColumn with;
  };
  Ns edge(std::size_t i) const {
    return range_.begin +
           static_cast<Ns>(Wide{range_.end - range_.begin} * static_cast<Ns>(i) / static_cast<Ns>(filled_.size()));
  }
  std::size_t columnOf(Ns time) const {
    const Wide at = Wide{time - range_.begin} * static_cast<Ns>(filled_.size()) / (range_.end - range_.begin);
    auto i = static_cast<std::size_t>(at);
    while (i + 1 < filled_.size() && edge(i + 1) <= time) ++i;
    return std::min(i, filled_.size() - 1);
  }

  TimeRange range_;
  std::vector<Filled> filled_;
};

void addBins(const Lane& lane, const trace::LaneInfo& info, TimeRange range, unsigned level, Columns& columns) {
  const trace::Pyramid& pyramid = lane.pyramid();
  const unsigned shift = pyramid.shift(level);
  for (std::size_t i = 0; i < pyramid.bins(level); ++i) {
    const Ns begin = pyramid.origin() + (static_cast<Ns>(i) << shift), end = begin + (Ns{1} << shift);
    if (end <= range.begin || begin >= range.end) continue;
    const trace::Pyramid::Bin bin = pyramid.bin(level, i);
    if (bin.busy == 0) continue;
    const auto busy = static_cast<Ns>((Wide{end - begin} * bin.busy) / trace::Pyramid::kFull);
    columns.add({begin, end}, std::max<Ns>(1, busy), bin.name, info);
  }
}

void addLane(const Lane& lane, const trace::LaneInfo& info, TimeRange range, std::size_t count, Columns& columns) {
  const Ns width = (range.end - range.begin) / static_cast<Ns>(count);
  const int level = lane.size() > 4 * count ? lane.pyramid().levelFor(width) : -1;
  if (level >= 0) return addBins(lane, info, range, static_cast<unsigned>(level), columns);
  for (std::size_t i = lane.firstTouching(range.begin); i < lane.size() && lane.start(i) < range.end; ++i) {
    columns.add({lane.start(i), lane.end(i)}, lane.duration(i), lane.name(i), info);
  }
}

/// A row of the trace, or one depth of it, that may become a strip.
struct Candidate {
  std::uint32_t row = 0;
  std::uint32_t depth = 0;
  std::vector<trace::LaneId> lanes;
  Ns busy = 0;
  int family = 0;  // rows of one family compete for its places
};

// Places: streams, depths of NVTX domains, CUDA calls.
constexpr std::size_t kPlaces[] = {8, 8, 3};
constexpr std::uint32_t kDepths = 3;

std::vector<Candidate> candidates(const trace::Trace& trace) {
  std::vector<Candidate> found;
  const auto add = [&](std::uint32_t row, int family, std::uint32_t depth, auto&& keep) {
    Candidate one{row, depth, {}, 0, family};
    for (const trace::LaneId lane : trace.rows[row].lanes) {
      if (!keep(trace.laneInfo[lane]) || trace.lanes[lane]->empty()) continue;
      one.lanes.push_back(lane);
      one.busy += trace.lanes[lane]->totalBusy();
    }
    if (!one.lanes.empty()) found.push_back(std::move(one));
  };
  for (std::uint32_t i = 0; i < trace.rows.size(); ++i) {
    const RowKind kind = trace.rows[i].kind;
    if (kind == RowKind::kStream) add(i, 0, 0, [](const trace::LaneInfo& lane) { return isGpuWork(lane.kind); });
    if (kind == RowKind::kNvtx || kind == RowKind::kNvtxProcess) {
      for (std::uint32_t depth = 0; depth < kDepths; ++depth) {
        add(i, 1, depth, [&](const trace::LaneInfo& lane) {
          return lane.depth == depth && (lane.kind == EventKind::kNvtxRange || lane.kind == EventKind::kNvtxStartEnd);
        });
      }
    }
    if (kind == RowKind::kCudaApi) add(i, 2, 0, [](const trace::LaneInfo& lane) { return lane.depth == 0; });
  }
  return found;
}

/// Labels from the process down to the row's parent, where they are worth a heading.
std::vector<std::string> headingsOf(const trace::Trace& trace, std::uint32_t row) {
  std::vector<std::string> labels;
  for (std::uint32_t at = trace.rows[row].parent; at != trace::kNone; at = trace.rows[at].parent) {
    const Row& above = trace.rows[at];
    if (above.kind == RowKind::kProcess || above.kind == RowKind::kGpu || above.kind == RowKind::kThread) {
      labels.insert(labels.begin(), above.label);
    }
  }
  return labels;
}

std::string joined(const std::vector<std::string>& labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : " › ") + label;
  return text;
}

}  // namespace

Picture makePicture(const trace::Trace& trace, TimeRange range, std::size_t columns) {
  Picture picture{.range = range, .strips = {}, .leftOut = 0};
  if (range.end <= range.begin || columns == 0) return picture;
  std::vector<Candidate> all = candidates(trace);
  std::vector<Candidate> chosen;
  for (int family = 0; family < static_cast<int>(std::size(kPlaces)); ++family) {
    std::vector<Candidate> some;
    std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                 [&](const Candidate& c) { return c.family == family; });
    std::stable_sort(some.begin(), some.end(), [](const Candidate& a, const Candidate& b) { return a.busy > b.busy; });
    const std::size_t kept = std::min(some.size(), kPlaces[family]);
    picture.leftOut += some.size() - kept;
    chosen.insert(chosen.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(kept));
  }
  std::sort(chosen.begin(), chosen.end(), [](const Candidate& a, const Candidate& b) {
    return std::pair(a.row, a.depth) < std::pair(b.row, b.depth);
  });
  std::string heading;
  for (const Candidate& one : chosen) {
    if (std::string above = joined(headingsOf(trace, one.row)); above != heading) {
      heading = std::move(above);
      picture.strips.push_back({.label = heading, .isHeading = true, .columns = {}});
    }
    Columns filling(range, columns);
    for (const trace::LaneId lane : one.lanes) {
      addLane(*trace.lanes[lane], trace.laneInfo[lane], range, columns, filling);
    }
    Strip strip;
    strip.label = one.depth == 0 ? trace.rows[one.row].label : "";
    strip.columns = filling.finish();
    picture.strips.push_back(std::move(strip));
  }
  return picture;
}

std::string toBlocks(const Picture& picture) {
  constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kLabel = 24, kMost = 100;  // characters
  std::string text;
  for (const Strip& strip : picture.strips) {
    const std::size_t group = (strip.columns.size() + kMost - 1) / kMost;
    if (strip.isHeading) {
      text += strip.label + '\n';
      continue;
    }
    std::string label = "  " + strip.label;
    std::size_t characters = 0, end = 0;
    while (end < label.size() && characters < kLabel) {
      ++end, ++characters;
      while (end < label.size() && (static_cast<unsigned char>(label[end]) & 0xC0) == 0x80) ++end;
    }
    text += label.substr(0, end) + std::string(kLabel - characters, ' ') + '|';
    for (std::size_t i = 0; i < strip.columns.size(); i += group) {
      std::uint32_t busy = 0;
      const std::size_t next = std::min(i + group, strip.columns.size());
      for (std::size_t at = i; at < next; ++at) busy += strip.columns[at].busy;
      text += kBlocks[busy == 0 ? 0 : 1 + busy / static_cast<std::uint32_t>(next - i) * 7 / 65535];
    }
    text += "|\n";
  }
  return text;
}

}  // namespace lanescope::page
