// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>

#include "collector/launch/keep_newest.h"
#include "collector/launch/libraries.h"
#include "collector/launch/process_facts.h"
#include "collector/wire/records.h"
#include "model/report/new_file.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMemory = "/dev/shm";
constexpr const char* kRingsName = "lanescope-rings-";
/// Below this, rings would soon be refused: Docker gives /dev/shm 64 MB.
constexpr std::uint64_t kLeastMemory = 32u << 20;

/// A folder for rings in memory; empty if there is no good place.
fs::path ringsInMemory() {
  struct statvfs room{};
  if (statvfs(kMemory, &room) != 0 || room.f_bavail * room.f_frsize < kLeastMemory) return {};
  std::string name = fmt::format("{}/{}{}-XXXXXX", kMemory, kRingsName, getpid());
  return mkdtemp(name.data()) ? fs::path(name) : fs::path();
}

/// A line break in a value would begin another fact.
std::string oneLine(std::string_view value) {
  std::string line;
  for (const char c : value) {
    if (c == '\n') line += "\\n";
    else if (c != '\0') line += c;
  }
  return line;
}

Result<void> append(const fs::path& path, const Facts& lines) {
  std::string text;
  for (const auto& [name, value] : lines) text += fmt::format("{}={}\n", name, oneLine(value));
  const int file = open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return tl::unexpected(writeError(path, errno));
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t written = write(file, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  const int why = errno;
  close(file);
  if (!left.empty()) return tl::unexpected(writeError(path, why));
  return {};
}

/// With the commas of its parts behind backslashes.
std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += ',';
    for (const char c : part) {
      if (c == ',') text += '\\';
      text += c;
    }
  }
  return text;
}

const char* nameOf(CaptureRange range) {
  switch (range) {
    case CaptureRange::kNone:
      return "none";
    case CaptureRange::kCudaProfilerApi:
      return "cudaProfilerApi";
    case CaptureRange::kNvtx:
      return "nvtx";
  }
  return "none";
}

const char* nameOf(CaptureEnd end) {
  switch (end) {
    case CaptureEnd::kNone:
      return "none";
    case CaptureEnd::kStop:
      return "stop";
    case CaptureEnd::kStopShutdown:
      return "stop-shutdown";
    case CaptureEnd::kRepeat:
      return "repeat";
    case CaptureEnd::kRepeatShutdown:
      return "repeat-shutdown";
  }
  return "stop-shutdown";
}

}  // namespace

Result<SessionFolder> SessionFolder::create(const fs::path& folder, std::string_view label) {
  SessionFolder session;
  std::error_code error;
  const fs::path absolute = fs::absolute(folder, error).lexically_normal();
  for (int attempt = 0;; ++attempt) {
    const std::string again = attempt == 0 ? "" : fmt::format("-{}", attempt);
    session.path_ = absolute / fmt::format(".{}.{}{}.recording", label, getpid(), again);
    if (mkdir(session.path_.c_str(), 0700) == 0) break;
    if (errno != EEXIST) return tl::unexpected(writeError(session.path_, errno));
  }
  Result<CaptureControl> control = CaptureControl::create(session.path_ / "control");
  if (!control) {
    removeSession(session.path_);
    return tl::unexpected(control.error());
  }
  session.control_ = std::move(*control);
  return session;
}

Result<void> SessionFolder::writeOptions(const Options& options, const std::string& cupti, const Facts& more) {
  fs::path rings = ringsInMemory();
  if (rings.empty()) rings = path_;
  const AskedLibraries libraries(options.libraries);
  const std::vector<std::string> domains = libraries.domains();  // they speak NVTX
  const bool nvtx = options.nvtx || !domains.empty();
  std::vector<std::string> included = options.nvtx ? options.nvtxInclude : domains;
  if (options.nvtx && !included.empty()) included.insert(included.end(), domains.begin(), domains.end());
  std::string trace;
  for (const auto& [wanted, name] :
       {std::pair{options.cuda, "cuda"}, {nvtx, "nvtx"}, {options.osRuntime, "osrt"}, {options.mpi, "mpi"}}) {
    if (wanted) trace += (trace.empty() ? "" : ",") + std::string(name);
  }
  Facts lines = {
      {"trace", trace},
      {"cuda-graph-trace", options.graphTrace == GraphTrace::kNode ? "node" : "graph"},
      {"cuda-trace-all-apis", options.allCudaApis ? "1" : "0"},
      {"capture", nameOf(options.range)},
      {"capture-end", nameOf(options.rangeEnd)},
      {"repeat", std::to_string(options.repeat)},
      {"rings", rings.string()},
  };
  std::string kinds;
  for (const auto& [wanted, names] : {std::pair{options.cudaEvents, "event,sync,"},
                                      {options.gpuMemory, "memory,"},
                                      {options.cpuPageFaults, "cpu-faults,"},
                                      {options.gpuPageFaults, "gpu-faults,"}}) {
    if (wanted) kinds += names;
  }
  if (!kinds.empty()) lines.emplace_back("cupti-more-kinds", kinds);
  if (options.range == CaptureRange::kNvtx) lines.emplace_back("nvtx-capture", options.nvtxCapture);
  if (!included.empty()) lines.emplace_back("nvtx-domain-include", joined(included));
  if (!options.libraries.empty()) lines.emplace_back("libraries", fmt::format("{}", fmt::join(options.libraries, ",")));
  if (!options.nvtxExclude.empty()) lines.emplace_back("nvtx-domain-exclude", joined(options.nvtxExclude));
  if (options.maxBytes > 0) lines.emplace_back("max-size", std::to_string(options.maxBytes));
  // Not given or 0, the recorder's own interval holds.
  if (options.flushIntervalMs > 0) {
    lines.emplace_back("cuda-flush-interval-ms", std::to_string(options.flushIntervalMs));
  }
  if (!options.resolvesSymbols) lines.emplace_back("resolve-symbols", "0");
  if (!options.debugFolders.empty()) lines.emplace_back("debug-symbols", options.debugFolders);
  if (options.asksForNvtx) lines.emplace_back("nvtx-asked", "1");
  if (options.asksForCpu) lines.emplace_back("cpu-asked", "1");
  if (!cupti.empty()) lines.emplace_back("cupti", cupti);
  for (const auto& [kind, from] : options.cudaStacks) lines.emplace_back("cuda-stacks-" + kind, std::to_string(from));
  if (options.pythonStacks) lines.emplace_back("python-stacks", "1");
  if (options.pythonGil) lines.emplace_back("python-gil", "1");
  if (options.pythonHertz > 0) lines.emplace_back("python-sampling", std::to_string(options.pythonHertz));
  if (options.osRuntime) {
    if (options.osFileAccess) lines.emplace_back("osrt-file-access", "1");
    lines.emplace_back("osrt-threshold", std::to_string(options.osThreshold));
    lines.emplace_back("osrt-backtrace-threshold", std::to_string(options.osStackThreshold));
    lines.emplace_back("osrt-backtrace-stack-size", std::to_string(options.osStackBytes));
    lines.emplace_back("osrt-backtrace-depth", std::to_string(options.osStackDepth));
  }
  if (!options.gpuMetrics.empty()) {
    lines.emplace_back("gpu-metrics-devices", joined(options.gpuMetrics));
    lines.emplace_back("gpu-metrics-frequency", joined(options.gpuMetricsHertz));
    lines.emplace_back("gpu-metrics-set", options.gpuMetricsSet);
  }
  lines.insert(lines.end(), more.begin(), more.end());
  return append(path_ / "options", lines);
}

Result<void> SessionFolder::addFacts(const Facts& facts) { return addFactsTo(path_, facts); }

std::size_t livingProcesses(const fs::path& session) {
  std::size_t living = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session, error)) {
    if (entry.path().extension() != ".stream") continue;
    const pid_t process = std::atoi(entry.path().filename().c_str());
    living += process > 0 && startTimeOf(process) ? 1 : 0;
  }
  return living;
}

bool SessionFolder::leavesRoom() const {
  struct statvfs room{};
  if (statvfs(path_.c_str(), &room) != 0) return true;
  constexpr std::uint64_t kRows = 4;  // a sample becomes a row for each metric
  const std::uint64_t used = recordedBytes(path_, kRows);
  constexpr std::uint64_t kChunk = wire::kRingBytes;  // or the processes would stop before we do
  return room.f_bavail * room.f_frsize >= kChunk + wire::roomForReport(used + kChunk);
}

void SessionFolder::remove() { removeSession(path_); }

Result<void> addFactsTo(const fs::path& session, const Facts& facts) { return append(session / "facts", facts); }

std::optional<std::string> readFact(const fs::path& file, std::string_view name) {
  std::ifstream in(file, std::ios::binary);
  std::optional<std::string> found;
  for (std::string line; std::getline(in, line);) {
    if (line.size() > name.size() && line[name.size()] == '=' && line.starts_with(name)) {
      found = line.substr(name.size() + 1);
    }
  }
  return found;
}

Facts launcherFacts() {
  return {{"launcher-pid", std::to_string(getpid())},
          {"launcher-start", std::to_string(startTimeOf(getpid()).value_or(0))},
          {"boot-id", bootId()}};
}

bool launcherLives(const fs::path& session) {
  const fs::path facts = session / "facts";
  const auto pid = readFact(facts, "launcher-pid"), start = readFact(facts, "launcher-start");
  if (!pid || !start || readFact(facts, "boot-id").value_or("") != bootId()) return false;
  const auto now = startTimeOf(std::atoi(pid->c_str()));
  return now && std::to_string(*now) == *start;
}

bool isLaunched(const fs::path& session) { return readFact(session / "facts", "launched").has_value(); }

std::map<std::string, std::uint64_t> sizesOfStreams(const fs::path& session) {
  std::map<std::string, std::uint64_t> sizes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session, error)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".stream" && ending != ".metrics" && ending != ".samples" && ending != ".perf") continue;
    const bool isGone = ending == ".stream" && !startTimeOf(std::atoi(entry.path().filename().c_str()));
    const std::uintmax_t size = entry.file_size(error);
    sizes[entry.path().filename()] = isGone || error ? ~std::uint64_t{0} : size;
  }
  return sizes;
}

void removeSession(const fs::path& session) {
  std::error_code ignored;
  const fs::path rings = readFact(session / "options", "rings").value_or("");
  // The options may come from anywhere: only a folder that this program makes is removed.
  if (rings.parent_path() == kMemory && rings.filename().string().starts_with(kRingsName)) {
    fs::remove_all(rings, ignored);
  }
  fs::remove_all(session, ignored);
}

}  // namespace lanescope::launch
