// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/checks.h"

namespace lanescope::analysis {

using trace::Ns;

namespace {

constexpr double kWorthwhile = 2;   // per cent of the window, below which there is nothing to gain
constexpr double kAllThereIs = 80;  // per cent of compute that has copies beside it: no more can be hidden

}  // namespace

void checkCopyOverlap(const Checking& all, Checks& checks) {
  for (const DeviceUse& use : all.uses) {
    const Ns copying = use.hideable.total(), compute = use.compute.total();
    if (copying == 0) {
      checks.push_back(without("copy_overlap", Verdict::kNone, use.device.label + ": no copies that could be hidden"));
      continue;
    }
    Ns hidden = 0;
    for (const trace::TimeRange time : use.hideable.merged()) hidden += use.compute.covered(time);
    Check check = judged("copy_overlap", use.device.label, percentOf(hidden, copying));
    const Ns exposed = copying - hidden, window = use.device.window.length();
    check.evidence = fmt::format("copying {}, {} of it while nothing was computed ({} of {})", formatDuration(copying),
                                 formatDuration(exposed), formatShare(exposed, window), windowText(all, window));
    if (check.verdict == Verdict::kImprove && compute < copying && percentOf(hidden, compute) > kAllThereIs) {
      check.verdict = Verdict::kNote;
      check.advice = fmt::format(
          "kernels run for {} only and hide {}: what is left is the link's speed; copy less, or "
          "smaller types",
          formatDuration(compute), formatDuration(hidden));
    } else if (check.verdict == Verdict::kImprove && percentOf(exposed, window) < kWorthwhile) {
      check.verdict = Verdict::kNote;
      check.advice = "too little to gain by it";
    } else if (check.verdict == Verdict::kImprove) {
      check.advice =
          "copy what is needed next while this is computed: cudaMemcpyAsync from pinned memory on a stream of its own, "
          "two buffers, ordered by events";
    }
    checks.push_back(std::move(check));
  }
}

void checkPcie(const Checking& all, Checks& checks) {
  for (const DeviceUse& use : all.uses) {
    const std::uint64_t bytes = use.toDevice.bytes + use.toHost.bytes;
    const Ns time = use.toDevice.time + use.toHost.time;
    if (bytes == 0 || time <= 0) {
      checks.push_back(without("pcie", Verdict::kNone, use.device.label + ": no copies between host and GPU"));
      continue;
    }
    Check check = judged("pcie", use.device.label, static_cast<double>(bytes) / static_cast<double>(time));
    const Ns window = use.device.window.length();
    for (const auto& [copies, name] : {std::pair(use.toDevice, "to the GPU"), {use.toHost, "to the host"}})
      if (copies.bytes > 0)
        check.evidence += fmt::format("{}{} {} at {}, in use {} of the time", check.evidence.empty() ? "" : "; ", name,
                                      formatBytes(copies.bytes), formatRate(copies.bytes, copies.time),
                                      formatShare(copies.time, window));
    if (use.migrations.bytes > 0)
      check.evidence += fmt::format("; of it {} by {} of migrating unified memory", formatBytes(use.migrations.bytes),
                                    formatDuration(use.migrations.time));
    checks.push_back(std::move(check));
  }
}

}  // namespace lanescope::analysis
