// SPDX-License-Identifier: Apache-2.0
#include "tests/support/launch_trace.h"

#include <gtest/gtest.h>

#include "model/trace/builder.h"

namespace lanescope::trace {

TracePtr launchTrace() {
  constexpr std::int64_t kPid = std::int64_t{1} << 24, kTid = kPid | 1;
  constexpr Ns kUs = 1000;
  TraceBuilder builder;
  const auto add = [&](LaneInfo info, const char* name, Ns start, Ns end, std::int64_t correlation = 0) {
    builder.sequence(info).add({.start = start * kUs,
                                .end = end * kUs,
                                .name = builder.names().intern(name),
                                .sourceRow = 1,
                                .correlation = correlation});
  };
  LaneInfo host;
  host.process = builder.process(kPid);
  host.thread = builder.thread(kTid);
  host.table = builder.table("T");
  LaneInfo api = host, nvtx = host, work;
  api.kind = EventKind::kCudaApi;
  nvtx.kind = EventKind::kNvtxRange;
  nvtx.domain = builder.domain(host.process, 0);
  work.process = host.process;
  work.table = host.table;
  work.gpu = builder.gpu(host.process, 0);
  work.stream = builder.stream(work.gpu, 1, 7);
  work.kind = EventKind::kKernel;

  add(work, "one", 20, 30, 1);
  for (const Ns node : {60, 63, 66}) add(work, "node", node, node + 3, 2);
  add(work, "late", 210, 220, 3);
  builder.finish();
  add(api, "cudaLaunchKernel", 10, 12, 1);
  add(api, "cudaGraphLaunch", 50, 52, 2);
  add(api, "cudaLaunchKernel", 200, 202, 3);
  builder.finish();
  add(nvtx, "layer", 0, 100);
  builder.finish();
  builder.correlate();
  return builder.snapshot(true);
}

EventRef eventNamed(const Trace& trace, std::string_view name, std::size_t n) {
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
    for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
      if ((*trace.names)[trace.lanes[lane]->name(i)].text == name && n-- == 0) return {lane, i};
  ADD_FAILURE() << "no event named " << name;
  return {};
}

std::uint32_t rowLabelled(const Trace& trace, std::string_view label) {
  for (std::uint32_t row = 0; row < trace.rows.size(); ++row)
    if (trace.rows[row].label == label) return row;
  ADD_FAILURE() << "no row labelled " << label;
  return 0;
}

}  // namespace lanescope::trace
