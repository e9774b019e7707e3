// SPDX-License-Identifier: GPL-3.0-or-later
// A small trace for the widgets around the canvas: one process, one GPU with a kernel row and a metric, over 1 ms.
#pragma once

#include <memory>

#include "views/timeline/view_state.h"

namespace lanescope::views {

inline std::shared_ptr<trace::Trace> smallTrace() {
  using namespace trace;
  auto trace = std::make_shared<Trace>();
  auto names = std::make_shared<NameTable>();
  const NameId kernel = names->intern("attention");
  const std::vector<Event> events{{.start = 0, .end = 250'000, .name = kernel},
                                  {.start = 500'000, .end = 1'000'000, .name = kernel}};
  trace->names = names;
  trace->lanes.push_back(std::make_shared<const Lane>(events, false));
  trace->laneInfo.push_back({.kind = EventKind::kKernel});
  const auto times = std::make_shared<const std::vector<Ns>>(std::vector<Ns>{0, 500'000});
  trace->counters.push_back(
      std::make_shared<const Counter>("SMs active", Counter::Unit::kPercent, times, std::vector<double>{20, 60}));
  trace->rows = {
      {.kind = RowKind::kProcess, .key = "p", .label = "overlap", .children = {1, 3}},
      {.kind = RowKind::kGpu, .key = "p/g", .label = "CUDA HW", .parent = 0, .depth = 1, .children = {2}},
      {.kind = RowKind::kKernels,
       .key = "p/g/k",
       .label = "Kernels",
       .parent = 1,
       .depth = 2,
       .lanes = {0},
       .busy = std::make_shared<const BusyUnion>(trace->lanes)},
      {.kind = RowKind::kMetric, .key = "p/m", .label = "SMs active", .parent = 0, .depth = 1, .counters = {0}}};
  trace->rootRows = {0};
  trace->range = {0, 1'000'000};
  trace->complete = true;
  return trace;
}

}  // namespace lanescope::views
