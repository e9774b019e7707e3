// SPDX-License-Identifier: Apache-2.0
// The trace that search and filters are tried on: one thread, nested ranges, a mark, an open range, calls and their
// kernels on a named stream. Made once.
#pragma once

#include "model/trace/builder.h"

namespace lanescope::fuzz {

inline const trace::Trace& sampleTrace() {
  static const trace::TracePtr sample = [] {
    using namespace trace;
    constexpr std::int64_t kPid = std::int64_t{123} << 24, kTid = kPid | 124;
    TraceBuilder builder;
    LaneInfo host;
    host.process = builder.process(kPid);
    host.thread = builder.thread(kTid);
    host.table = builder.table("T");
    LaneInfo work = host;
    work.thread = kNone;
    work.gpu = builder.gpu(host.process, 0);
    work.stream = builder.stream(work.gpu, 1, 14);
    builder.draft().threads[host.thread].name = "worker";
    builder.draft().streams[work.stream].name = "compute";
    constexpr Ns kOpen = -1;
    const auto add = [&](LaneInfo info, EventKind kind, const char* name, Ns start, Ns end,
                         std::int64_t correlation = 0) {
      info.kind = kind;
      if (kind == EventKind::kNvtxRange || kind == EventKind::kNvtxMark) info.domain = builder.domain(host.process, 0);
      builder.sequence(info).add({.start = start,
                                  .end = std::max(start, end),
                                  .name = builder.names().intern(name),
                                  .unfinished = end == kOpen,
                                  .sourceRow = 1,
                                  .correlation = correlation});
    };
    add(work, EventKind::kKernel, "void sgemm<float>(float*, int)", 20'000, 30'500, 1);
    add(work, EventKind::kKernel, "Step/a@b", 40'000, 40'000, 2);
    add(work, EventKind::kCopy, "Host-to-Device", 45'000, 1'045'000, 3);
    add(host, EventKind::kCudaApi, "cudaLaunchKernel", 10'000, 12'000, 1);
    add(host, EventKind::kCudaApi, "cudaMemcpyAsync", 41'000, 44'000, 3);
    for (Ns step = 0; step < 5; ++step)
      add(host, EventKind::kNvtxRange, "step", step * 200'000, step * 200'000 + 150'000);
    add(host, EventKind::kNvtxRange,
        "\xC3\xBC"
        "berall",
        1'000, 140'000);
    add(host, EventKind::kNvtxRange, "open", 1'000'000, kOpen);
    add(host, EventKind::kNvtxMark, "here", 500'000, 500'000);
    builder.finish();
    builder.correlate();
    return builder.snapshot(true);
  }();
  return *sample;
}

}  // namespace lanescope::fuzz
