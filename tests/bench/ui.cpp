// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <utility>

#include "model/report/load.h"
#include "tests/bench/commands.h"
#include "tests/bench/watched_application.h"
#include "views/panels/selection_panel.h"
#include "views/timeline/commands.h"
#include "views/timeline/filtering.h"
#include "views/timeline/longest_steps.h"
#include "views/timeline/timeline.h"

namespace lanescope::bench {
namespace {

constexpr int kRounds = 15;

}  // namespace

std::string WatchedApplication::longest() {
  return fmt::format("[{:.1f},{:.1f}]", std::exchange(blocked_, 0), std::exchange(worked_, 0));
}

int ui(int& argc, char** argv, const std::filesystem::path& file, QSize size, const std::string& text, bool regex) {
  WatchedApplication application(argc, argv);
  const auto condition = analysis::Condition::words(text, regex);
  if (!condition) {
    fmt::print(stderr, "lanescope-bench: {}: {}\n", text, condition.error().why);
    return 2;
  }
  const auto trace = report::load(file, {}, {}, Job{});
  if (!trace) {
    fmt::print(stderr, "lanescope-bench: {}\n", sentence(trace.error()));
    return exitStatus(trace.error());
  }
  views::ViewState state;
  views::Timeline timeline(state);
  views::SelectionPanel panel;
  timeline.resize(size);
  panel.resize(size.width(), 260);
  state.setTrace(*trace);
  state.setAllExpanded(true);
  panel.setView(&state);
  timeline.show();
  panel.show();
  runUntil([&] { return !panel.working() && timeline.canvas()->framesPainted() > 0; });

  views::Filtering& filtering = views::Filtering::of(state);
  std::vector<double> pictures, figures;
  std::uint64_t left = 0;
  application.longest();
  for (int i = 0; i < kRounds; ++i) {
    const auto began = Clock::now();
    bool drawn = false;
    const auto done = QObject::connect(&state, &views::ViewState::passingChanged, &state,
                                       [&, before = timeline.canvas()->framesPainted()] {
                                         timeline.canvas()->repaint();
                                         drawn = timeline.canvas()->framesPainted() > before;
                                       });
    application.watch([&] { filtering.add(*condition); });
    runUntil([&] { return drawn; });
    pictures.push_back(secondsSince(began) * 1e3);
    QObject::disconnect(done);
    left = state.passing()->events();
    runUntil([&] { return !panel.working(); });
    figures.push_back(secondsSince(began) * 1e3);
    application.watch([&] { filtering.clear(); });
    runUntil([&] { return !panel.working(); });
  }
  const std::string filteringBlocked = application.longest();
  const std::string statistics = sortStatistics(*trace), events = sortEvents(state);
  application.longest();
  const auto eventsOf = [&](std::uint32_t row) {
    std::size_t count = 0;
    for (const trace::LaneId lane : (*trace)->rows[row].lanes) count += (*trace)->lanes[lane]->size();
    return count;
  };
  std::uint32_t longestRow = 0;
  for (std::uint32_t row = 1; row < (*trace)->rows.size(); ++row)
    if (eventsOf(row) > eventsOf(longestRow)) longestRow = row;
  state.setCurrentRow(longestRow);
  std::vector<double> steps;
  for (int i = 0; i < kRounds; ++i) {
    const auto began = Clock::now();
    application.watch([&] { views::stepLongest(state, true); });
    runUntil([&] { return !views::LongestSteps::of(state).running(); });
    steps.push_back(secondsSince(began) * 1e3);
  }
  fmt::print(
      "{{\"events\":{},\"names\":{},\"left\":{},\"filter_to_picture_ms\":{},\"filter_to_figures_ms\":{},"
      "\"gui_blocked_filtering_ms\":{},\"sort_statistics_ms\":{},\"sort_events_ms\":{},"
      "\"row_events\":{},\"next_longest_ms\":{},\"gui_blocked_longest_ms\":{}}}\n",
      (*trace)->eventCount(), (*trace)->names->size(), left, json(percentiles(pictures)), json(percentiles(figures)),
      filteringBlocked, statistics, events, eventsOf(longestRow), json(percentiles(steps)), application.longest());
  return 0;
}

}  // namespace lanescope::bench
