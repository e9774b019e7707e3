// SPDX-License-Identifier: Apache-2.0
// nvprof's modes (facts 6), for scripts and eyes that are used to it.
#include <fmt/format.h>

#include <algorithm>

#include "model/analysis/dependency.h"
#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"
#include "model/report/schema.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

namespace {

/// nvprof's names of copies: "[CUDA memcpy HtoD]".
std::string_view briefly(const trace::Name& name) { return name.label; }

void addGroup(const char* type, std::vector<Line> lines, Table& table) {
  sortLines(lines);
  long double all = 0;
  for (const Line& line : lines) all += static_cast<long double>(line.figures.total);
  for (Line& line : lines) {
    const Statistics& s = line.figures;
    const auto share = all > 0 ? static_cast<double>(100 * static_cast<long double>(s.total) / all) : 0.0;
    table.rows.push_back(
        {std::string(type), share, s.total, whole(s.count), s.mean, s.min, s.max, std::move(line.words.back())});
  }
}

}  // namespace

std::string nvprofCopyName(std::string_view label) {
  return fmt::format("[CUDA {}{}]", label == "memset" ? "" : "memcpy ", label);
}

MadeTable nvprofSummary(const ReportInput& input) {
  std::vector<Line> work, copies, calls;
  addKernelLines(input, input.lanes(std::array{EventKind::kKernel}), work);
  addLines(input, input.lanes(std::array{EventKind::kCopy, EventKind::kMemset}), briefly, copies);
  for (Line& line : copies) {
    line.words.back() = nvprofCopyName(line.words.back());
    work.push_back(std::move(line));
  }
  addLines(input, input.lanes(std::array{EventKind::kCudaApi}), withoutApiVersion, calls);
  Table table;
  table.look = Table::Look::kNvprof;
  table.columns = {{"Type", ColumnKind::kText},   {"Time(%)", ColumnKind::kShare}, {"Time", ColumnKind::kTime},
                   {"Calls", ColumnKind::kCount}, {"Avg", ColumnKind::kTime},      {"Min", ColumnKind::kTime},
                   {"Max", ColumnKind::kTime},    {"Name", ColumnKind::kText}};
  addGroup("GPU activities", std::move(work), table);
  addGroup("API calls", std::move(calls), table);
  return table;
}

MadeTable nvprofGpuTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  const TableValues kernels(input, "CUPTI_ACTIVITY_KIND_KERNEL",
                            {"correlationId", "gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ",
                             "registersPerThread", "staticSharedMemory", "dynamicSharedMemory"});
  const TableValues copies(input, "CUPTI_ACTIVITY_KIND_MEMCPY", {"correlationId", "srcKind", "dstKind"});
  const TableValues memsets(input, "CUPTI_ACTIVITY_KIND_MEMSET", {"correlationId", "memKind"});
  KernelNames names(input);
  Table table;
  table.look = Table::Look::kNvprof;
  table.columns = {{"Start", ColumnKind::kTime},
                   {"Duration", ColumnKind::kTime},
                   {"Grid X", ColumnKind::kCount},
                   {"Grid Y", ColumnKind::kCount},
                   {"Grid Z", ColumnKind::kCount},
                   {"Block X", ColumnKind::kCount},
                   {"Block Y", ColumnKind::kCount},
                   {"Block Z", ColumnKind::kCount},
                   {"Registers Per Thread", ColumnKind::kCount},
                   {"Static SMem", ColumnKind::kSize},
                   {"Dynamic SMem", ColumnKind::kSize},
                   {"Size", ColumnKind::kSize},
                   {"Throughput", ColumnKind::kRate},
                   {"SrcMemType", ColumnKind::kText},
                   {"DstMemType", ColumnKind::kText},
                   {"Device", ColumnKind::kText},
                   {"Context", ColumnKind::kId},
                   {"Stream", ColumnKind::kId},
                   {"Name", ColumnKind::kText},
                   {"Correlation_ID", ColumnKind::kId}};
  constexpr std::size_t kKernelCells = 9;
  const auto memory = [](std::optional<std::int64_t> kind) {
    return kind ? Cell(KeptText(report::enumLabel("ENUM_CUDA_MEM_KIND", *kind))) : Cell();
  };
  for (const EventRef event :
       input.byStart(input.lanes(std::array{EventKind::kKernel, EventKind::kCopy, EventKind::kMemset}))) {
    const trace::LaneInfo& info = trace.info(event);
    const bool kernel = info.kind == EventKind::kKernel, copy = info.kind == EventKind::kCopy;
    const TableValues& values = kernel ? kernels : copy ? copies : memsets;
    const trace::TimeRange time = trace.time(event);
    std::vector<Cell> row{time.begin, time.length()};
    for (std::size_t i = 0; i < kKernelCells; ++i) row.push_back(kernel ? values.cell(event, i + 1) : Cell());
    if (kernel) {
      row.resize(row.size() + 4);
    } else {
      const std::uint64_t bytes = trace.lanes[event.lane]->amount(event.index);
      row.push_back(whole(bytes));
      row.push_back(!time.empty() ? Cell(static_cast<double>(bytes) * 1e9 / static_cast<double>(time.length()))
                                  : Cell());
      row.push_back(memory(values.at(event, 1)));
      row.push_back(copy ? memory(values.at(event, 2)) : Cell());
    }
    const trace::Gpu& gpu = trace.gpus[info.gpu];
    row.emplace_back(fmt::format("{} ({})", gpu.name, gpu.device));
    row.emplace_back(trace.streams[info.stream].context);
    row.emplace_back(trace.streams[info.stream].stream);
    const std::string_view label = (*trace.names)[trace.name(event)].label;
    if (kernel) row.emplace_back(std::string(names.of(event)));
    else row.emplace_back(nvprofCopyName(label));
    row.push_back(values.cell(event, 0));
    table.rows.push_back(std::move(row));
  }
  return table;
}

MadeTable nvprofApiTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  const TableValues values(input, "CUPTI_ACTIVITY_KIND_RUNTIME", {"correlationId"});
  Table table;
  table.look = Table::Look::kNvprof;
  table.columns = {{"Start", ColumnKind::kTime},
                   {"Duration", ColumnKind::kTime},
                   {"Name", ColumnKind::kText},
                   {"Correlation_ID", ColumnKind::kId}};
  for (const EventRef call : input.byStart(input.lanes(std::array{EventKind::kCudaApi}))) {
    const trace::TimeRange time = trace.time(call);
    table.rows.push_back({time.begin, time.length(), KeptText(withoutApiVersion((*trace.names)[trace.name(call)])),
                          values.cell(call, 0)});
  }
  return table;
}

MadeTable nvprofDependency(const ReportInput& input) {
  Table table;
  table.look = Table::Look::kNvprof;
  table.columns = {{"Critical path(%)", ColumnKind::kShare},
                   {"Critical path", ColumnKind::kTime},
                   {"Waiting time", ColumnKind::kTime},
                   {"Name", ColumnKind::kText},
                   {"PID", ColumnKind::kId}};
  std::size_t paths = 0;  // each process has one of its own
  for (std::uint32_t process = 0; process < input.trace.processes.size(); ++process) {
    if (input.scope.process && *input.scope.process != process) continue;
    const std::vector<DependencyLine> lines = dependencyAnalysis(input, process);
    if (lines.size() < 2) continue;  // nothing but <Other>
    ++paths;
    long double path = 0;
    for (const DependencyLine& line : lines) path += static_cast<long double>(line.critical);
    for (const DependencyLine& line : lines)
      table.rows.push_back({path > 0 ? static_cast<double>(100 * static_cast<long double>(line.critical) / path) : 0.0,
                            line.critical, line.waiting, line.name, input.trace.processes[process].pid});
  }
  if (paths == 0) return std::nullopt;
  if (paths == 1) {
    table.columns.pop_back();
    for (auto& row : table.rows) row.pop_back();
  }
  return table;
}

}  // namespace lanescope::analysis
