// SPDX-License-Identifier: Apache-2.0
#include "model/record/record_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/shell_words.h"

namespace lanescope::record {
namespace {

/// A comma inside a value would begin another variable.
std::string withoutLists(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == ',') text += '\\';
    text += c;
  }
  return text;
}

void recordAll(RecordSettings& settings) {
  const RecordSettings fresh;
  settings.trace = fresh.trace;
  settings.cpuSamples = fresh.cpuSamples;
  settings.contextSwitches = fresh.contextSwitches;
  settings.systemWide = fresh.systemWide;
  settings.cpuHertz = fresh.cpuHertz;
  settings.backtrace = fresh.backtrace;
  settings.osThreshold = fresh.osThreshold;
  settings.pythonSamples = settings.pythonOfCalls = false;
  settings.graphNodes = settings.memoryUsage = settings.endsProgram = false;
  settings.gpuMetrics.clear();
  settings.gpuMetricsHertz = fresh.gpuMetricsHertz;
  settings.delay.clear();
  settings.duration.clear();
  settings.range = Range::kNone;
  settings.nvtxRange.clear();
}

constexpr auto kPresets = std::to_array<Preset>({
    {"Quick look", "the first 10 seconds; the program goes on",
     [](RecordSettings& settings) {
       recordAll(settings);
       settings.duration = "10";
     }},
    {"Training loop", "20 seconds after 30 seconds of warm-up, with GPU memory; then the program is ended",
     [](RecordSettings& settings) {
       recordAll(settings);
       settings.delay = "30";
       settings.duration = "20";
       settings.memoryUsage = settings.endsProgram = true;
     }},
    {"Inference service", "30 seconds after a minute of start-up, graphs by node; the service goes on",
     [](RecordSettings& settings) {
       recordAll(settings);
       settings.delay = "60";
       settings.duration = "30";
       settings.graphNodes = true;
     }},
});

}  // namespace

std::vector<std::string> profileWords(const RecordSettings& settings) {
  const RecordSettings fresh;
  std::vector<std::string> words;
  const auto add = [&](bool differs, std::string_view name, std::string_view value) {
    if (differs) words.push_back(fmt::format("--{}={}", name, value));
  };
  add(settings.output != fresh.output, "output", settings.output);
  add(settings.overwrite, "force-overwrite", "true");
  for (const auto& [name, value] : settings.environment) {
    add(true, "env-var", fmt::format("{}={}", name, withoutLists(value)));
  }
  add(settings.trace != fresh.trace, "trace",
      settings.trace.empty() ? "none" : fmt::format("{}", fmt::join(settings.trace, ",")));
  const bool hasOs = std::ranges::find(settings.trace, "osrt") != settings.trace.end();
  add(hasOs && settings.osThreshold != fresh.osThreshold, "osrt-threshold", settings.osThreshold);
  add(!settings.cpuSamples || settings.systemWide, "sample", settings.cpuSamples ? "system-wide" : "none");
  // Those of samples are of the same processes without being told.
  add(!settings.contextSwitches || (settings.systemWide && !settings.cpuSamples), "cpuctxsw",
      settings.contextSwitches ? "system-wide" : "none");
  add(settings.cpuSamples && settings.cpuHertz != fresh.cpuHertz, "sampling-frequency", settings.cpuHertz);
  add(settings.cpuSamples && settings.backtrace != fresh.backtrace, "backtrace", settings.backtrace);
  add(settings.pythonSamples, "python-sampling", "true");
  add(settings.pythonOfCalls, "python-backtrace", "cuda");
  add(settings.graphNodes, "cuda-graph-trace", "node");
  add(settings.memoryUsage, "cuda-memory-usage", "true");
  add(!settings.gpuMetrics.empty(), "gpu-metrics-devices", settings.gpuMetrics);
  add(!settings.gpuMetrics.empty() && settings.gpuMetricsHertz != fresh.gpuMetricsHertz, "gpu-metrics-frequency",
      settings.gpuMetricsHertz);
  add(!settings.delay.empty() && settings.range == Range::kNone, "delay", settings.delay);
  add(!settings.duration.empty(), "duration", settings.duration);
  add(settings.range != Range::kNone, "capture-range", settings.range == Range::kNvtx ? "nvtx" : "cudaProfilerApi");
  add(settings.range == Range::kNvtx, "nvtx-capture", settings.nvtxRange);
  add(settings.endsProgram, "kill", "sigterm");
  if (!settings.program.empty() && settings.program.front().starts_with('-')) words.emplace_back("--");
  words.insert(words.end(), settings.program.begin(), settings.program.end());
  return words;
}

std::string commandLine(const RecordSettings& settings, std::string_view folder, std::string_view host) {
  std::string line = "lanescope profile " + shellLine(profileWords(settings));
  if (!folder.empty()) line = fmt::format("cd {} && {}", shellQuoted(folder), line);
  return host.empty() ? line : fmt::format("ssh {} {}", shellQuoted(host), shellQuoted(line));
}

std::span<const Preset> presets() { return kPresets; }

}  // namespace lanescope::record
