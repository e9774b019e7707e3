// SPDX-License-Identifier: Apache-2.0
// Reports that show GPU work beside its launch.
#include <algorithm>
#include <map>
#include <tuple>

#include "model/analysis/report_lines.h"
#include "model/analysis/report_list.h"
#include "model/report/schema.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;
using trace::Ns;

namespace {

constexpr const char* kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr std::size_t kTotalMean = 5;  // the column of kernelExecSum
constexpr std::int64_t kSecond = 1'000'000'000;

Cell memoryKind(std::optional<std::int64_t> kind) {
  return kind ? Cell(KeptText(report::enumLabel("ENUM_CUDA_MEM_KIND", *kind))) : Cell();
}

/// What is 0 where there is none.
Cell unlessZero(std::int64_t id) { return id == 0 ? Cell() : Cell(id); }

/// Bytes a second, whole as Nsight Systems divides.
Cell throughput(std::uint64_t bytes, Ns duration) {
  if (duration <= 0) return {};
  std::int64_t rate = 0;
  if (__builtin_mul_overflow(static_cast<std::int64_t>(bytes), kSecond / duration, &rate)) return {};
  return rate;
}

/// A kernel and the call that launched it, in ns (facts 2.2).
struct Execution {
  EventRef call, kernel;
  Ns callStart, callTime, kernelStart, kernelTime;

  Ns callEnd() const { return callStart + callTime; }
  Ns queued() const { return kernelStart - callEnd(); }  ///< counts only where it is positive
  Ns total() const { return std::max(callEnd(), kernelStart + kernelTime) - callStart; }
};

std::vector<Execution> executions(const ReportInput& input) {
  std::vector<Execution> found;
  for (const EventRef kernel : input.byStart(input.lanes(std::array{EventKind::kKernel}))) {
    const auto call = input.launchOf(kernel);
    if (!call || !input.holds(*call)) continue;
    const trace::TimeRange callTime = input.trace.time(*call), time = input.trace.time(kernel);
    found.push_back({*call, kernel, callTime.begin, callTime.length(), time.begin, time.length()});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Execution& a, const Execution& b) { return a.callStart < b.callStart; });
  return found;
}

}  // namespace

MadeTable gpuTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  const std::vector<std::string_view> where{"correlationId", "contextId", "greenContextId", "streamId"};
  const auto with = [&](std::initializer_list<std::string_view> own) {
    std::vector<std::string_view> all = where;
    all.insert(all.end(), own);
    return all;
  };
  const TableValues kernels(input, kKernelTable,
                            with({"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
                                  "staticSharedMemory", "dynamicSharedMemory"}));
  const TableValues copies(input, "CUPTI_ACTIVITY_KIND_MEMCPY", with({"srcKind", "dstKind"}));
  const TableValues memsets(input, "CUPTI_ACTIVITY_KIND_MEMSET", with({"memKind"}));
  KernelNames names(input);
  std::vector<std::string> devices;
  devices.reserve(trace.gpus.size());
  for (const trace::Gpu& gpu : trace.gpus) devices.push_back(gpu.name + " (" + std::to_string(gpu.device) + ")");

  Table table;
  table.columns = {{"Start", ColumnKind::kTime},    {"Duration", ColumnKind::kTime},   {"CorrId", ColumnKind::kId},
                   {"GrdX", ColumnKind::kCount},    {"GrdY", ColumnKind::kCount},      {"GrdZ", ColumnKind::kCount},
                   {"BlkX", ColumnKind::kCount},    {"BlkY", ColumnKind::kCount},      {"BlkZ", ColumnKind::kCount},
                   {"Reg/Trd", ColumnKind::kCount}, {"StcSMem", ColumnKind::kSize},    {"DymSMem", ColumnKind::kSize},
                   {"Bytes", ColumnKind::kSize},    {"Throughput", ColumnKind::kRate}, {"SrcMemKd", ColumnKind::kText},
                   {"DstMemKd", ColumnKind::kText}, {"Device", ColumnKind::kText},     {"Ctx", ColumnKind::kId},
                   {"GreenCtx", ColumnKind::kId},   {"Strm", ColumnKind::kId},         {"Name", ColumnKind::kText}};
  enum { kCorrelation, kContext, kGreen, kStream, kOwn };
  constexpr std::size_t kKernelCells = 9;
  for (const EventRef event :
       input.byStart(input.lanes(std::array{EventKind::kKernel, EventKind::kCopy, EventKind::kMemset}))) {
    const trace::LaneInfo& info = trace.info(event);
    const bool kernel = info.kind == EventKind::kKernel, copy = info.kind == EventKind::kCopy;
    const TableValues& values = kernel ? kernels : copy ? copies : memsets;
    const trace::TimeRange time = trace.time(event);
    std::vector<Cell> row;
    row.reserve(table.columns.size());
    row.insert(row.end(), {time.begin, time.length(), values.cell(event, kCorrelation)});
    for (std::size_t i = 0; i < kKernelCells; ++i) row.push_back(kernel ? values.cell(event, kOwn + i) : Cell());
    if (kernel) {
      row.resize(row.size() + 4);
    } else {
      const std::uint64_t bytes = trace.lanes[event.lane]->amount(event.index);
      row.insert(row.end(),
                 {static_cast<std::int64_t>(bytes), throughput(bytes, time.length()),
                  memoryKind(values.at(event, kOwn)), copy ? memoryKind(values.at(event, kOwn + 1)) : Cell()});
    }
    // Views of the trace where the text is the trace's; the device is written anew.
    row.emplace_back(devices[info.gpu]);
    row.push_back(unlessZero(trace.streams[info.stream].context));
    row.push_back(unlessZero(values.at(event, kGreen).value_or(0)));
    row.push_back(unlessZero(trace.streams[info.stream].stream));
    if (!kernel) row.emplace_back(KeptText(input.text(event)));
    else if (names.byName()) row.emplace_back(KeptText(names.of(trace.name(event))));
    else row.emplace_back(std::string(names.of(event)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

MadeTable kernelExecTrace(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  const TableValues sizes(input, kKernelTable, {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"});
  KernelNames names(input);
  Table table;
  table.columns = {{"API Start", ColumnKind::kTime},
                   {"API Dur", ColumnKind::kTime},
                   {"Queue Start", ColumnKind::kTime},
                   {"Queue Dur", ColumnKind::kTime},
                   {"Kernel Start", ColumnKind::kTime},
                   {"Kernel Dur", ColumnKind::kTime},
                   {"Total Dur", ColumnKind::kTime},
                   {"PID", ColumnKind::kId},
                   {"TID", ColumnKind::kId},
                   {"DevId", ColumnKind::kId},
                   {"API Function", ColumnKind::kText},
                   {"GridXYZ", ColumnKind::kText},
                   {"BlockXYZ", ColumnKind::kText},
                   {"Kernel Name", ColumnKind::kText}};
  for (const Execution& each : executions(input)) {
    const bool queued = each.queued() > 0;
    const auto size = [&](std::size_t column) {
      auto text = threeSizes(sizes, each.kernel, column);
      return text ? Cell(std::move(*text)) : Cell();
    };
    std::vector<Cell> row{each.callStart,
                          each.callTime,
                          queued ? Cell(each.callEnd()) : Cell(),
                          queued ? Cell(each.queued()) : Cell(),
                          each.kernelStart,
                          each.kernelTime,
                          each.total(),
                          input.pidOf(each.call),
                          input.tidOf(each.call),
                          trace.gpus[trace.info(each.kernel).gpu].device,
                          KeptText(withoutApiVersion((*trace.names)[trace.name(each.call)])),
                          size(0),
                          size(3)};
    if (names.byName()) row.emplace_back(KeptText(names.of(trace.name(each.kernel))));
    else row.emplace_back(std::string(names.of(each.kernel)));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

MadeTable kernelExecSum(const ReportInput& input) {
  const trace::Trace& trace = input.trace;
  KernelNames names(input);
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string_view, std::string_view>;
  struct Times {
    std::vector<std::int64_t> total, call, queue, kernel;
  };
  std::map<Key, Times> groups;
  for (const Execution& each : executions(input)) {
    Times& times =
        groups[{input.pidOf(each.call), input.tidOf(each.call), trace.gpus[trace.info(each.kernel).gpu].device,
                withoutApiVersion((*trace.names)[trace.name(each.call)]), names.of(each.kernel)}];
    times.total.push_back(each.total());
    times.call.push_back(each.callTime);
    if (each.queued() > 0) times.queue.push_back(each.queued());
    times.kernel.push_back(each.kernelTime);
  }
  Table table;
  table.columns = {{"PID", ColumnKind::kId},
                   {"TID", ColumnKind::kId},
                   {"DevId", ColumnKind::kId},
                   {"Count", ColumnKind::kCount},
                   {"QCount", ColumnKind::kCount}};
  for (const char* part : {"T", "A", "Q", "K"})
    for (const char* figure : {"Avg", "Med", "Min", "Max", "StdDev"})
      table.columns.push_back({std::string(part) + figure, ColumnKind::kTime});
  table.columns.push_back({"API Name", ColumnKind::kText});
  table.columns.push_back({"Kernel Name", ColumnKind::kText});

  for (auto& [key, times] : groups) {
    const auto& [pid, tid, device, call, kernel] = key;
    std::vector<Cell> row{pid, tid, device, whole(times.total.size()), whole(times.queue.size())};
    for (std::vector<std::int64_t>* part : {&times.total, &times.call, &times.queue, &times.kernel}) {
      if (part->empty()) row.insert(row.end(), {Cell(), Cell(), Cell(), Cell(), 0.0});
      else addSpread(row, statisticsOf(*part));
    }
    row.emplace_back(std::string(call));
    row.emplace_back(std::string(kernel));
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) return std::nullopt;
  std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
    return std::get<double>(a[kTotalMean]) > std::get<double>(b[kTotalMean]);
  });
  return table;
}

}  // namespace lanescope::analysis
