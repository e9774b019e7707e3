// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/slice.h"

#include <algorithm>
#include <optional>

namespace lanescope::views {
namespace {

using trace::LaneView;
using trace::NameId;
using trace::Ns;
using trace::Pyramid;
using trace::TimeRange;

std::uint8_t kindFlags(trace::EventKind kind) {
  if (kind == trace::EventKind::kGraphLaunch || kind == trace::EventKind::kNvtxProjection ||
      kind == trace::EventKind::kIdle)
    return Span::kOutlined;
  if (kind == trace::EventKind::kOverhead) return Span::kHatched;
  if (kind == trace::EventKind::kThreadWait) return Span::kBehind;
  return 0;
}

std::uint8_t fillOf(Ns busy, Ns length) {
  if (length <= 0) return 255;
  const auto fill = static_cast<Wide>(busy) * 255 / length;
  return static_cast<std::uint8_t>(std::clamp<Wide>(fill, 1, 255));
}

/// The name with most time among the few events of a column.
class Dominant {
 public:
  void add(NameId name, Ns time) {
    for (unsigned i = 0; i < used_; ++i)
      if (names_[i] == name) {
        times_[i] += time;
        return;
      }
    names_[used_] = name;
    times_[used_++] = time;
  }
  NameId name() const { return names_[std::max_element(times_, times_ + used_) - times_]; }

 private:
  NameId names_[kVisitsPerColumn + 1];
  Ns times_[kVisitsPerColumn + 1];
  unsigned used_ = 0;
};

class Slicer {
 public:
  Slicer(const LaneView& lane, const trace::LaneInfo& info, const Scale& scale, const Palette& palette,
         trace::LaneId id)
      : lane_(lane), info_(info), scale_(scale), palette_(palette), id_(id), flags_(kindFlags(info.kind)) {}

  LaneSlice run() {
    const TimeRange span = lane_->span();
    if (lane_.empty() || span.end < scale_.range.begin || span.begin >= scale_.range.end) return {};
    const Pyramid& pyramid = lane_.pyramid();
    const Ns pixel = scale_.perPixel();
    int level = pyramid.levelFor(pixel / 2);  // so that a covered column holds a whole bin
    if (level < 0) level = pyramid.levelFor(pixel);
    // Few events are drawn one by one, which is exact; bins are for crowds.
    const std::size_t inSight =
        lane_.countOf(lane_->firstTouching(scale_.range.begin), lane_->lowerBound(scale_.range.end));
    if (level < 0 || inSight <= 2 * static_cast<std::size_t>(scale_.width)) walkEvents();
    else walkBins(pyramid, static_cast<unsigned>(level));
    return std::move(out_);
  }

 private:
  /// Covers at least one whole column.
  bool isWide(Ns start, Ns end) const {
    return end - start >= scale_.perPixel() && scale_.x(end) - scale_.x(start) >= 2;
  }
  bool isWide(std::size_t i) const { return isWide(lane_->start(i), lane_->end(i)); }

  /// The first event that reaches into the times from t on.
  std::size_t search(Ns t) {
    ++out_.work.searches;
    return lane_.next(lane_->firstTouching(t));
  }

  Span& emit(int x, int width, NameId name, std::uint8_t flags) {
    if (name != lastName_ || out_.spans.empty()) {
      lastName_ = name;
      lastColour_ = palette_.colour(info_, name);
    }
    Span& span = out_.spans.emplace_back();
    span.x = x;
    span.width = width;
    span.lane = id_;
    span.name = name;
    span.colour = lastColour_;
    span.flags = static_cast<std::uint8_t>(flags_ | flags);
    return span;
  }

  /// Colours a span by the length of its event, or by the mean of those in its column.
  void colourBy(Span& span, Ns length) const {
    if (palette_.byLength()) span.colour = palette_.colourOfLength(span.name, length);
  }
  void colourByEvent(Span& span, std::size_t i) const {
    if (palette_.byChange())
      span.colour = palette_.colourOfChange(span.name, info_.firstEvent + static_cast<trace::EventId>(i));
    else colourBy(span, lane_->duration(i));
  }
  /// The mean length in a column of which only the busy time is known.
  void colourByMean(Span& span, TimeRange column, Ns busy) {
    if (!palette_.byLength()) return;
    out_.work.searches += 2;
    const std::size_t count = lane_.countOf(lane_->firstTouching(column.begin), lane_->lowerBound(column.end));
    colourBy(span, busy / static_cast<Ns>(std::max<std::size_t>(count, 1)));
  }

  /// Takes back the last column of the last bar, in which another event starts.
  void giveUpColumn(int x) {
    if (out_.spans.empty() || out_.spans.back().right() != x + 1) return;
    if (--out_.spans.back().width == 0) out_.spans.pop_back();
  }

  /// Emits event i as a bar from column x and returns the first column after it.
  int emitBar(std::size_t i, int x) {
    const int right = std::min(scale_.x(lane_->end(i) - 1) + 1, scale_.width);
    Span& span = emit(x, right - x, lane_->name(i), lane_->unfinished(i) ? Span::kUnfinished : 0);
    span.event = static_cast<std::uint32_t>(i);
    colourByEvent(span, i);
    return right;
  }

  void walkEvents() {
    std::size_t i = search(scale_.range.begin);
    int next = 0;  // the first column without a span
    while (i < lane_->size() && next <= scale_.width) {
      const Ns start = lane_->start(i);
      if (start >= scale_.range.end) break;
      ++out_.work.events;
      int x = std::max(scale_.x(start), 0);
      const bool lastIsBar = !out_.spans.empty() && !out_.spans.back().isColumn();
      if (x < next) {
        if (lastIsBar && x == next - 1) giveUpColumn(x);
        else x = next;
      }
      if (x >= scale_.width) break;
      if (isWide(start, lane_->end(i))) next = emitBar(i, x), i = lane_.next(i + 1);
      else i = emitColumn(i, x), next = x + 1;
    }
  }

  /// Emits column x, whose first narrow event is i. Returns the first event that reaches beyond the column.
  std::size_t emitColumn(std::size_t i, int x) {
    const TimeRange column = scale_.column(x);
    const std::size_t first = i;
    const std::optional<std::size_t> before = lane_.previous(i);
    const bool tail = before && lane_->end(*before) > column.begin;
    Ns busy = tail ? std::min(lane_->end(*before), column.end) - column.begin : 0;
    Dominant dominant;
    unsigned visits = 0;
    bool whole = true;
    for (; i < lane_->size(); i = lane_.next(i + 1)) {
      const Ns start = lane_->start(i);
      if (start >= column.end) break;
      if (visits == kVisitsPerColumn) {
        whole = false;
        break;
      }
      const Ns end = lane_->end(i);
      const Ns time = std::min(end, column.end) - std::max(start, column.begin);
      busy += time;
      if (i > first && isWide(start, end)) break;  // the bar begins in the next column
      ++visits;
      dominant.add(lane_->name(i), time);
      if (end > column.end) break;
    }
    out_.work.events += visits;
    const bool single = whole && visits == 1;
    if (!whole) {  // a burst: its busy time from the prefix sums, its name from the events seen
      out_.work.searches += 2;
      busy = lane_.busy(column);
      i = search(column.end);
    }
    const bool instant = single && lane_->start(first) == lane_->end(first);
    Span& span = emit(x, 1, dominant.name(),
                      static_cast<std::uint8_t>(Span::kColumn | (instant ? Span::kInstant : 0) |
                                                (single && lane_->unfinished(first) ? Span::kUnfinished : 0)));
    if (single) span.event = static_cast<std::uint32_t>(first), colourByEvent(span, first);
    else colourByMean(span, column, busy);
    span.fill = fillOf(busy, column.length());
    return i;
  }

  void walkBins(const Pyramid& pyramid, unsigned level) {
    const unsigned shift = pyramid.shift(level);
    const Ns origin = pyramid.origin();
    const Ns bin = Ns{1} << shift;
    const auto bins = static_cast<Ns>(pyramid.bins(level));
    // Overlaps are weighed in 1/256 of a bin.
    const auto weigh = [shift](Ns overlap) {
      return static_cast<std::uint64_t>(shift >= 8 ? overlap >> (shift - 8) : overlap << (8 - shift));
    };
    std::size_t drawn = lane_->size();  // the last event that became a bar
    int x = std::max(scale_.x(origin), 0);
    Ns begin = scale_.time(x);
    while (x < scale_.width) {
      const Ns end = scale_.time(x + 1);
      const Ns firstBin = std::max<Ns>((begin - origin) >> shift, 0);
      const Ns lastBin = std::min((end - 1 - origin) >> shift, bins - 1);
      if (firstBin >= bins) break;

      std::uint64_t busy = 0, best = 0;
      NameId name = 0;
      bool any = false, covered = begin >= origin;
      for (Ns b = firstBin; b <= lastBin; ++b) {
        const Pyramid::Bin read = pyramid.bin(level, static_cast<std::size_t>(b));
        const Ns binBegin = origin + (b << shift);
        const std::uint64_t w = weigh(std::min(binBegin + bin, end) - std::max(binBegin, begin));
        covered &= read.busy >= (w * Pyramid::kFull >> 8);
        if (read.busy == 0) continue;
        const std::uint64_t share = read.busy * w;
        busy += share;
        if (!any || share > best) best = share, name = read.name;
        any = true;
      }
      out_.work.bins += static_cast<std::size_t>(lastBin - firstBin + 1);

      if (any && covered) {
        const std::size_t i = search(begin);
        ++out_.work.events;
        if (i < lane_->size() && i != drawn && lane_->start(i) <= begin && isWide(i)) {
          x = emitFoundBar(i, x);
          drawn = i;
          begin = scale_.time(x);
          continue;
        }
      }
      if (any) {
        Span& span = emit(x, 1, name, Span::kColumn);
        const std::uint64_t whole = std::max<std::uint64_t>(weigh(end - begin), 1) * Pyramid::kFull;
        span.fill = static_cast<std::uint8_t>(std::clamp<std::uint64_t>(busy * 255 / whole, 1, 255));
        colourByMean(span, {begin, end}, (end - begin) / 255 * span.fill);
      }
      ++x;
      begin = end;
    }
  }

  /// Event i covers column x; it may have begun in the column before, which it gets if no narrow event is there.
  /// Returns the column to go on with: that of the event's end, if another event starts in it.
  int emitFoundBar(std::size_t i, int x) {
    if (x > 0 && scale_.x(lane_->start(i)) < x) {
      const Ns before = scale_.time(x - 1);
      const std::optional<std::size_t> last = lane_.previous(i);
      const bool shared = last && (lane_->end(*last) > before || lane_->start(*last) >= before) && !isWide(*last);
      if (!shared) giveUpColumn(--x);
    }
    const int right = emitBar(i, x);
    const std::size_t next = lane_.next(i + 1);
    if (next < lane_->size() && right < scale_.width && lane_->start(next) < scale_.time(right)) {
      giveUpColumn(right - 1);
      return right - 1;
    }
    return right;
  }

  const LaneView lane_;
  const trace::LaneInfo& info_;
  const Scale scale_;
  const Palette& palette_;
  const trace::LaneId id_;
  const std::uint8_t flags_;
  LaneSlice out_;
  NameId lastName_ = 0;
  QRgb lastColour_ = 0;
};

}  // namespace

LaneSlice sliceLane(const LaneView& lane, const trace::LaneInfo& info, const Scale& scale, const Palette& palette,
                    trace::LaneId id) {
  return Slicer(lane, info, scale, palette, id).run();
}

LaneSlice mergeSlices(std::span<const LaneSlice* const> slices, int width) {
  std::vector<const Span*> bars, behind;
  std::vector<const Span*> owner(static_cast<std::size_t>(width), nullptr);
  std::vector<unsigned> fill(static_cast<std::size_t>(width), 0);
  for (const LaneSlice* slice : slices)
    for (const Span& span : slice->spans) {
      if ((span.flags & Span::kBehind) != 0) {
        behind.push_back(&span);
        continue;
      }
      if (!span.isColumn()) {
        bars.push_back(&span);
        continue;
      }
      const auto x = static_cast<std::size_t>(span.x);
      fill[x] += span.fill;
      if (owner[x] == nullptr || owner[x]->fill < span.fill) owner[x] = &span;
    }
  std::stable_sort(bars.begin(), bars.end(), [](const Span* a, const Span* b) { return a->width > b->width; });
  for (const Span* bar : bars) std::fill_n(owner.begin() + bar->x, bar->width, bar);
  for (const Span* span : behind)
    for (auto x = static_cast<std::size_t>(span->x); x < static_cast<std::size_t>(span->right()); ++x)
      if (owner[x] == nullptr) owner[x] = span, fill[x] = span->fill;

  LaneSlice merged;
  for (int x = 0; x < width;) {
    const Span* span = owner[static_cast<std::size_t>(x)];
    int right = x + 1;
    if (span != nullptr) {
      while (right < width && owner[static_cast<std::size_t>(right)] == span) ++right;
      Span& piece = merged.spans.emplace_back(*span);
      piece.x = x;
      piece.width = right - x;
      if (span->isColumn()) piece.fill = static_cast<std::uint8_t>(std::min(fill[static_cast<std::size_t>(x)], 255u));
    }
    x = right;
  }
  return merged;
}

}  // namespace lanescope::views
