// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "model/report/load.h"
#include "tests/bench/commands.h"
#include "tests/bench/measure.h"
#include "views/timeline/frame.h"

namespace lanescope::bench {
namespace {

constexpr int kFrames = 200;
constexpr int kHeaderWidth = 268;  // what Timeline gives the headers at first

constexpr int kRows = 36;           // in sight in every frame

int thirdDown(const views::Layout& layout, QSize canvas) { return std::max(0, layout.height() - canvas.height()) / 3; }

struct Zoom {
  const char* name;
  std::int64_t divisor;  // of the whole trace
};

}  // namespace

int frames(const std::filesystem::path& file, QSize size) {
  const auto trace = report::load(file, {}, {}, Job{});
  if (!trace) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(trace.error()));
    return exitStatus(trace.error());
  }
  views::ViewState state;
  state.setTrace(*trace);
  state.setAllExpanded(true);
  views::Palette palette = views::Theme::palette();
  palette.learn(**trace);
  const QSize canvas(size.width() - kHeaderWidth, size.height());
  views::Layout layout(state);
  // Rows as low as it takes to see enough of them, where there are enough.
  const auto seen = [&](int scroll) {
    return static_cast<int>(layout.between(scroll, scroll + canvas.height()).size());
  };
  for (double scale = 1;
       scale > 0.4 && layout.height() > canvas.height() && (seen(0) < kRows || seen(thirdDown(layout, canvas)) < kRows);
       scale -= 0.05) {
    state.setAllRowsScale(scale);
    layout = views::Layout(state);
  }

  views::FramePainter painter;
  views::Frame frame;
  std::vector<double> all;
  std::string zooms;
  int fewestRows = static_cast<int>((*trace)->rows.size());
  std::size_t mostEvents = 0;
  for (const Zoom zoom : {Zoom{"full", 1}, Zoom{"middle", 100}, Zoom{"deep", 10000}}) {
    const trace::Ns length =
        std::max<trace::Ns>((*trace)->range.length() / zoom.divisor, views::ViewState::kShortestView);
    const trace::Ns room = (*trace)->range.length() - length;
    std::vector<double> milliseconds;
    int labels = 0;
    for (int i = 0; i < kFrames; ++i) {
      // Even steps through the trace; the full view moves by pixels. Scrolled by a third of the rows every other frame.
      const trace::Ns begin =
          (*trace)->range.begin + (room > 0 ? room / kFrames * i : length / canvas.width() * (i % 20));
      state.setVisible({begin, begin + length});
      const int scroll = i % 2 == 0 ? 0 : thirdDown(layout, canvas);
      painter.render(state, layout, canvas, 1, scroll, views::Theme::colours(), palette, frame);
      milliseconds.push_back(frame.stats.milliseconds);
      fewestRows = std::min(fewestRows, frame.stats.rows);
      labels = std::max(labels, frame.stats.labels);
      mostEvents = std::max(mostEvents, frame.stats.work.events);
    }
    all.insert(all.end(), milliseconds.begin(), milliseconds.end());
    zooms += fmt::format(",\"{}\":{{\"view_ns\":{},\"frame_ms\":{},\"labels\":{}}}", zoom.name, length,
                         json(percentiles(milliseconds)), labels);
  }
  fmt::print("{{\"events\":{},\"rows_visible\":{},\"events_visited_max\":{},\"frame_ms\":{}{}}}\n",
             (*trace)->eventCount(), fewestRows, mostEvents, json(percentiles(all)), zooms);
  return 0;
}

}  // namespace lanescope::bench
