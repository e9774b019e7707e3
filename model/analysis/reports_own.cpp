// SPDX-License-Identifier: Apache-2.0
// Reports that Nsight Systems does not have: latencies with percentiles, what streams do, what kernels are for.
#include <algorithm>
#include <map>
#include <set>

#include "model/analysis/collectives.h"
#include "model/analysis/kernel_categories.h"
#include "model/analysis/percentile.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"
#include "model/analysis/stream_use.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

namespace {

constexpr double kSecond = 1e9;
constexpr std::size_t kTotal = 2;  // the column of latency

struct Latencies {
  std::string_view category;
  std::string name;
  std::vector<std::int64_t> values;
  trace::TimeRange span = {};  // first start to last end: what the rate is of
};

/// By text; `textOf(event)` lives as long as the trace or the names.
template <class TextOf>
void addDurations(const ReportInput& input, Lanes lanes, std::string_view category, const std::string& prefix,
                  TextOf textOf, std::vector<Latencies>& all) {
  struct Group {
    std::vector<std::int64_t> values;
    trace::TimeRange span{trace::kMaxTime, trace::kMinTime};
  };
  std::unordered_map<std::string_view, Group> groups;
  for (const LaneId id : lanes) {
    const trace::Lane& lane = *input.trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i)
      if (lane.unfinishedEvents().empty() || !lane.unfinished(i)) {
        Group& group = groups[textOf(EventRef{id, static_cast<std::uint32_t>(i)})];
        group.values.push_back(lane.duration(i));
        group.span = {std::min(group.span.begin, lane.start(i)), std::max(group.span.end, lane.end(i))};
      }
  }
  for (auto& [text, group] : groups)
    all.push_back({category, prefix + std::string(text), std::move(group.values), group.span});
}

}  // namespace

MadeTable latency(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  std::vector<Latencies> all;
  KernelNames names(input);
  addDurations(
      input, input.lanes(std::array{EventKind::kKernel}), "CUDA_KERNEL", {},
      [&](EventRef kernel) { return names.of(kernel); }, all);
  addDurations(
      input, input.lanes(std::array{EventKind::kCudaApi}), "CUDA_API", {},
      [&](EventRef call) { return withoutApiVersion((*trace.names)[trace.name(call)]); }, all);
  std::map<std::string, std::vector<LaneId>> domains;
  for (const LaneId lane : input.lanes(std::array{EventKind::kNvtxRange, EventKind::kNvtxStartEnd}))
    domains[trace.domains[trace.laneInfo[lane].domain].name].push_back(lane);
  for (const auto& [domain, lanes] : domains)
    addDurations(input, lanes, "NVTX", domain + ":", [&](EventRef range) { return input.text(range); }, all);

  Table table;
  table.columns = {{"Category", ColumnKind::kText}, {"Count", ColumnKind::kCount}, {"Total Time", ColumnKind::kTime},
                   {"Avg", ColumnKind::kTime},      {"Med", ColumnKind::kTime},    {"p50", ColumnKind::kTime},
                   {"p90", ColumnKind::kTime},      {"p95", ColumnKind::kTime},    {"p99", ColumnKind::kTime},
                   {"p99.9", ColumnKind::kTime},    {"Max", ColumnKind::kTime},    {"Rate (1/s)", ColumnKind::kMean},
                   {"Name", ColumnKind::kText}};
  for (Latencies& each : all) {
    if (each.values.empty()) continue;
    const Statistics figures = statisticsOf(each.values);
    std::sort(each.values.begin(), each.values.end());
    std::vector<Cell> row{std::string(each.category), whole(figures.count), figures.total, figures.mean,
                          figures.median};
    for (const double percent : {50.0, 90.0, 95.0, 99.0, 99.9}) row.emplace_back(percentile(each.values, percent));
    row.emplace_back(figures.max);
    const double seconds = static_cast<double>(each.span.length()) / kSecond;
    row.push_back(figures.count > 1 && seconds > 0 ? Cell(static_cast<double>(figures.count) / seconds) : Cell());
    row.emplace_back(std::move(each.name));
    table.rows.push_back(std::move(row));
  }
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    if (*textOf(a[0]) != *textOf(b[0])) return *textOf(a[0]) < *textOf(b[0]);
    const Ns totalA = std::get<Ns>(a[kTotal]), totalB = std::get<Ns>(b[kTotal]);
    return totalA != totalB ? totalA > totalB : *textOf(a.back()) < *textOf(b.back());
  });
  return table;
}

MadeTable streams(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  Table table;
  table.columns = {{"PID", ColumnKind::kId},
                   {"Device", ColumnKind::kText},
                   {"Ctx", ColumnKind::kId},
                   {"Strm", ColumnKind::kId},
                   {"Kernels", ColumnKind::kCount},
                   {"MemOps", ColumnKind::kCount},
                   {"Busy", ColumnKind::kTime},
                   {"Idle", ColumnKind::kTime},
                   {"Busy Share", ColumnKind::kShare},
                   {"Avg Concurrency", ColumnKind::kMean},
                   {"Max Concurrency", ColumnKind::kCount},
                   {"Name", ColumnKind::kText}};
  for (const GpuUse& gpu : streamUse(trace, input.scope)) {
    const trace::Gpu& of = trace.gpus[gpu.gpu];
    const std::string device = of.name + " (" + std::to_string(of.device) + ")";
    const auto add = [&](Cell context, Cell stream, const StreamUse& use, std::string name) {
      const Ns span = gpu.span.length();
      table.rows.push_back({trace.processes[of.process].pid, device, std::move(context), std::move(stream),
                            whole(use.kernels), whole(use.memory), use.busy, span - use.busy,
                            span > 0 ? Cell(100.0 * static_cast<double>(use.busy) / static_cast<double>(span)) : Cell(),
                            use.concurrency, std::int64_t{use.mostAtOnce}, std::move(name)});
    };
    for (const StreamUse& use : gpu.streams) {
      const trace::Stream& stream = trace.streams[use.stream];
      add(stream.context, stream.stream, use, stream.isDefault && stream.name.empty() ? "default stream" : stream.name);
    }
    add({}, {}, gpu.all, "all streams");
  }
  return table;
}

MadeTable kernelCategories(const ReportInput& input) {
  struct Sum {
    std::set<std::string_view> names;
    std::vector<std::int64_t> times;
    Ns tensor = 0;
  };
  struct Known {
    KernelCategory category;
    bool tensor;
  };
  const trace::Trace& trace = input.trace;
  std::unordered_map<trace::NameId, Known> known;
  std::array<Sum, kKernelCategories> sums;
  for (const LaneId id : input.lanes(std::array{EventKind::kKernel})) {
    const trace::Lane& lane = *trace.lanes[id];
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      const auto [found, isNew] = known.try_emplace(lane.name(i));
      const trace::Name& name = (*trace.names)[lane.name(i)];
      if (isNew) found->second = {categoryOf(name.text, name.label), usesTensorCores(name.text)};
      Sum& sum = sums[static_cast<std::size_t>(found->second.category)];
      if (isNew) sum.names.insert(name.text);
      sum.times.push_back(lane.duration(i));
      if (found->second.tensor) sum.tensor += lane.duration(i);
    }
  }
  Table table;
  table.columns = {
      {"Time", ColumnKind::kShare},         {"Total Time", ColumnKind::kTime}, {"Instances", ColumnKind::kCount},
      {"Avg", ColumnKind::kTime},           {"Med", ColumnKind::kTime},        {"Min", ColumnKind::kTime},
      {"Max", ColumnKind::kTime},           {"StdDev", ColumnKind::kTime},     {"Tensor Cores", ColumnKind::kShare},
      {"Kernel Names", ColumnKind::kCount}, {"Category", ColumnKind::kText}};
  std::vector<std::pair<Statistics, std::size_t>> figures;
  long double all = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (!sums[i].times.empty()) {
      figures.emplace_back(statisticsOf(sums[i].times), i);
      all += static_cast<long double>(figures.back().first.total);
    }
  std::stable_sort(figures.begin(), figures.end(),
                   [](const auto& a, const auto& b) { return a.first.total > b.first.total; });
  for (const auto& [figure, i] : figures) {
    const auto share = [](Ns part, long double of) {
      return of > 0 ? static_cast<double>(100 * static_cast<long double>(part) / of) : 0.0;
    };
    std::vector<Cell> row{share(figure.total, all), figure.total, whole(figure.count)};
    addSpread(row, figure);
    row.insert(row.end(), {share(sums[i].tensor, static_cast<long double>(figure.total)), whole(sums[i].names.size()),
                           KeptText(nameOf(static_cast<KernelCategory>(i)))});
    table.rows.push_back(std::move(row));
  }
  return table;
}

MadeTable collectiveSum(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  Table table;
  table.columns = {{"Operation", ColumnKind::kText},    {"PID", ColumnKind::kId},
                   {"Device", ColumnKind::kId},         {"Kernels", ColumnKind::kCount},
                   {"Total Time", ColumnKind::kTime},   {"Avg", ColumnKind::kTime},
                   {"Med", ColumnKind::kTime},          {"Min", ColumnKind::kTime},
                   {"Max", ColumnKind::kTime},          {"StdDev", ColumnKind::kTime},
                   {"Exposed Time", ColumnKind::kTime}, {"Exposed", ColumnKind::kShare},
                   {"Calls", ColumnKind::kCount},       {"Bytes", ColumnKind::kSize},
                   {"Ranks", ColumnKind::kCount},       {"Algorithm Bandwidth", ColumnKind::kRate},
                   {"Bus Bandwidth", ColumnKind::kRate}};
  for (Collective& each : collectives(input)) {
    const Statistics figures = statisticsOf(each.times);
    const auto bandwidth = each.algorithmBandwidth();
    const trace::Gpu& gpu = trace.gpus[each.gpu];
    std::vector<Cell> row{each.operation, trace.processes[gpu.process].pid, gpu.device, whole(figures.count),
                          figures.total};
    addSpread(row, figures);
    row.emplace_back(each.exposed);
    row.push_back(figures.total > 0
                      ? Cell(100.0 * static_cast<double>(each.exposed) / static_cast<double>(figures.total))
                      : Cell());
    row.push_back(each.calls > 0 ? whole(each.calls) : Cell());
    row.push_back(each.calls > 0 ? whole(each.bytes) : Cell());
    row.push_back(each.ranks ? whole(*each.ranks) : Cell());
    row.push_back(bandwidth ? Cell(*bandwidth) : Cell());
    row.push_back(bandwidth && each.ranks ? Cell(*bandwidth * each.busFactor) : Cell());
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

}  // namespace lanescope::analysis
