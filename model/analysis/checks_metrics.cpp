// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "model/analysis/checks.h"

namespace lanescope::analysis {

using trace::TimeRange;

namespace {

/// Metrics that say what bounds a kernel, as Nsight Systems and our recorder call them.
constexpr std::string_view kNeeded[] = {"DRAM Read Bandwidth [Throughput %]", "DRAM Write Bandwidth [Throughput %]",
                                        "SM Issue [Throughput %]", "Tensor Active [Throughput %]"};

}  // namespace

void checkBound(const Checking& all, Checks& checks) {
  const trace::Trace& trace = all.input.trace;
  std::map<std::string, std::map<std::string_view, const trace::Counter*>> groups;
  for (std::size_t i = 0; i < trace.counters.size(); ++i)
    if (!trace.counterInfo[i].group.empty())
      groups[trace.counterInfo[i].group].emplace(trace.counters[i]->name(), trace.counters[i].get());
  std::erase_if(groups, [](const auto& group) {  // power, temperature and the like
    return std::ranges::none_of(kNeeded, [&](std::string_view name) { return group.second.contains(name); });
  });
  if (groups.empty()) {
    checks.push_back(without("bound", Verdict::kNotRecorded,
                             "no GPU metrics of DRAM and SMs; record with --gpu-metrics-devices=all"));
    return;
  }
  std::size_t index = 0;
  for (const auto& [group, counters] : groups) {
    // Metrics tell their GPU by a number of their own: in order, where there are as many.
    Intervals computing;
    for (std::size_t i = 0; i < all.uses.size(); ++i)
      if (groups.size() != all.uses.size() || i == index)
        for (const TimeRange time : all.uses[i].compute.merged()) computing.add(time);
    computing.finish();
    ++index;
    if (computing.total() == 0) {
      checks.push_back(without("bound", Verdict::kNone, group + ": no kernels ran"));
      continue;
    }
    const auto mean = [&](std::string_view name) -> std::optional<double> {
      const auto found = counters.find(name);
      if (found == counters.end()) return std::nullopt;
      double sum = 0;
      for (const TimeRange time : computing.merged())
        sum += found->second->mean(time) * static_cast<double>(time.length());
      return sum / static_cast<double>(computing.total());
    };
    // No kernel runs without any of it: where all samples are zero, the metric was not recorded.
    const auto some = [&](std::optional<double> value) { return value > 0 ? value : std::nullopt; };
    auto read = mean(kNeeded[0]), write = mean(kNeeded[1]);
    if (!some(read) && !some(write)) read.reset(), write.reset();
    const auto issue = some(mean(kNeeded[2])), tensor = mean(kNeeded[3]);
    const auto active = some(mean("SMs Active [Throughput %]"));
    if (!read && !write && !issue && !some(tensor)) {
      checks.push_back(without("bound", Verdict::kNotRecorded,
                               group + ": all samples of DRAM and SMs are zero, though kernels ran"));
      continue;
    }
    const auto rx = mean("PCIe RX Throughput [Throughput %]"), tx = mean("PCIe TX Throughput [Throughput %]");
    const double dram = read.value_or(0) + write.value_or(0), sm = std::max(issue.value_or(0), tensor.value_or(0));
    Check check = judged("bound", group, std::max(dram, sm));
    const auto add = [&](const char* name, std::optional<double> value) {
      if (value) check.evidence += fmt::format("{}{} {:.1f} %", check.evidence.empty() ? "" : ", ", name, *value);
    };
    add("DRAM", read || write ? std::optional(dram) : std::nullopt);
    add("SM issue", issue);
    add("tensor cores", tensor);
    add("SMs active", active);
    add("PCIe in", rx);
    add("PCIe out", tx);
    check.evidence = "while kernels ran: " + check.evidence;
    for (const auto& [known, name] : {std::pair(read || write, "DRAM"), {issue.has_value(), "SM issue"}})
      if (!known) check.evidence += fmt::format(", {} not recorded", name);
    constexpr double kBound = 80, kFilled = 50;
    if (dram > kBound) check.advice = "memory-bound: move fewer bytes (fuse kernels, smaller types, reuse in caches)";
    else if (sm > kBound) check.advice = "compute-bound: fewer or cheaper operations, tensor cores, lower precision";
    else if (active && *active < kFilled) check.advice = "the GPU is not filled: larger grids, or kernels side by side";
    else if ((!read && !write) || !issue)
      check.advice = "what bounds is not known: it takes the use of both DRAM and SMs";
    else check.advice = "neither memory nor SMs are full: latency bounds; more parallelism within each SM";
    checks.push_back(std::move(check));
  }
}

}  // namespace lanescope::analysis
