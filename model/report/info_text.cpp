// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "model/format.h"
#include "model/json.h"
#include "model/report/info.h"

namespace lanescope::report {
namespace {

/// {"name": {"count": n}}
void writeCount(JsonWriter& json, std::string_view name, std::uint64_t count) {
  json.key(name).beginObject().member("count", count).endObject();
}

void writeCopies(JsonWriter& json, const Info& info) {
  json.key("memcpy").beginObject().member("count", info.copies.count).member("bytes", info.copies.bytes);
  json.member("total_ns", info.copies.totalNs).key("by_kind").beginObject();
  const auto writeKind = [&](std::string_view kind, const auto& work) {
    json.key(kind).beginArray().value(work.count).value(work.bytes).value(work.totalNs).endArray();
  };
  if (info.written)
    for (const auto& [name, copies] : info.written->copies) writeKind(name, copies);
  else
    for (const auto& [kind, work] : info.copiesByKind) writeKind(std::to_string(kind), work);
  json.endObject().endObject();
}

std::uint64_t kernelsOf(const Info& info, const RunProcess& process) {
  const auto found = info.kernelsOf.find(process.pid & 0xFFFFFF);
  return found != info.kernelsOf.end() ? found->second : 0;
}

void writeRecorded(JsonWriter& json, const Info& info) {
  json.key("recorded_processes").beginArray();
  for (const RunProcess& process : info.recorded) {
    json.beginObject().member("pid", process.pid).key("ppid");
    if (process.parent) json.value(*process.parent);
    else json.null();
    json.member("name", process.name).member("rank", process.rank).member("ended", process.ended);
    json.member("kernels", kernelsOf(info, process)).endObject();
  }
  json.endArray();
}

void writeEvents(JsonWriter& json, const Written& written) {
  json.key("events").beginObject().member("count", written.entries).member("total_ns", written.totalNs);
  json.key("by_phase").beginObject();
  for (const auto& [phase, count] : written.byPhase) json.member(phase, count);
  json.endObject().endObject();
}

/// What a person calls the format of a file.
std::string formatText(const Info& info) {
  struct Known {
    std::string_view format;
    const char *name, *version;  // the second stands before the version
  };
  constexpr Known kKnown[] = {
      {"lanescope", "Lanescope report", "version"},
      {"nsys-sqlite", "Nsight Systems SQLite export", "schema"},
      {"kineto", "PyTorch (Kineto) trace", "schema"},
      {"chrome-json", "Chrome trace", "version"},
      {"nvprof", "nvprof profile", "version"},
      {"rocpd", "ROCm profile (rocpd)", "schema"},
      {"rpd", "ROCm profile (rocmProfileData)", "schema"},
      {"hipprof", "hipprof profile", "version"},
  };
  const auto* known = std::ranges::find(kKnown, info.format, &Known::format);
  const std::string name = known == std::end(kKnown) ? info.format : known->name;
  if (info.version.empty()) return info.format == "nsys-sqlite" ? name + ", no version stored" : name;
  return fmt::format("{}, {} {}", name, known == std::end(kKnown) ? "version" : known->version, info.version);
}

void writeIssues(JsonWriter& json, const std::vector<trace::Issue>& issues) {
  json.key("issues").beginArray();
  for (const trace::Issue& issue : issues) {
    json.beginObject().member("kind", issue.kind).member("count", issue.count).member("text", issue.text).endObject();
  }
  json.endArray();
}

/// Lines of "label  what", the labels in one column.
class Lines {
 public:
  void add(std::string_view label, const std::string& what) { text_ += fmt::format("  {:<16}{}\n", label, what); }
  void count(std::string_view label, std::uint64_t count) {
    if (count != 0) add(label, formatCount(count));
  }
  void work(std::string_view label, const Info::Work& work) {
    if (work.count == 0) return;
    std::string what = formatCount(work.count) + " in " + formatDuration(work.totalNs);
    if (work.bytes != 0) what += ", " + formatBytes(work.bytes) + ", " + formatRate(work.bytes, work.totalNs);
    add(label, what);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void addRecorded(Lines& lines, const Info& info) {
  constexpr std::size_t kMostShown = 64;
  for (std::size_t i = 0; i < std::min(info.recorded.size(), kMostShown); ++i) {
    const RunProcess& process = info.recorded[i];
    const std::uint64_t kernels = kernelsOf(info, process);
    lines.add(fmt::format("  {}", process.pid),
              describe(process) + fmt::format("; {} {}", formatCount(kernels), kernels == 1 ? "kernel" : "kernels"));
  }
  if (info.recorded.size() > kMostShown)
    lines.add("", fmt::format("and {} more, see --json", formatCount(info.recorded.size() - kMostShown)));
}

bool anyGpuWork(const Info& info) {
  return info.kernels.count + info.copies.count + info.memsets.count + info.graphLaunches != 0;
}

}  // namespace

std::string toJson(const Info& info) {
  JsonWriter json;
  json.beginObject().member("format", info.format).member("version", info.version).key("span_ns");
  if (info.span) json.beginArray().value(info.span->first).value(info.span->second).endArray();
  else json.null();
  json.member("processes", info.processes).member("threads", info.threads);
  json.member("devices", info.devices).member("streams", info.streams);
  json.key("kernels").beginObject().member("count", info.kernels.count).member("total_ns", info.kernels.totalNs);
  json.member("names", info.kernelNames).endObject();
  writeCopies(json, info);
  json.key("memset").beginObject().member("count", info.memsets.count).member("bytes", info.memsets.bytes);
  json.member("total_ns", info.memsets.totalNs).endObject();
  writeCount(json, "cuda_api", info.cudaCalls);
  writeCount(json, "sync", info.synchronizations);
  writeCount(json, "osrt", info.osRuntimeCalls);
  json.key("nvtx").beginObject().member("ranges", info.nvtxRanges).member("startend", info.nvtxStartEnd);
  json.member("marks", info.nvtxMarks).endObject();
  json.key("graphs").beginObject().member("launches", info.graphLaunches).endObject();
  json.key("gpu_metrics")
      .beginObject()
      .member("samples", info.metricSamples)
      .member("metrics", info.metrics)
      .endObject();
  writeCount(json, "mpi", info.mpiCalls);
  writeCount(json, "cpu_samples", info.cpuSamples);
  writeCount(json, "python_samples", info.pythonSamples);
  writeCount(json, "memory_events", info.memoryEvents);
  json.member("streams_named", info.streamsNamed);
  if (info.written) writeEvents(json, *info.written);
  writeIssues(json, info.issues);
  if (!info.recorded.empty()) writeRecorded(json, info);
  return json.endObject().text();
}

std::string toText(const Info& info) {
  Lines lines;
  lines.add("Format", formatText(info));
  for (const auto& [label, text] : info.run) lines.add(label, text);
  if (info.span) {
    lines.add("Time", fmt::format("{} (from {} to {})", formatDuration(info.span->second - info.span->first),
                                  formatExact(info.span->first), formatExact(info.span->second)));
  }
  if (!info.timeline.empty() && std::pair(info.timeline.begin, info.timeline.end) != info.span)
    lines.add("Timeline", fmt::format("{} (from {} to {}), with samples, counters and the profiler's own work",
                                      formatDuration(info.timeline.length()), formatExact(info.timeline.begin),
                                      formatExact(info.timeline.end)));
  if (info.recorded.empty()) lines.count("Processes", info.processes);
  else lines.add("Processes", fmt::format("{} with events", formatCount(info.processes)));
  addRecorded(lines, info);
  lines.count("Threads", info.threads);
  lines.count("GPUs", info.devices);
  if (info.streams != 0) {
    const std::string named = info.streamsNamed ? fmt::format(" ({} named)", formatCount(info.streamsNamed)) : "";
    lines.add("Streams", formatCount(info.streams) + named);
  }
  lines.work("Kernels", info.kernels);
  lines.work("Copies", info.copies);
  if (info.written)
    for (const auto& [name, copies] : info.written->copies)
      lines.work("  " + name + " ", {copies.count, copies.bytes, copies.totalNs});
  else
    for (const auto& [kind, work] : info.copiesByKind)
      lines.work("  " + std::string(trace::copyKindName(static_cast<std::uint8_t>(kind), true)), work);
  lines.work("Memsets", info.memsets);
  if (info.written) lines.count("Entries", info.written->entries);
  lines.count("Graph launches", info.graphLaunches);
  lines.count("CUDA API calls", info.cudaCalls);
  lines.count("Synchronization", info.synchronizations);
  lines.count("OS runtime", info.osRuntimeCalls);
  lines.count("MPI calls", info.mpiCalls);
  lines.count("NVTX ranges", info.nvtxRanges);
  lines.count("NVTX marks", info.nvtxMarks);
  if (info.metricSamples != 0) {
    lines.add("GPU metrics", fmt::format("{}, {} samples", formatCount(info.metrics), formatCount(info.metricSamples)));
  }
  lines.count("CPU samples", info.cpuSamples);
  lines.count("Python samples", info.pythonSamples);
  lines.count("Memory events", info.memoryEvents);
  if (!anyGpuWork(info)) lines.add("Note", "no GPU activity in this report");
  for (const trace::Issue& issue : info.issues) lines.add("Note", issue.text);
  return lines.take();
}

}  // namespace lanescope::report
