// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/cpu_events.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>

#include "collector/wire/perf.h"

namespace lanescope::sample {
namespace {

constexpr std::uint32_t kStackBytes = 8192;  ///< of each DWARF sample; a multiple of 8
constexpr std::size_t kMostRingPages = 512, kLeastRingPages = 8;
constexpr std::size_t kManyCpus = 32;

int perfEventOpen(const perf_event_attr& attr, pid_t process, int cpu) {
  constexpr unsigned long kCloseOnExec = PERF_FLAG_FD_CLOEXEC;
  return static_cast<int>(syscall(SYS_perf_event_open, &attr, process, cpu, -1, kCloseOnExec));
}

std::string firstLine(const char* path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

constexpr bool canUnwind() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

/// What all events have: records of one layout.
perf_event_attr common() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.disabled = 1;
  attr.sample_type = wire::kPerfSampleId;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  return attr;
}

void askForMaps(perf_event_attr& attr, bool buildIds) {
  attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
  attr.build_id = buildIds;
}

void setStacks(perf_event_attr& attr, StackKind kind) {
  attr.sample_type &=
      ~std::uint64_t{PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER};
  attr.branch_sample_type = attr.sample_regs_user = attr.sample_stack_user = 0;
  if (kind == StackKind::kNone) return;
  attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
  if (kind == StackKind::kLbr) {
    attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
    attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK;
  }
  if (kind == StackKind::kDwarf) {
    attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    attr.sample_regs_user = wire::kPerfRegisters;
    attr.sample_stack_user = kStackBytes;
  }
}

/// What is in use; all that there are where /sys does not tell.
std::vector<std::uint32_t> cpusOnline() {
  std::vector<std::uint32_t> cpus = cpusOf(firstLine("/sys/devices/system/cpu/online"));
  const long number = cpus.empty() ? std::max(sysconf(_SC_NPROCESSORS_CONF), 1L) : 0;
  for (long cpu = 0; cpu < number; ++cpu) cpus.push_back(static_cast<std::uint32_t>(cpu));
  return cpus;
}

bool isForbidden(int error) { return error == EACCES || error == EPERM; }

}  // namespace

std::vector<std::uint32_t> cpusOf(std::string_view list) {
  constexpr std::uint32_t kMost = 8192;
  std::vector<std::uint32_t> cpus;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), part.size() + 1));
    std::uint32_t first = 0;
    const char* const begin = part.data();
    const char* const end = begin + part.size();
    const auto read = std::from_chars(begin, end, first);
    if (read.ec != std::errc()) continue;
    std::uint32_t last = first;
    if (read.ptr != end && *read.ptr == '-') std::from_chars(read.ptr + 1, end, last);
    for (std::uint32_t cpu = first; cpu <= last && cpu < kMost && cpus.size() < kMost; ++cpu) cpus.push_back(cpu);
  }
  return cpus;
}

Place placeHere() {
  Place place{.paranoid = firstLine("/proc/sys/kernel/perf_event_paranoid"), .program = "lanescope"};
  constexpr std::size_t kLongest = 4096;
  std::string path(kLongest, '\0');
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  path.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  if (!path.empty()) place.program = path.find(' ') == std::string::npos ? path : "'" + path + "'";
  constexpr std::string_view kWhole = "4294967295";  // all users: no namespace
  const std::string users = firstLine("/proc/self/uid_map");
  place.isContainer = access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0 ||
                      std::getenv("container") != nullptr || (!users.empty() && !users.ends_with(kWhole));
  return place;
}

std::string whyRefused(int error, const Place& place, CpuRight wanted) {
  const char* const start = "start it with --cap-add=PERFMON, or with --security-opt seccomp=unconfined";
  const std::string setting = "sudo sysctl kernel.perf_event_paranoid=" + std::to_string(static_cast<int>(wanted));
  int level = 0;
  std::from_chars(place.paranoid.data(), place.paranoid.data() + place.paranoid.size(), level);
  std::string why;
  switch (error) {
    case EACCES:
      if (level <= static_cast<int>(wanted)) {
        why.append("perf_event_open is forbidden although kernel.perf_event_paranoid is ").append(place.paranoid);
        if (place.isContainer) return why.append(": the container does so: ").append(start);
        return why.append(
            ": a security module (SELinux, AppArmor) or a seccomp filter does so: allow it there, or run "
            "lanescope as root");
      }
      why.append("kernel.perf_event_paranoid is ").append(place.paranoid).append(": ");
      if (place.isContainer) {
        return why.append("on the host: ").append(setting).append(", or start the container with --cap-add=PERFMON");
      }
      why.append(setting).append(", or give the capability: sudo setcap cap_perfmon,cap_syslog+ep ");
      return why.append(place.program);
    case EPERM:
      if (wanted == CpuRight::kKernel) return "the kernel is locked down (/sys/kernel/security/lockdown)";
      return why.append("this container forbids perf_event_open: ").append(start);
    case ENOSYS:
      return "this kernel was built without perf events";
    case EMFILE:
    case ENFILE:
      return "too many files are open: raise the limit (ulimit -n)";
    default:
      return std::strerror(error);
  }
}

int mayRecordCpu(CpuRight wanted) {
  perf_event_attr attr = common();
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.exclude_kernel = wanted == CpuRight::kProgram;
  const int event =
      perfEventOpen(attr, wanted == CpuRight::kEverything ? -1 : 0, wanted == CpuRight::kEverything ? 0 : -1);
  if (event < 0) return errno;
  ::close(event);
  return 0;
}

bool namesKernel(const std::string& kallsyms) {
  std::ifstream in(kallsyms);
  for (std::string line; std::getline(in, line);) {
    // "ADDRESS TYPE NAME"; those of variables of a CPU begin at 0 for everybody.
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos || line.size() < blank + 2) continue;
    if (line[blank + 1] == 't' || line[blank + 1] == 'T') return line.find_first_not_of('0') < blank;
  }
  return true;
}

CpuEvents& CpuEvents::operator=(CpuEvents&& other) noexcept {
  std::swap(attr_, other.attr_);
  std::swap(samples_, other.samples_);
  std::swap(switches_, other.switches_);
  std::swap(isSystemWide_, other.isSystemWide_);
  std::swap(buildIds_, other.buildIds_);
  std::swap(begins_, other.begins_);
  std::swap(stacks_, other.stacks_);
  std::swap(samplesPerBacktrace_, other.samplesPerBacktrace_);
  rings_.swap(other.rings_);
  troubles_.swap(other.troubles_);
  whyNoSamples_.swap(other.whyNoSamples_);
  return *this;
}

CpuEvents::~CpuEvents() { close(); }

void CpuEvents::close() {
  unmapRings();
  for (const CpuRing& ring : rings_) {
    for (const int event : {ring.maps, ring.work}) {
      if (event >= 0) ::close(event);
    }
  }
  rings_.clear();
}

void CpuEvents::enable() const {
  for (const CpuRing& ring : rings_) ioctl(ring.work, PERF_EVENT_IOC_ENABLE, 0);
}

void CpuEvents::disable() const {
  for (const CpuRing& ring : rings_) ioctl(ring.work, PERF_EVENT_IOC_DISABLE, 0);
}

std::uint64_t CpuEvents::bytesPerSecond() const {
  constexpr std::uint64_t kSample = 256, kClock = 1'000'000'000, kSwitches = 500'000;
  const std::uint64_t sample = kSample + (stacks_ == StackKind::kDwarf ? kStackBytes : 0);
  const std::uint64_t hertz = !samples_    ? 0
                              : attr_.freq ? attr_.sample_freq
                                           : kClock / std::max<std::uint64_t>(attr_.sample_period, 1);
  return hertz * sample + (switches_ ? kSwitches : 0);
}

int CpuEvents::openOne(perf_event_attr attr, pid_t process, int cpu, bool begins) const {
  if (!isSystemWide_) {
    attr.inherit = 1;
    attr.enable_on_exec = begins;
  }
  return perfEventOpen(attr, isSystemWide_ ? -1 : process, cpu);
}

/// 0 if such an event could be opened, else why not.
int CpuEvents::probe(const perf_event_attr& attr, pid_t process) const {
  int why = ENODEV;
  for (const std::uint32_t cpu : cpusOnline()) {
    const int event = openOne(attr, process, static_cast<int>(cpu), false);
    why = event < 0 ? errno : 0;
    if (event >= 0) ::close(event);
    if (why != ENODEV) return why;
  }
  return why;
}

/// Chooses what attr_ is of. False if nothing is to be had.
bool CpuEvents::settle(const CpuSettings& settings, pid_t process) {
  const auto note = [&](bool isFallback, std::string text) { troubles_.push_back({isFallback, std::move(text)}); };
  const Place place = placeHere();
  isSystemWide_ = settings.samples == CpuScope::kSystemWide || settings.switches == CpuScope::kSystemWide;
  samples_ = settings.samples != CpuScope::kNone;
  switches_ = settings.switches != CpuScope::kNone;

  attr_ = common();
  attr_.type = PERF_TYPE_SOFTWARE;
  attr_.config = PERF_COUNT_SW_DUMMY;
  int why = probe(attr_, process);
  int notAll = 0, notKernel = 0;
  if (isForbidden(why) && isSystemWide_) {
    notAll = why;
    isSystemWide_ = false;
    why = probe(attr_, process);
  }
  if (isForbidden(why)) {
    notKernel = why;
    attr_.exclude_kernel = 1;
    why = probe(attr_, process);
  }
  if (why != 0) {
    refuse(whyRefused(why, place, notAll != 0 ? CpuRight::kEverything : CpuRight::kProgram));
    return false;
  }
  if (notAll != 0) {
    note(true, std::string("not all processes but only those of the program") +
                   (samples_ && notKernel != 0 ? ", not within the kernel: " : ": ") +
                   whyRefused(notAll, place, CpuRight::kEverything));
  } else if (samples_ && notKernel != 0) {
    note(true, "no CPU samples within the kernel: " + whyRefused(notKernel, place, CpuRight::kKernel));
  }
  if (samples_ && notKernel == 0 && !namesKernel()) {
    note(true, "the functions of the kernel have no names: sudo sysctl kernel.kptr_restrict=0");
  }
  perf_event_attr maps = attr_;
  askForMaps(maps, true);
  buildIds_ = probe(maps, process) == 0;  // since Linux 5.12
  attr_.context_switch = switches_;
  if (switches_ && probe(attr_, process) != 0) {
    attr_.context_switch = switches_ = false;
    note(false, "no context switches: this kernel does not tell them");
  }
  if (!samples_) return switches_;

  attr_.sample_type |= PERF_SAMPLE_IP;
  attr_.exclude_idle = 1;
  attr_.freq = settings.period == 0;
  if (settings.period == 0) attr_.sample_freq = settings.frequency;
  else attr_.sample_period = settings.period;
  perf_event_attr dummy = attr_;
  attr_.type = PERF_TYPE_HARDWARE;
  attr_.config = PERF_COUNT_HW_CPU_CYCLES;
  if (probe(attr_, process) != 0) {
    attr_.type = PERF_TYPE_SOFTWARE;
    attr_.config = PERF_COUNT_SW_CPU_CLOCK;
    why = probe(attr_, process);
    if (why == 0) {
      note(true, "CPU samples by the clock: this machine has no counter of CPU cycles, or does not give it away");
    } else {
      whyNoSamples_ = whyRefused(why, place, isSystemWide_ ? CpuRight::kEverything : CpuRight::kProgram);
      note(false, "no CPU samples: " + whyNoSamples_);
      samples_ = false;
      attr_ = dummy;
      return switches_;
    }
  }
  std::vector<StackKind> kinds{StackKind::kLbr, StackKind::kDwarf, StackKind::kFramePointers, StackKind::kNone};
  if (settings.stacks) kinds = {*settings.stacks, StackKind::kDwarf, StackKind::kFramePointers, StackKind::kNone};
  for (const StackKind kind : kinds) {
    if (kind == StackKind::kDwarf && !canUnwind()) continue;
    perf_event_attr with = attr_;
    setStacks(with, kind);
    if (kind == StackKind::kLbr && !isOfHardware()) continue;
    if (probe(with, process) != 0) continue;
    attr_ = with;
    stacks_ = kind;
    break;
  }
  if (settings.stacks && stacks_ != *settings.stacks) {
    note(true, std::string("--backtrace=") + nameOf(*settings.stacks) + ": not on this machine; stacks by " +
                   nameOf(stacks_));
  }
  constexpr std::uint32_t kEachWithDwarf = 4;  // a copy of the stack costs
  samplesPerBacktrace_ = settings.samplesPerBacktrace > 0 ? settings.samplesPerBacktrace
                         : stacks_ == StackKind::kDwarf   ? kEachWithDwarf
                                                          : 1;
  return true;
}

void CpuEvents::refuse(const std::string& why) {
  const std::string what = samples_ && switches_ ? "no CPU samples and no context switches"
                           : samples_            ? "no CPU samples"
                                                 : "no context switches";
  if (samples_) whyNoSamples_ = why;
  troubles_.push_back({false, what + ": " + why});
  samples_ = switches_ = false;
}

CpuEvents CpuEvents::open(const CpuSettings& settings, pid_t process, bool begins, bool pauses) {
  CpuEvents events;
  events.begins_ = begins;
  if (!settings.any() || !events.settle(settings, process)) return events;
  int why = 0;
  for (const std::uint32_t cpu : cpusOnline()) {
    why = events.addCpu(cpu, process, begins, pauses);
    if (why == ENODEV) why = 0;  // went offline meanwhile
    if (why != 0) break;
  }
  // What a user may lock is counted together: a larger ring for the first CPUs would leave nothing for the last.
  std::size_t pages = events.rings_.size() > kManyCpus ? kMostRingPages / 4 : kMostRingPages;
  bool mapped = false;
  const bool isOpen = why == 0;
  while (why == 0 && !(mapped = events.mapRings(pages)) && (errno == EPERM || errno == ENOMEM)) {
    pages /= 2;
    if (pages < kLeastRingPages) break;
  }
  if (why == 0 && !mapped) why = errno;
  if (why != 0) {
    events.close();
    const bool noRoom = isOpen && (why == EPERM || why == ENOMEM);
    events.refuse(noRoom ? "the memory that this user may lock is used up: sudo sysctl "
                           "kernel.perf_event_mlock_kb=2048, or end other profilers"
                         : whyRefused(why, placeHere(), CpuRight::kProgram));
    return events;
  }
  for (const CpuRing& ring : events.rings_) {
    if (!events.isSystemWide_) break;
    if (begins) ioctl(ring.work, PERF_EVENT_IOC_ENABLE, 0);
    if (pauses) ioctl(ring.maps, PERF_EVENT_IOC_ENABLE, 0);
  }
  return events;
}

/// 0, or why not.
int CpuEvents::addCpu(std::uint32_t cpu, pid_t process, bool begins, bool pauses) {
  CpuRing ring{.cpu = cpu};
  perf_event_attr work = attr_, maps = common();
  maps.type = PERF_TYPE_SOFTWARE;
  maps.config = PERF_COUNT_SW_DUMMY;
  maps.exclude_kernel = attr_.exclude_kernel;
  askForMaps(pauses ? maps : work, buildIds_);
  ring.work = openOne(work, process, static_cast<int>(cpu), begins);
  if (ring.work < 0) return errno;
  if (pauses) ring.maps = openOne(maps, process, static_cast<int>(cpu), true);
  if (pauses && ring.maps < 0) {
    const int why = errno;
    ::close(ring.work);
    return why;
  }
  rings_.push_back(ring);
  return 0;
}

/// All or none; false with errno.
bool CpuEvents::mapRings(std::size_t pages) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (CpuRing& ring : rings_) {
    void* const at = mmap(nullptr, (pages + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, ring.work, 0);
    const bool isMapped = at != MAP_FAILED;
    if (isMapped) ring.page = static_cast<perf_event_mmap_page*>(at), ring.bytes = pages * page;
    if (isMapped && (ring.maps < 0 || ioctl(ring.maps, PERF_EVENT_IOC_SET_OUTPUT, ring.work) == 0)) continue;
    const int why = errno;
    unmapRings();
    errno = why;
    return false;
  }
  return true;
}

void CpuEvents::unmapRings() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (CpuRing& ring : rings_) {
    if (ring.page) munmap(ring.page, page + ring.bytes);
    ring.page = nullptr;
  }
}

}  // namespace lanescope::sample
