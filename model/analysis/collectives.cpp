// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/collectives.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "model/analysis/kernel_categories.h"
#include "model/analysis/nvtx_ranges.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::Ns;
using trace::TimeRange;

namespace {

/// How the size of an operation and its bus bandwidth follow from what a rank passes and from the number of ranks.
struct Operation {
  std::string_view name;
  bool bytesArePart;  // what is passed is one rank's part of the whole
  double (*busFactor)(double ranks);
};
constexpr double one(double) { return 1; }
constexpr double part(double n) { return (n - 1) / n; }
constexpr double twice(double n) { return 2 * (n - 1) / n; }
constexpr Operation kOperations[] = {
    {"AllReduce", false, twice}, {"AllGather", true, part}, {"ReduceScatter", true, part},
    {"AlltoAll", true, part},    {"Broadcast", false, one}, {"SendRecv", false, one},
    {"Gather", true, part},      {"Scatter", true, part},   {"Reduce", false, one},
};

const Operation* operationOf(std::string_view name) {
  const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
  for (const Operation& each : kOperations)
    if (std::search(name.begin(), name.end(), each.name.begin(), each.name.end(), same) != name.end()) return &each;
  return nullptr;
}

}  // namespace

std::optional<double> Collective::algorithmBandwidth() const {
  if (calls == 0 || measured <= 0) return std::nullopt;
  return static_cast<double>(bytes) * 1e9 / static_cast<double>(measured);
}

std::string_view collectiveName(const trace::Name& kernel) {
  const Operation* const operation = operationOf(kernel.label);
  return operation ? operation->name : "(other)";
}

CollectiveWork collectiveWork(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  CollectiveWork work;
  work.compute.resize(trace.gpus.size());
  std::unordered_map<trace::NameId, bool> isCollective;
  std::unordered_map<trace::EventId, std::size_t> indexOf;
  for (const EventRef kernel : input.byStart(input.lanes(std::array{EventKind::kKernel}))) {
    const auto [known, isNew] = isCollective.try_emplace(trace.name(kernel));
    const trace::Name& name = (*trace.names)[trace.name(kernel)];
    if (isNew) known->second = categoryOf(name.text, name.label) == KernelCategory::kCollective;
    if (!known->second) {
      work.compute[trace.info(kernel).gpu].add(trace.time(kernel));
      continue;
    }
    indexOf.emplace(trace.id(kernel), work.collectives.size());
    work.collectives.push_back({kernel});
  }
  for (Intervals& each : work.compute) each.finish();

  const auto calls = work.collectives.empty() ? decltype(input.file.ncclCalls()){} : input.file.ncclCalls();
  if (calls.empty()) return work;
  for (const ThreadEvents& thread : threadEvents(input, false)) {
    const std::vector<RangeNode> ranges = nestedRanges(input, thread);
    std::vector<bool> counted(ranges.size());
    forEachCallInRanges(input, thread, ranges, [&](EventRef call, std::span<const std::uint32_t> open) {
      const report::NcclCall* said = nullptr;
      std::uint32_t range = 0;
      for (auto each = open.rbegin(); each != open.rend() && !said; ++each) {
        const EventRef event = ranges[range = *each].event;
        const auto known = calls.find(trace.lanes[event.lane]->sourceRow(event.index));
        if (known != calls.end() && known->second.bytes) said = &known->second;
      }
      if (!said) return;
      for (const trace::EventId id : trace.partners(call)) {
        const auto index = indexOf.find(id);
        if (index == indexOf.end()) continue;
        CollectiveKernel& kernel = work.collectives[index->second];
        kernel.said = *said;
        kernel.isFirst = !counted[range];
        counted[range] = true;
      }
    });
  }
  return work;
}

std::vector<Collective> collectives(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  std::map<std::pair<std::uint32_t, std::string>, Collective> found;  // by GPU and operation
  const CollectiveWork work = collectiveWork(input);
  for (const CollectiveKernel& kernel : work.collectives) {
    const trace::Name& kernelName = (*trace.names)[trace.name(kernel.kernel)];
    const std::uint32_t gpu = trace.info(kernel.kernel).gpu;
    const TimeRange time = trace.time(kernel.kernel);
    std::string name(collectiveName(kernelName));
    Collective& each = found[{gpu, name}];
    each.gpu = gpu;
    each.operation = std::move(name);
    each.times.push_back(time.length());
    each.exposed += time.length() - work.compute[gpu].covered(time);
    if (!kernel.said) continue;
    const Operation* const operation = operationOf(kernelName.label);
    const report::NcclCall& said = *kernel.said;
    each.measured += time.length();
    if (said.ranks) each.ranks = std::max(each.ranks.value_or(0), *said.ranks);
    if (operation && said.ranks && *said.ranks > 0)
      each.busFactor = operation->busFactor(static_cast<double>(*said.ranks));
    if (!kernel.isFirst) continue;
    ++each.calls;
    std::uint64_t size = *said.bytes;
    if (operation && operation->bytesArePart && __builtin_mul_overflow(size, said.ranks.value_or(1), &size))
      size = *said.bytes;
    if (__builtin_add_overflow(each.bytes, size, &each.bytes)) each.bytes = size;
  }
  std::vector<Collective> list;
  list.reserve(found.size());
  for (auto& [key, each] : found) list.push_back(std::move(each));
  std::stable_sort(list.begin(), list.end(), [](const Collective& a, const Collective& b) {
    const auto total = [](const Collective& c) { return std::accumulate(c.times.begin(), c.times.end(), Ns{0}); };
    return total(a) > total(b);
  });
  return list;
}

}  // namespace lanescope::analysis
