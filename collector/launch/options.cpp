// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>

#include "collector/launch/given.h"
#include "collector/launch/libraries.h"
#include "collector/sample/gpus.h"
#include "collector/sample/metric_table.h"

namespace lanescope::launch {
namespace {

using Refusal = tl::unexpected<std::string>;
using Done = tl::expected<void, std::string>;

/// The names of --trace: what is recorded, and a warning for each that is not yet.
Done readTrace(const GivenOptions& given, CommandLine& line) {
  if (!given.has("trace")) return {};
  Options& options = line.options;
  options.cuda = options.nvtx = false;
  const std::vector<std::string> asked = given.list("trace");
  options.asksForNvtx = std::find(asked.begin(), asked.end(), "nvtx") != asked.end();
  bool none = false;
  for (const std::string& name : asked) {
    const TraceRow* row = findTrace(name);
    if (!row) {
      std::vector<std::string_view> names;
      for (const TraceRow& known : traceTable()) names.push_back(known.name);
      const std::string_view close = nearest(name, names);
      return Refusal(fmt::format("--trace: {} is no name of it; {}see: lanescope profile --trace=help", name,
                                 close.empty() ? "" : fmt::format("did you mean {}? ", close)));
    }
    options.cuda |= row->impliesCuda;
    options.nvtx |= name == "nvtx";
    options.osRuntime |= name == "osrt";
    options.mpi |= name == "mpi";
    options.pythonGil |= name == "python-gil";
    none |= name == "none";
    if (isLibrary(name)) options.libraries.push_back(name);
    if (row->state == OptionState::kLater) {
      line.warnings.push_back(fmt::format("--trace={}: not recorded yet; the run goes on without it", name));
    }
  }
  if (none) {
    if (asked.size() > 1) return Refusal("--trace: none excludes all other names");
    options.cuda = options.nvtx = options.osRuntime = options.mpi = options.pythonGil = false;
    options.libraries.clear();
  }
  return {};
}

/// "kernel,sync:5000", "all:100", "none".
Done readCudaStacks(const GivenOptions& given, Options& options) {
  constexpr std::string_view kKinds[] = {"kernel", "memory", "sync", "other"};
  constexpr std::uint32_t kUsual = 1000;
  bool none = false;
  const std::vector<std::string> parts = splitList(given.value("cudabacktrace"));
  for (const std::string& part : parts) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string kind = part.substr(0, colon);
    std::uint32_t from = kUsual;
    if (colon < part.size()) {
      const auto number = readNumber(part.substr(colon + 1));
      constexpr std::int64_t kMost = 0xFFFFFFFE;
      if (!number || *number < 0) return Refusal(fmt::format("--cudabacktrace: {}; it is KIND:NANOSECONDS", part));
      from = static_cast<std::uint32_t>(std::min(*number, kMost));
    }
    none |= kind == "none";
    const bool isOne = std::find(std::begin(kKinds), std::end(kKinds), kind) != std::end(kKinds);
    if (kind != "none" && kind != "all" && !isOne) {
      return Refusal(fmt::format("--cudabacktrace: {}; it is none, all, kernel, memory, sync or other", kind));
    }
    for (const std::string_view known : kKinds) {
      if (kind == "all" || kind == known) options.cudaStacks.emplace_back(known, from);
    }
  }
  if (none && parts.size() > 1) return Refusal("--cudabacktrace: none excludes all other names");
  return {};
}

void readPython(const GivenOptions& given, Options& options) {
  const std::string stacks = given.value("python-backtrace");
  options.pythonStacks = stacks == "cuda" || stacks == "true";
  if (given.isOn("python-sampling")) {
    options.pythonHertz = static_cast<std::uint32_t>(readNumber(given.value("python-sampling-frequency")).value_or(0));
  }
}

void readOsRuntime(const GivenOptions& given, Options& options) {
  const auto number = [&](const char* name) {
    constexpr std::int64_t kMost = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(readNumber(given.value(name)).value_or(0), kMost));
  };
  options.osThreshold = number("osrt-threshold");
  options.osFileAccess = given.isOn("osrt-file-access");
  options.osStackThreshold = number("osrt-backtrace-threshold");
  options.osStackDepth = number("osrt-backtrace-depth");
  options.osStackBytes = options.osStackDepth > 0 ? number("osrt-backtrace-stack-size") : 0;
}

Done readGraphTrace(const GivenOptions& given, CommandLine& line) {
  for (const std::string& part : splitList(given.value("cuda-graph-trace"), ':')) {
    if (part == "node") {
      line.options.graphTrace = GraphTrace::kNode;
    } else if (part == "host-and-device" || part == "nvtx-live" || part == "nvtx-precapture") {
      line.warnings.push_back(fmt::format("--cuda-graph-trace={}: not recorded yet; the run goes on without it", part));
    } else if (part != "graph" && part != "host-only") {
      return Refusal(fmt::format("--cuda-graph-trace: {}; it is graph or node", part));
    }
  }
  return {};
}

Done readGpuMetrics(const GivenOptions& given, CommandLine& line) {
  Options& options = line.options;
  const std::vector<std::string> devices =
      given.has("gpu-metrics-devices") ? given.list("gpu-metrics-devices") : std::vector<std::string>{"none"};
  for (const std::string& device : devices) {
    const bool isWord = device == "none" || device == "all" || device == "cuda-visible";
    const auto number = readNumber(device);
    if (isWord ? devices.size() > 1 : !number || *number < 0 || *number > 1023) {
      return Refusal(
          fmt::format("--gpu-metrics-devices: {}; it is numbers of GPUs, all, cuda-visible or none; see "
                      "--gpu-metrics-devices=help",
                      fmt::join(devices, ",")));
    }
    if (device != "none") options.gpuMetrics.push_back(number ? std::to_string(*number) : device);
  }
  for (const std::string& text : splitList(given.value("gpu-metrics-frequency"))) {
    options.gpuMetricsHertz.push_back(std::to_string(readNumber(text).value_or(0)));
  }
  options.gpuMetricsSet = given.value("gpu-metrics-set");
  if (const auto set = sample::metricSet(options.gpuMetricsSet); !set) {
    return Refusal(fmt::format("--gpu-metrics-set: {}", set.error()));
  }
  return {};
}

/// The CPU's samples and switches. Where both are on they are of the same processes, as with Nsight Systems.
Done readCpu(const GivenOptions& given, CommandLine& line) {
  using sample::CpuScope, sample::StackKind;
  sample::CpuSettings& cpu = line.options.cpu;
  const auto scopeOf = [&](std::string_view option) {
    const std::string word = given.value(option);
    if (word.starts_with("xhv")) {
      line.warnings.push_back(fmt::format("--{}={}: there is no hypervisor to ask; recorded as {}", option, word,
                                          word == "xhv" ? "process-tree" : "system-wide"));
    }
    return word == "none"                  ? CpuScope::kNone
           : word.ends_with("system-wide") ? CpuScope::kSystemWide
                                           : CpuScope::kProcessTree;
  };
  cpu.samples = scopeOf("sample");
  cpu.switches = scopeOf("cpuctxsw");
  const bool noSwitches = given.has("cpuctxsw") && cpu.switches == CpuScope::kNone;
  if (cpu.samples != CpuScope::kNone && cpu.switches != cpu.samples && !noSwitches) {
    if (given.has("cpuctxsw")) {
      line.warnings.push_back(
          fmt::format("--cpuctxsw={}: follows --sample={}", given.value("cpuctxsw"), given.value("sample")));
    }
    cpu.switches = cpu.samples;
  }
  const std::string stacks = given.value("backtrace");
  for (const StackKind kind : sample::kStackKinds)
    if (stacks == nameOf(kind)) cpu.stacks = kind;
  if (given.has("samples-per-backtrace")) {
    cpu.samplesPerBacktrace = static_cast<std::uint32_t>(readNumber(given.value("samples-per-backtrace")).value_or(1));
  }
  cpu.frequency = static_cast<std::uint32_t>(readNumber(given.value("sampling-frequency")).value_or(1000));
  if (given.has("sampling-period")) {
    cpu.period = static_cast<std::uint64_t>(readNumber(given.value("sampling-period")).value_or(0));
    if (given.has("sampling-frequency")) {
      return Refusal("--sampling-period and --sampling-frequency: only one of them");
    }
  }
  line.options.resolvesSymbols = given.isOn("resolve-symbols");
  line.options.debugFolders = given.value("debug-symbols");
  const auto isTyped = [&](const char* option) { return given.has(option) && given.value(option) != "none"; };
  line.options.asksForCpu = isTyped("sample") || isTyped("cpuctxsw");
  for (const char* option : {"backtrace", "samples-per-backtrace", "sampling-frequency", "sampling-period"}) {
    const Given* typed = given.find(option);
    if (typed && cpu.samples == CpuScope::kNone && typed->value != "none") {
      line.warnings.push_back(fmt::format("{}: has no effect with --sample=none", nameOf(*typed)));
    }
    line.options.asksForCpu |= isTyped(option) && cpu.samples != CpuScope::kNone;
  }
  return {};
}

/// "stop-shutdown", "repeat:5", "repeat-shutdown:5:async".
Done readRangeEnd(const GivenOptions& given, CommandLine& line) {
  Options& options = line.options;
  const std::string text = given.value("capture-range-end");
  const std::vector<std::string> parts = splitList(text, ':');
  const Refusal refusal(
      fmt::format("--capture-range-end: {}; it is none, stop, stop-shutdown, repeat, repeat:N or "
                  "repeat-shutdown:N",
                  text));
  if (parts[0] == "none") options.rangeEnd = CaptureEnd::kNone;
  else if (parts[0] == "stop") options.rangeEnd = CaptureEnd::kStop;
  else if (parts[0] == "stop-shutdown") options.rangeEnd = CaptureEnd::kStopShutdown;
  else if (parts[0] == "repeat") options.rangeEnd = CaptureEnd::kRepeat;
  else if (parts[0] == "repeat-shutdown") options.rangeEnd = CaptureEnd::kRepeatShutdown;
  else return refusal;
  const bool repeats = parts[0].starts_with("repeat");
  if (!repeats && parts.size() > 1) return refusal;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto number = readNumber(parts[i]);
    if (i == 1 && number && *number > 0 && *number <= 1'000'000) {
      options.repeat = static_cast<std::uint32_t>(*number);
    } else if (parts[i] == "sync" || parts[i] == "async") {
      line.warnings.push_back(
          fmt::format("--capture-range-end={}: reports are written when the recording ends", parts[i]));
    } else if (parts[i] != "defer") {
      return refusal;
    }
  }
  if (options.rangeEnd == CaptureEnd::kRepeatShutdown && options.repeat == 0) return refusal;
  return {};
}

Done readRange(const GivenOptions& given, CommandLine& line) {
  Options& options = line.options;
  const std::string range = given.value("capture-range");
  if (range == "cudaProfilerApi") options.range = CaptureRange::kCudaProfilerApi;
  if (range == "nvtx") options.range = CaptureRange::kNvtx;
  if (range == "hotkey") line.warnings.emplace_back("--capture-range=hotkey: not recorded yet; all is recorded");
  options.nvtxCapture = given.value("nvtx-capture");
  const auto hasNoEffect = [&](std::string_view name, std::string_view without) {
    line.warnings.push_back(fmt::format("--{}: has no effect {}", name, without));
  };
  if (options.range == CaptureRange::kNvtx && options.nvtxCapture.empty()) {
    return Refusal("--capture-range=nvtx: needs the range; add --nvtx-capture=RANGE");
  }
  if (options.range != CaptureRange::kNvtx && given.has("nvtx-capture")) hasNoEffect("nvtx-capture", "without -c nvtx");
  if (options.range == CaptureRange::kNone && given.has("capture-range-end")) {
    hasNoEffect("capture-range-end", "without --capture-range");
  }
  if (options.range != CaptureRange::kNone && given.has("delay")) {
    hasNoEffect("delay", "with --capture-range: the range says when to begin");
  }
  if (given.isOn("start-later") && given.has("delay")) hasNoEffect("delay", "with --start-later");
  return readRangeEnd(given, line);
}

/// "500M,ring": K, M, G and T are powers of 1000.
Done readMaxSize(const GivenOptions& given, Options& options) {
  const Given* typed = given.find("max-size");
  if (!typed) return {};
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::int64_t kLeast = 1'000'000;
  const std::vector<std::string> parts = splitList(typed->value);
  std::string_view digits = parts.front();
  const std::size_t unit = digits.empty() ? kUnits.npos : kUnits.find(digits.back());
  if (unit != kUnits.npos) digits.remove_suffix(1);
  std::int64_t bytes = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
  bool isGood = error == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  for (std::size_t i = 0; unit != kUnits.npos && i <= unit; ++i) isGood &= !__builtin_mul_overflow(bytes, 1000, &bytes);
  isGood &= parts.size() == 1 || (parts.size() == 2 && (parts[1] == "stop" || parts[1] == "ring"));
  if (!isGood || bytes < kLeast) {
    return Refusal(fmt::format("{}: {}; it is at least 1M, as 500M or 20G, and may be followed by ,stop or ,ring",
                               nameOf(*typed), typed->value));
  }
  options.maxBytes = static_cast<std::uint64_t>(bytes);
  options.keepsNewest = parts.back() == "ring";
  return {};
}

Done readTimes(const GivenOptions& given, Options& options) {
  options.delay = readSeconds(given.value("delay")).value_or(0);
  if (const Given* duration = given.find("duration")) {
    options.duration = readSeconds(duration->value).value_or(0);
    if (options.duration == 0) return Refusal(fmt::format("{}: 0; it is more than 0 seconds", nameOf(*duration)));
  }
  options.startLater = given.isOn("start-later");
  if (options.startLater && options.range != CaptureRange::kNone) {
    return Refusal("--start-later and --capture-range: only one of them can begin the recording");
  }
  options.stopOnExit = given.isOn("stop-on-exit");
  if (!options.stopOnExit && options.duration == 0) {
    return Refusal(
        fmt::format("{}: false needs --duration, or the recording would not end", nameOf(*given.find("stop-on-exit"))));
  }
  options.wait = given.value("wait") == "primary" ? WaitFor::kPrimary : WaitFor::kAll;
  const std::string kill = given.value("kill");
  const auto number = readNumber(kill);
  if (kill == "sigterm") options.killSignal = SIGTERM;
  else if (kill == "sigkill") options.killSignal = SIGKILL;
  else if (number && *number > 0 && *number <= SIGRTMAX) options.killSignal = static_cast<int>(*number);
  else if (kill != "none") return Refusal(fmt::format("--kill: {}; it is none, sigterm, sigkill or a number", kill));
  return {};
}

Done readRun(const GivenOptions& given, CommandLine& line) {
  Options& options = line.options;
  options.output = given.value("output");
  if (options.output.empty()) return Refusal("--output: the name is empty");
  options.session = given.value("session-new");
  options.overwrite = given.isOn("force-overwrite");
  options.stats = given.isOn("stats");
  options.showOutput = given.isOn("show-output");
  options.inheritEnvironment = given.isOn("inherit-environment");
  for (const Given& one : given.options) {
    if (one.row->name != "env-var") continue;
    auto variables = readAssignments(one.value);
    if (!variables) return Refusal(fmt::format("{}: {}", nameOf(one), variables.error()));
    for (auto& variable : *variables) options.environment.push_back(std::move(variable));
  }
  for (std::string& format : given.list("export")) {
    if (format != "none") options.exports.push_back(std::move(format));
  }
  options.program = given.program;
  if (options.program.empty()) {
    return Refusal("no program given; name it after the options: lanescope profile [OPTIONS] PROGRAM [ARGUMENTS]");
  }
  return {};
}

/// A warning for each option that was asked for and has no effect yet.
void warnOfLater(const GivenOptions& given, CommandLine& line) {
  for (const Given& one : given.options) {
    if (one.row->state != OptionState::kLater || one.value == one.row->nothing) continue;
    if (&one != given.find(one.row->name)) continue;  // once, for the value that counts
    line.warnings.push_back(fmt::format("{}={}: not recorded yet; the run goes on without it", one.typed, one.value));
  }
}

/// A value as the report may show it: variables are often secrets, and stand there by name only.
std::string shown(const Given& given) {
  if (given.row->name != "env-var") return given.value;
  std::string names;
  const auto variables = readAssignments(given.value);
  for (const auto& [name, value] : *variables) names += (names.empty() ? "" : ",") + name;
  return names;
}

/// --help and --OPTION=help.
std::string answerTo(const GivenOptions& given) {
  if (given.help) return optionHelp();
  for (const Given& one : given.options) {
    if (one.value != "help") continue;
    if (one.row->name == "trace") return traceHelp();
    if (one.row->name == "gpu-metrics-devices") return sample::gpuHelp();
    if (one.row->name == "gpu-metrics-set") return sample::metricSetHelp();
    const bool isFree = one.row->kind == OptionKind::kText && one.row->state == OptionState::kWorks;
    if (!isFree)
      return fmt::format("--{}={}: {}{}\n", one.row->name, one.row->values, one.row->meaning,
                         one.row->state == OptionState::kLater ? "; not recorded yet" : "");
  }
  return {};
}

/// The command line with the options of its --command-file before it, as far as it does not give them itself.
tl::expected<GivenOptions, std::string> withCommandFile(GivenOptions given) {
  const Given* file = given.find("command-file");
  if (!file) return given;
  std::ifstream in(file->value, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad() || !in.is_open()) return Refusal(fmt::format("{}: no such file; check the path", file->value));
  tl::expected<GivenOptions, std::string> read = readGiven(splitWords(text));
  if (!read) return Refusal(fmt::format("{}: {}", file->value, read.error()));
  if (!read->program.empty()) {
    return Refusal(
        fmt::format("{}: {} is no option; a command file holds options only", file->value, read->program.front()));
  }
  if (read->has("command-file")) return Refusal(fmt::format("{}: names another command file", file->value));
  std::erase_if(read->options, [&](const Given& one) { return given.has(one.row->name); });
  given.options.insert(given.options.begin(), read->options.begin(), read->options.end());
  given.help |= read->help;
  return given;
}

/// With one connection to the GPU, looking at events would order streams that are not.
bool wantsCudaEvents(std::string_view value) {
  const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  return value == "true" || (value == "auto" && (connections == nullptr || std::string_view(connections) != "1"));
}

}  // namespace

tl::expected<CommandLine, std::string> readCommandLine(const std::vector<std::string>& words) {
  tl::expected<GivenOptions, std::string> read = readGiven(words);
  if (read) read = withCommandFile(std::move(*read));
  if (!read) return Refusal(read.error());
  const GivenOptions& given = *read;
  CommandLine line;
  if (line.answer = answerTo(given); !line.answer.empty()) return line;

  line.options.allCudaApis = given.isOn("cuda-trace-all-apis");
  line.options.cudaEvents = wantsCudaEvents(given.value("cuda-event-trace"));
  line.options.gpuMemory = given.isOn("cuda-memory-usage");
  line.options.cpuPageFaults = given.isOn("cuda-um-cpu-page-faults");
  line.options.gpuPageFaults = given.isOn("cuda-um-gpu-page-faults");
  readOsRuntime(given, line.options);
  readPython(given, line.options);
  line.options.flushIntervalMs = static_cast<std::uint32_t>(readNumber(given.value("cuda-flush-interval")).value_or(0));
  line.options.nvtxInclude = given.list("nvtx-domain-include");
  line.options.nvtxExclude = given.list("nvtx-domain-exclude");
  if (!line.options.nvtxInclude.empty() && !line.options.nvtxExclude.empty()) {
    return Refusal("--nvtx-domain-include and --nvtx-domain-exclude: only one of them");
  }
  for (const auto& part : {readTrace(given, line), readGraphTrace(given, line), readCudaStacks(given, line.options),
                           readGpuMetrics(given, line), readCpu(given, line), readRange(given, line),
                           readTimes(given, line.options), readMaxSize(given, line.options), readRun(given, line)}) {
    if (!part) return Refusal(part.error());
  }
  if (line.options.osFileAccess && !line.options.osRuntime)
    line.warnings.emplace_back("--osrt-file-access: has no effect without --trace=osrt");
  warnOfLater(given, line);
  for (const Given& one : given.options) line.options.words.push_back(fmt::format("{}={}", one.typed, shown(one)));
  return line;
}

std::vector<std::string> splitWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  const auto finish = [&] {
    if (inWord) words.push_back(std::move(word));
    word.clear();
    inWord = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == quote) quote = 0;
      else word += c;
    } else if (c == '\'' || c == '"') {
      quote = c, inWord = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      finish();
    } else if (c == '#' && !inWord) {
      i = std::min(text.find('\n', i), text.size());
    } else {
      word += c, inWord = true;
    }
  }
  finish();
  return words;
}

tl::expected<std::vector<std::pair<std::string, std::string>>, std::string> readAssignments(std::string_view text) {
  const auto nameLength = [](std::string_view part) -> std::size_t {
    const std::size_t equals = part.find('=');
    const auto isOfName = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
    const bool good = equals != std::string_view::npos && equals > 0 && part[0] != '=' &&
                      std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(equals), isOfName);
    return good ? equals : 0;
  };
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& part : splitList(text)) {
    if (const std::size_t length = nameLength(part)) {
      all.emplace_back(part.substr(0, length), part.substr(length + 1));
    } else if (all.empty()) {
      return Refusal(fmt::format("{}; it is NAME=VALUE", part));
    } else {
      all.back().second += "," + part;
    }
  }
  return all;
}

}  // namespace lanescope::launch
