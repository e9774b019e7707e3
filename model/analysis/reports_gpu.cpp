// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <map>

#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;

namespace {

constexpr std::array kKernels{EventKind::kKernel};
constexpr std::array kMemory{EventKind::kCopy, EventKind::kMemset};
constexpr std::array kCalls{EventKind::kCudaApi};

void addGpuLines(const ReportInput& input, std::vector<Line>& lines) {
  addKernelLines(input, input.lanes(kKernels), lines, {"CUDA_KERNEL"});
  addLines(input, input.lanes(kMemory), wholeText, lines, {"MEMORY_OPER"});
}

}  // namespace

std::optional<std::string> threeSizes(const TableValues& values, EventRef kernel, std::size_t firstColumn) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto size = values.at(kernel, firstColumn + i);
    if (!size) return std::nullopt;
    fmt::format_to(std::back_inserter(text), "{}{:>4}", i == 0 ? "" : " ", *size);
  }
  return text;
}

MadeTable kernelSum(const ReportInput& input) {
  std::vector<Line> lines;
  addKernelLines(input, input.lanes(kKernels), lines);
  return timeTable(std::move(lines), "Instances", {"Name"});
}

MadeTable kernelGridSum(const ReportInput& input) {
  const std::vector<std::string_view> columns{"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"};
  const TableValues values(input, "CUPTI_ACTIVITY_KIND_KERNEL", columns);
  KernelNames names(input);
  struct Key {
    std::string_view name;
    std::array<std::optional<std::int64_t>, 6> sizes;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::size_t hash = std::hash<std::string_view>()(key.name);
      for (const auto& size : key.sizes)
        hash = (hash ^ static_cast<std::size_t>(size.value_or(-1))) * 0x9E3779B97F4A7C15ull;
      return hash;
    }
  };
  struct Launched {
    EventRef kernel;
    std::vector<std::int64_t> times;
  };
  std::unordered_map<Key, Launched, Hash> groups;
  for (const LaneId id : input.lanes(kKernels)) {
    const trace::Lane& lane = *input.trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      const EventRef kernel{id, static_cast<std::uint32_t>(i)};
      Key key{names.of(kernel), {}};
      for (std::size_t k = 0; k < key.sizes.size(); ++k) key.sizes[k] = values.at(kernel, k);
      Launched& group = groups.try_emplace(key, Launched{kernel, {}}).first->second;
      group.times.push_back(lane.duration(i));
    }
  }
  std::vector<Line> lines;
  lines.reserve(groups.size());
  for (auto& [key, group] : groups) {
    lines.push_back({statisticsOf(group.times),
                     {threeSizes(values, group.kernel, 0).value_or(""),
                      threeSizes(values, group.kernel, 3).value_or(""), std::string(key.name)}});
    if (input.withInstances) lines.back().instances = std::move(group.times);
  }
  return timeTable(std::move(lines), "Instances", {"GridXYZ", "BlockXYZ", "Name"});
}

MadeTable memoryTimeSum(const ReportInput& input) {
  std::vector<Line> lines;
  addLines(input, input.lanes(kMemory), wholeText, lines);
  return timeTable(std::move(lines), "Count", {"Operation"});
}

MadeTable memorySizeSum(const ReportInput& input) {
  std::map<std::string_view, std::vector<std::int64_t>> sizes;
  for (const LaneId id : input.lanes(kMemory)) {
    const trace::Lane& lane = *input.trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i)
      sizes[(*input.trace.names)[lane.name(i)].text].push_back(static_cast<std::int64_t>(lane.amount(i)));
  }
  std::vector<Line> lines;
  lines.reserve(sizes.size());
  for (auto& [name, values] : sizes) {
    lines.push_back({statisticsOf(values), {std::string(name)}});
    if (input.withInstances) lines.back().instances = std::move(values);
  }
  return sizeTable(std::move(lines), {"Operation"});
}

MadeTable gpuSum(const ReportInput& input) {
  std::vector<Line> lines;
  addGpuLines(input, lines);
  return timeTable(std::move(lines), "Instances", {"Category", "Operation"});
}

MadeTable apiGpuSum(const ReportInput& input) {
  std::vector<Line> lines;
  addLines(input, input.lanes(kCalls), withoutApiVersion, lines, {"CUDA_API"});
  addGpuLines(input, lines);
  return timeTable(std::move(lines), "Instances", {"Category", "Operation"});
}

}  // namespace lanescope::analysis
