// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/environment.h"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "collector/launch/find_cupti.h"
#include "collector/sample/cpu_events.h"
#include "collector/sample/python_rights.h"
#include "model/format.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMegabyte = 1'000'000;

std::string firstLine(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

/// The value behind "NAME: " in a file of such lines; empty if there is none.
std::string valueIn(const fs::path& file, const std::string& name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
  }
  return {};
}

Finding driver(const fs::path& root) {
  const std::string version = driverVersion(root);
  if (version.empty()) {
    return {Finding::kProblem, "CUDA driver", "none is loaded",
            "install NVIDIA's driver; in a container, start it with --gpus all; NVTX is recorded without"};
  }
  const std::optional<int> cuda = cudaOfDriver(version);
  return {Finding::kGood, "CUDA driver", cuda ? fmt::format("{}, serves CUDA {}", version, *cuda) : version, {}};
}

Finding devices(const fs::path& root) {
  std::error_code error;
  int count = 0;
  for (const auto& entry : fs::directory_iterator(root / "dev", error)) {
    const std::string name = entry.path().filename().string();
    count +=
        name.starts_with("nvidia") && name.size() > 6 && name.find_first_not_of("0123456789", 6) == std::string::npos;
  }
  if (count > 0) return {Finding::kGood, "GPUs", fmt::format("{} device files", count), {}};
  return {Finding::kProblem, "GPUs", "no /dev/nvidia0 here", "in a container, start it with --gpus all"};
}

Finding cupti(const Surroundings& around) {
  const fs::path found = findCupti({around.root, {}, around.environment});
  if (!found.empty()) return {Finding::kGood, "CUPTI", found.string(), {}};
  return {
      Finding::kProblem, "CUPTI", "no libcupti that the driver can serve",
      "install the CUDA toolkit or the package nvidia-cuda-cupti of Python; a program that brings its own is recorded"};
}

Finding recorder(const Surroundings& around) {
  if (!around.recorder.empty()) return {Finding::kGood, "Recorder", around.recorder.string(), {}};
  return {Finding::kProblem, "Recorder", "liblanescope-inject.so is missing",
          "install it beside lanescope; it is built where the headers of CUPTI are"};
}

Finding otherTool(const Surroundings& around) {
  const std::string why = whyNotHere(around.environment);
  if (why.empty()) return {Finding::kGood, "Other profilers", "none in this environment", {}};
  return {Finding::kProblem, "Other profilers", why, {}};  // which says what to do
}

Finding counters(const fs::path& root) {
  const std::string adminOnly = valueIn(root / "proc/driver/nvidia/params", "RmProfilingAdminOnly");
  if (adminOnly == "0" || geteuid() == 0) return {Finding::kGood, "GPU counters", "may be read", {}};
  return {Finding::kNote, "GPU counters",
          adminOnly.empty() ? "unknown whether they may be read" : "only root may read them",
          "for --gpu-metrics-devices: load the driver's module with NVreg_RestrictProfilingToAdminUsers=0, run as "
          "root, or give "
          "the container --cap-add=SYS_ADMIN"};
}

/// CPU samples and switches are recorded by the same means.
Finding samples(const fs::path& root) {
  constexpr const char* kWhat = "CPU samples";
  constexpr long kAllowed = 2;
  const std::string paranoid = firstLine(root / "proc/sys/kernel/perf_event_paranoid");
  const std::string said = fmt::format("perf_event_paranoid is {}", paranoid.empty() ? "unknown" : paranoid);
  char* end = nullptr;
  const long level = std::strtol(paranoid.c_str(), &end, 10);
  const bool isAllowed = geteuid() == 0 || (end != paranoid.c_str() && level <= kAllowed);
  int refused = isAllowed ? 0 : EACCES;
  if (root == "/") refused = sample::mayRecordCpu();  // a container may forbid it whatever stands there
  sample::Place place = sample::placeHere();
  place.paranoid = paranoid;
  using sample::CpuRight;
  if (refused != 0) return {Finding::kNote, kWhat, said, sample::whyRefused(refused, place, CpuRight::kProgram)};
  const bool hasKernel = geteuid() == 0 || level < kAllowed;
  const int notKernel = root == "/" ? sample::mayRecordCpu(CpuRight::kKernel) : hasKernel ? 0 : EACCES;
  if (notKernel != 0) {
    return {Finding::kGood, kWhat, said + ": of the program itself, not within the kernel",
            sample::whyRefused(notKernel, place, CpuRight::kKernel)};
  }
  if (root == "/" && !sample::namesKernel()) {
    return {Finding::kGood, kWhat, said + ": the functions of the kernel have no names",
            "sudo sysctl kernel.kptr_restrict=0"};
  }
  return {
      Finding::kGood, kWhat, level > 0 && geteuid() != 0 ? said + ": of the program itself" : said + ": of all", {}};
}

Finding switches(const Finding& samples) {
  if (samples.level == Finding::kGood) return {Finding::kGood, "Context switches", "as CPU samples", {}};
  return {Finding::kNote, "Context switches", "as CPU samples: not to be had", samples.remedy};
}

/// Python's frames are read out of the program's memory, from outside, by its parent.
Finding pythonStacks(const fs::path& root) {
  constexpr const char* kWhat = "Python stacks";
  const std::string scope = firstLine(root / "proc/sys/kernel/yama/ptrace_scope");
  const std::string said = scope.empty() ? "no limit on reading a program's memory" : "ptrace_scope is " + scope;
  if (root == "/") {  // a container may forbid it whatever stands there
    const std::string remedy = sample::pythonSamplingRemedy();
    if (remedy.empty()) return {Finding::kGood, kWhat, said, {}};
    return {Finding::kNote, kWhat, "other processes cannot be read", "for --python-sampling: " + remedy};
  }
  if (scope.empty() || scope == "0" || scope == "1") return {Finding::kGood, kWhat, said, {}};
  if (scope == "2" && geteuid() == 0) return {Finding::kGood, kWhat, said, {}};
  return {Finding::kNote, kWhat, said,
          scope == "2" ? "for --python-sampling: sudo sysctl kernel.yama.ptrace_scope=1; in a container: "
                         "--cap-add=SYS_PTRACE"
                       : "for --python-sampling: start the machine with kernel.yama.ptrace_scope=1"};
}

Finding sharedMemory(const fs::path& root) {
  struct statvfs room{};
  constexpr std::uint64_t kEnough = 128 << 20;
  if (statvfs((root / "dev/shm").c_str(), &room) != 0) {
    return {Finding::kNote, "Shared memory", "there is no /dev/shm", "rings go to the disk, which may cost time"};
  }
  const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
  const std::string text = fmt::format("{} free in /dev/shm", formatBytes(free));
  if (free >= kEnough) return {Finding::kGood, "Shared memory", text, {}};
  return {Finding::kNote, "Shared memory", text, "give the container --shm-size=1g; until then rings go to the disk"};
}

Finding memoryLimit(const fs::path& root) {
  std::string limit = firstLine(root / "sys/fs/cgroup/memory.max");
  if (limit.empty()) limit = firstLine(root / "sys/fs/cgroup/memory/memory.limit_in_bytes");
  const std::uint64_t bytes = std::strtoull(limit.c_str(), nullptr, 10);
  if (bytes == 0 || bytes > std::uint64_t{1} << 60) return {Finding::kGood, "Memory limit", "none", {}};
  const std::string text = formatBytes(bytes);
  if (bytes >= 2000 * kMegabyte) return {Finding::kGood, "Memory limit", text, {}};
  return {Finding::kNote, "Memory limit", text,
          "a recording takes up to 0.8 GB beside the program: raise the container's limit"};
}

Finding disk(const fs::path& folder) {
  struct statvfs room{};
  const std::string name = fs::absolute(folder).lexically_normal().string();
  if (statvfs(folder.c_str(), &room) != 0 || access(folder.c_str(), W_OK) != 0) {
    return {Finding::kProblem, "Disk", fmt::format("{} cannot be written to", name), "choose another folder with -o"};
  }
  const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
  const std::string text = fmt::format("{} free in {}", formatBytes(free), name);
  if (free < 200 * kMegabyte) return {Finding::kProblem, "Disk", text, "make room, or choose another folder with -o"};
  if (free < 5000 * kMegabyte)
    return {Finding::kNote, "Disk", text, "a minute of a launch-bound program takes some 2 GB"};
  return {Finding::kGood, "Disk", text, {}};
}

}  // namespace

std::vector<Finding> examine(const Surroundings& around) {
  const fs::path& root = around.root;
  const Finding cpu = samples(root);
  return {driver(root), devices(root), cupti(around),      recorder(around),   otherTool(around), counters(root),
          cpu,          switches(cpu), pythonStacks(root), sharedMemory(root), memoryLimit(root), disk(around.folder)};
}

}  // namespace lanescope::launch
