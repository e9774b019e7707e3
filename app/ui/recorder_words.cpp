// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recorder_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "collector/launch/option_table.h"
#include "collector/launch/output_name.h"
#include "collector/launch/target.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;
using Outlook = views::RecorderWords::Outlook;

/// A number that no process has, to be found again in a name that %p made.
constexpr pid_t kSomeProcess = 2'147'483'647;

std::string homeFolder() {
  const char* home = std::getenv("HOME");
  return home ? home : "/";
}

std::string refusalOf(const std::vector<std::string>& words) {
  const auto line = launch::readCommandLine(words);
  return line ? std::string() : line.error();
}

std::string whyNoProgram(const views::RecordRequest& request, const fs::path& folder) {
  if (request.settings.program.empty()) return {};
  const std::string& name = request.settings.program.front();
  const std::size_t equals = name.find('=');
  if (equals != name.npos && name.find('/') > equals) {
    return fmt::format("{} is a variable; it belongs into the field Environment", name);
  }
  const char* path = std::getenv("PATH");
  const fs::path looked = name.find('/') != name.npos ? folder / name : fs::path(name);
  const auto found = launch::findProgram(looked, path ? path : "/usr/local/bin:/usr/bin:/bin");
  return found ? std::string() : sentence(found.error());
}

Outlook lookAt(const views::RecordRequest& request) {
  Outlook outlook;
  if (!request.host.empty()) return outlook;  // its disk is another
  const fs::path folder = request.folder.empty() ? homeFolder() : request.folder;
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    outlook.whyNoFolder = fmt::format("{}: no such folder; check the path", folder.string());
    return outlook;
  }
  if (!folder.is_absolute()) {
    outlook.whyNoFolder = fmt::format("{}: begins nowhere; write the whole path", folder.string());
    return outlook;
  }
  outlook.whyNoProgram = whyNoProgram(request, folder);
  const auto name =
      launch::OutputName::read(launch::inFolder(request.settings.output, folder), launch::factsOfThisMachine());
  if (!name) {
    outlook.whyNoReport = name.error();
    return outlook;
  }
  if (const auto good = name->check(request.settings.overwrite); !good) {
    outlook.whyNoReport = sentence(good.error());
    return outlook;
  }
  outlook.report = name->resolve(kSomeProcess).lexically_normal().string();
  const std::string number = std::to_string(kSomeProcess);
  for (std::size_t at; (at = outlook.report.find(number)) != outlook.report.npos;) {
    outlook.report.replace(at, number.size(), "‹process›");
  }
  return outlook;
}

std::string secondsText(trace::Ns time) {
  constexpr trace::Ns kSecond = 1'000'000'000;
  if (time == 0) return {};
  std::string text = fmt::format("{}.{:09}", time / kSecond, time % kSecond);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

views::RecorderWords recorderWords() {
  views::RecorderWords words;
  // Those that other recorders have and people look for stand there too, greyed.
  for (const std::string_view name :
       {"cuda", "nvtx", "osrt", "mpi", "python-gil", "cublas", "cudnn", "cusolver", "cusparse", "nccl"}) {
    const launch::TraceRow* row = launch::findTrace(name);
    words.traces.push_back({std::string(name), std::string(row->meaning), row->state == launch::OptionState::kWorks});
  }
  words.works = [](std::string_view option) {
    const launch::OptionRow* row = launch::findOption(option);
    return row && row->state == launch::OptionState::kWorks;
  };
  words.meaning = [](std::string_view option) {
    const launch::OptionRow* row = launch::findOption(option);
    return row ? fmt::format("--{}: {}", row->name, row->meaning) : std::string();
  };
  words.refusal = refusalOf;
  words.outlook = lookAt;
  return words;
}

record::RecordSettings settingsOf(const launch::Options& options) {
  record::RecordSettings settings;
  settings.program = options.program;
  settings.environment = options.environment;
  settings.trace.clear();
  if (options.cuda) settings.trace.emplace_back("cuda");
  if (options.nvtx) settings.trace.emplace_back("nvtx");
  if (options.osRuntime) settings.trace.emplace_back("osrt");
  settings.trace.insert(settings.trace.end(), options.libraries.begin(), options.libraries.end());
  if (options.mpi) settings.trace.emplace_back("mpi");
  if (options.pythonGil) settings.trace.emplace_back("python-gil");
  settings.cpuSamples = options.cpu.samples != sample::CpuScope::kNone;
  settings.contextSwitches = options.cpu.switches != sample::CpuScope::kNone;
  settings.systemWide = options.cpu.samples == sample::CpuScope::kSystemWide ||
                        (!settings.cpuSamples && options.cpu.switches == sample::CpuScope::kSystemWide);
  if (settings.cpuSamples) {
    settings.cpuHertz = std::to_string(options.cpu.frequency);
    settings.backtrace = options.cpu.stacks ? nameOf(*options.cpu.stacks) : "auto";
  }
  if (options.osRuntime) settings.osThreshold = std::to_string(options.osThreshold);
  settings.pythonSamples = options.pythonHertz > 0;
  settings.pythonOfCalls = options.pythonStacks;
  settings.graphNodes = options.graphTrace == launch::GraphTrace::kNode;
  settings.memoryUsage = options.gpuMemory;
  settings.gpuMetrics = fmt::format("{}", fmt::join(options.gpuMetrics, ","));
  if (!options.gpuMetrics.empty())
    settings.gpuMetricsHertz = fmt::format("{}", fmt::join(options.gpuMetricsHertz, ","));
  settings.delay = secondsText(options.delay);
  settings.duration = secondsText(options.duration);
  settings.range = options.range == launch::CaptureRange::kNvtx              ? record::Range::kNvtx
                   : options.range == launch::CaptureRange::kCudaProfilerApi ? record::Range::kCudaProfilerApi
                                                                             : record::Range::kNone;
  settings.nvtxRange = options.nvtxCapture;
  settings.endsProgram = options.killSignal != 0;
  settings.output = options.output;
  settings.overwrite = options.overwrite;
  return settings;
}

}  // namespace lanescope::ui
