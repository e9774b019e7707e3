// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/frame.h"

#include <QPainter>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/format.h"
#include "views/plots/metric_curve.h"
#include "views/timeline/ruler.h"

namespace lanescope::views {
namespace {

using trace::LaneId;

constexpr int kNestedAir = 2;  // between the lanes of a stack
constexpr int kTextPad = 5;
constexpr int kCurveAir = 3;

/// "HtoD 16.8 MB 54.2 GB/s" for what moves bytes, the name's label for the rest. `buffer` keeps a built text alive.
std::string_view labelOf(const trace::Trace& trace, const Span& span, std::string& buffer) {
  const trace::LaneInfo& info = trace.laneInfo[span.lane];
  const bool copies = info.kind == trace::EventKind::kCopy;
  if (!copies && info.kind != trace::EventKind::kMemset) return (*trace.names)[span.name].label;
  const trace::Lane& lane = *trace.lanes[span.lane];
  const std::uint64_t amount = lane.amount(span.event);
  buffer = copies ? trace::copyKindName(info.copyKind, true) : std::string_view("Memset");
  if (amount > 0) {
    buffer += ' ' + formatBytes(amount);
    if (copies) buffer += ' ' + formatRate(amount, lane.duration(span.event));
  }
  return buffer;
}

/// All that one call of render() shares between rows.
class Painting {
 public:
  Painting(const ViewState& state, const Layout& layout, qreal ratio, const ThemeColours& colours,
           const Palette& palette, Labels& labels, LevelLanes& levels, Frame& frame)
      : state_(state),
        trace_(*state.trace()),
        layout_(layout),
        ratio_(ratio),
        colours_(colours),
        palette_(palette),
        labels_(labels),
        levels_(levels),
        frame_(frame) {
    plain_.assign(static_cast<std::size_t>(frame.scale.width), colours.canvas.rgb());
    tinted_.assign(plain_.size(), colours.canvasAlternate.rgb());
    below_.assign(plain_.size(), colours.window.rgb());
    hairline_.assign(plain_.size(), colours.hairline.rgb());
    const int logicalWidth = std::max(1, static_cast<int>(frame.scale.width / ratio));
    for (const Tick& tick : rulerTicks(frame.scale.range, logicalWidth).ticks) {
      const int x = frame.scale.x(tick.time);
      if (tick.major() && x >= 0 && x < frame.scale.width)
        plain_[static_cast<std::size_t>(x)] = tinted_[static_cast<std::size_t>(x)] = colours.gridLine.rgb();
    }
  }

  void paint() {
    const auto [still, moving] = layout_.seen(frame_.window);
    paintRows(moving);
    paintCurves(0);
    keepBelow(device(frame_.window.still));
    const std::size_t moved = frame_.strips.size();
    paintRows(still);  // over what scrolls under them
    paintCurves(moved);
    std::rotate(frame_.strips.begin(), frame_.strips.begin() + static_cast<std::ptrdiff_t>(moved), frame_.strips.end());
    const int bottom = device(frame_.window.toView(std::max(layout_.height(), frame_.window.still)));
    paintBackground(frame_.image, {bottom, frame_.image.height() - bottom}, below_);
    frame_.stats.lanes = static_cast<int>(slices_.size());
  }

 private:
  int device(int logical) const { return static_cast<int>(std::lround(logical * ratio_)); }

  void paintRows(std::span<const RowBox> boxes) {
    for (const RowBox& box : boxes) paintRow(box, (&box - layout_.boxes().data()) % 2 == 1 ? tinted_ : plain_);
  }

  /// What is under the rows that stand still is not seen, so it is not hit.
  void keepBelow(int top) {
    for (Strip& strip : frame_.strips) {
      const int bottom = strip.band.top + strip.band.height;
      strip.band.top = std::max(strip.band.top, top);
      strip.band.height = bottom - strip.band.top;
    }
    std::erase_if(frame_.strips, [](const Strip& strip) { return strip.band.height <= 0; });
  }

  void paintRow(const RowBox& box, Background background) {
    ++frame_.stats.rows;
    const trace::Row& row = trace_.rows[box.row];
    const int top = device(frame_.window.toView(box.y));
    const int line = std::max(1, device(1));
    const Band whole{top, device(frame_.window.toView(box.y) + box.height) - top - line};
    paintBackground(frame_.image, {whole.top + whole.height, line}, hairline_);
    const bool lanes = !box.heading && !row.lanes.empty();
    if (!lanes || box.lanes > 1) paintBackground(frame_.image, whole, background);
    if (lanes) paintLanes(box, whole, background);
    if (box.curve) frame_.strips.push_back({box.row, whole, {}, {}, true});
  }

  /// A strip a level in sight, found by its pixels: what is out of sight costs nothing, and of levels thinner than a
  /// pixel one is shown.
  void paintLanes(const RowBox& box, Band whole, Background background) {
    if (whole.height <= 0) return;
    const std::int64_t height = whole.height;
    const auto levelTop = [&](int level) { return whole.top + static_cast<int>(height * level / box.lanes); };
    const auto levelAt = [&](int y) {
      return static_cast<int>(((std::int64_t{y} + 1 - whole.top) * box.lanes - 1) / height);
    };
    const int air = device(box.lanes > 1 ? kNestedAir : kAir);
    const int bottom = std::min(whole.top + whole.height, frame_.image.height());
    for (int y = std::max(whole.top, 0), next = 0; y < bottom; y = next) {
      const int level = levelAt(y), top = levelTop(level);
      next = levelTop(level + 1);
      const auto lanes = levels_.at(state_.trace(), box.row, level);
      Strip strip{box.row, {top, next - top}, {lanes.begin(), lanes.end()}, sliceOf(lanes)};
      paintSlice(frame_.image, strip.band, air, strip.slice, background, ratio_);
      paintLabels(strip);
      frame_.strips.push_back(std::move(strip));
    }
  }

  LaneSlice sliceOf(std::span<const LaneId> lanes) {
    LaneSlice passing = merged(lanes, slices_, [&](LaneId lane) { return state_.lane(lane); });
    const auto isPart = [&](LaneId lane) { return !state_.lane(lane).whole(); };
    if (!state_.dimsRest() || std::ranges::none_of(lanes, isPart)) return passing;
    return overDimmed(passing,
                      merged(lanes, wholeSlices_, [&](LaneId lane) { return trace::LaneView(*trace_.lanes[lane]); }),
                      [this](QRgb colour) { return palette_.dimmed(colour); });
  }

  using Slices = std::unordered_map<LaneId, LaneSlice>;

  template <class View>
  LaneSlice merged(std::span<const LaneId> lanes, Slices& known, const View& viewOf) {
    if (lanes.size() == 1) return sliceOf(lanes.front(), known, viewOf);
    std::vector<const LaneSlice*> slices;
    slices.reserve(lanes.size());
    for (const LaneId lane : lanes) slices.push_back(&sliceOf(lane, known, viewOf));
    return mergeSlices(slices, frame_.scale.width);
  }

  /// Several rows show the same lane; it is decided once a frame.
  template <class View>
  const LaneSlice& sliceOf(LaneId lane, Slices& known, const View& viewOf) {
    const auto [entry, isNew] = known.try_emplace(lane);
    if (isNew) {
      entry->second = sliceLane(viewOf(lane), trace_.laneInfo[lane], frame_.scale, palette_, lane);
      frame_.stats.work += entry->second.work;
    }
    return entry->second;
  }

  void paintLabels(const Strip& strip) {
    const int pad = device(kTextPad);
    for (const Span& span : strip.slice.spans) {
      if (span.isColumn() || span.width < labels_.narrowest() + 2 * pad) continue;
      const QRect box(span.x + pad, strip.band.top, span.width - 2 * pad, strip.band.height);
      const bool onCanvas = (span.flags & Span::kOutlined) != 0;  // an outlined bar is hollow
      const bool dimmed = (span.flags & Span::kDimmed) != 0 || palette_.stepsBack(span.name);
      const QRgb text = dimmed ? colours_.textDim.rgb() : onCanvas ? colours_.text.rgb() : textOn(span.colour);
      if (labels_.draw(frame_.image, box, labelOf(trace_, span, text_), text)) ++frame_.stats.labels;
    }
  }

  QRgb textOn(QRgb background) {
    const auto [entry, isNew] = textColours_.try_emplace(background);
    if (isNew) entry->second = palette_.textOn(background);
    return entry->second;
  }

  void paintCurves(std::size_t first) {
    QPainter painter;
    for (const Strip& strip : std::span(frame_.strips).subspan(first)) {
      if (!strip.curve) continue;
      if (!painter.isActive()) painter.begin(&frame_.image);
      const int bottom = static_cast<int>((strip.band.top + strip.band.height) / ratio_);
      const int top = static_cast<int>(std::ceil(strip.band.top / ratio_)) + kCurveAir;
      const QRect rect(0, top, static_cast<int>(frame_.scale.width / ratio_), bottom - top);
      const auto& counters = trace_.rows[strip.row].counters;
      double most = 0;  // curves that share a row share its axis
      for (const std::uint32_t counter : counters) most = std::max(most, axisMax(*trace_.counters[counter]));
      for (std::size_t i = 0; i < counters.size(); ++i) {
        // A row with one counter takes its colour from its place among its siblings, so that neighbours differ.
        const std::size_t colour = counters.size() > 1 ? i : counters[i];
        paintCurve(painter, *trace_.counters[counters[i]], frame_.scale.range, rect,
                   colours_.curves[colour % colours_.curves.size()], most);
      }
    }
  }

  const ViewState& state_;
  const trace::Trace& trace_;
  const Layout& layout_;
  const qreal ratio_;
  const ThemeColours& colours_;
  const Palette& palette_;
  Labels& labels_;
  LevelLanes& levels_;
  Frame& frame_;
  std::vector<QRgb> plain_, tinted_, below_, hairline_;  // scanlines
  Slices slices_, wholeSlices_;
  std::unordered_map<QRgb, QRgb> textColours_;
  std::string text_;
};

}  // namespace

const Strip* Frame::stripAt(int deviceY) const {
  const auto found = std::find_if(strips.begin(), strips.end(), [deviceY](const Strip& s) {
    return s.band.top <= deviceY && deviceY < s.band.top + s.band.height;
  });
  return found == strips.end() ? nullptr : &*found;
}

void FramePainter::render(const ViewState& state, const Layout& layout, QSize size, qreal ratio, int scroll,
                          const ThemeColours& colours, const Palette& palette, Frame& frame) {
  const auto began = std::chrono::steady_clock::now();
  const QSize pixels(std::max(1, static_cast<int>(std::lround(size.width() * ratio))),
                     std::max(1, static_cast<int>(std::lround(size.height() * ratio))));
  if (frame.image.size() != pixels) frame.image = QImage(pixels, QImage::Format_RGB32);
  frame.image.setDevicePixelRatio(ratio);
  frame.scale = {state.visible(), pixels.width()};
  frame.window = layout.window(scroll, size.height());
  frame.ratio = ratio;
  frame.strips.clear();
  frame.stats = {};

  const QFont font = Theme::font(-1);
  if (!labels_ || font != labelFont_ || ratio != labelRatio_) {
    labels_ = std::make_unique<Labels>(font, ratio);
    labelFont_ = font;
    labelRatio_ = ratio;
  }
  Painting(state, layout, ratio, colours, palette, *labels_, levels_, frame).paint();
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
  frame.stats.milliseconds = took.count();
}

}  // namespace lanescope::views
