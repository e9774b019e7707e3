// SPDX-License-Identifier: Apache-2.0
#include "model/together/report_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/analysis/collectives.h"
#include "model/analysis/kernel_categories.h"

namespace lanescope::together {
namespace {

using trace::Trace;

void addCall(ReportRank& rank, const Trace& trace, const analysis::CollectiveKernel& each) {
  const trace::Name& name = (*trace.names)[trace.name(each.kernel)];
  const std::string_view operation = analysis::collectiveName(name);
  if (operation == "SendRecv") return;
  RankCall call{.operation = std::string(operation == "(other)" ? name.label : operation),
                .stream = trace.info(each.kernel).stream,
                .time = trace.time(each.kernel),
                .kernel = trace.id(each.kernel)};
  if (each.said) {
    call.bytes = each.said->bytes;
    call.communicator = each.said->communicator;
  }
  rank.calls.push_back(std::move(call));
}

/// From indices of the trace to the order of the streams of this GPU.
void numberStreams(ReportRank& rank, const Trace& trace) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const RankCall& call : rank.calls) numbers.try_emplace(call.stream);
  std::vector<std::uint32_t> streams;
  streams.reserve(numbers.size());
  for (const auto& [stream, number] : numbers) streams.push_back(stream);
  std::ranges::sort(streams, {}, [&](std::uint32_t stream) {
    if (stream == trace::kNone) return std::pair<std::int64_t, std::int64_t>();
    return std::pair(trace.streams[stream].context, trace.streams[stream].stream);
  });
  for (std::uint32_t i = 0; i < streams.size(); ++i) numbers[streams[i]] = i;
  for (RankCall& call : rank.calls) call.stream = numbers[call.stream];
}

void nameRanks(std::vector<ReportRank>& ranks, const Trace& trace) {
  if (ranks.size() < 2) return;
  std::set<std::uint32_t> processes;
  for (const ReportRank& rank : ranks) processes.insert(trace.gpus[rank.gpu].process);
  std::map<std::uint32_t, std::size_t> gpusOf;
  for (const ReportRank& rank : ranks) ++gpusOf[trace.gpus[rank.gpu].process];
  for (ReportRank& rank : ranks) {
    const trace::Gpu& gpu = trace.gpus[rank.gpu];
    const trace::Process& process = trace.processes[gpu.process];
    if (!process.rank.empty()) rank.label = "rank " + process.rank;
    else if (processes.size() > 1) rank.label = fmt::format("{} [{}]", process.name, process.pid);
    if (rank.label.empty() || gpusOf[gpu.process] > 1)
      rank.label += fmt::format("{}GPU {}", rank.label.empty() ? "" : " ", gpu.device);
  }
}

}  // namespace

ReportCalls callsOf(const Trace& trace, const std::filesystem::path& file, const Job& job) {
  ReportCalls all;
  auto values = report::RowValues::open(file);
  if (!values) return all;
  const analysis::ReportArguments arguments;
  const analysis::Scope scope;
  analysis::CollectiveWork work = analysis::collectiveWork({trace, *values, scope, arguments, job});
  std::map<std::uint32_t, ReportRank> byGpu;
  for (const analysis::CollectiveKernel& each : work.collectives) {
    const std::uint32_t gpu = trace.info(each.kernel).gpu;
    if (gpu == trace::kNone) continue;
    addCall(byGpu[gpu], trace, each);
    if (each.said && each.said->ranks) all.worldSize = std::max(all.worldSize.value_or(0), *each.said->ranks);
  }
  for (auto& [gpu, rank] : byGpu) {
    if (rank.calls.empty()) continue;
    rank.gpu = gpu;
    rank.compute = std::move(work.compute[gpu]);
    numberStreams(rank, trace);
    all.ranks.push_back(std::move(rank));
  }
  nameRanks(all.ranks, trace);
  return all;
}

}  // namespace lanescope::together
