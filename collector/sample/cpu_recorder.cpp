// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/cpu_recorder.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include "collector/sample/chunk_file.h"
#include "collector/sample/control_view.h"
#include "collector/sample/cpu_existing.h"
#include "collector/wire/perf.h"

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr const char* kFile = "/cpu.perf";

/// The fields of a sample that stand behind its PerfId, from the front.
class Fields {
 public:
  Fields(std::string_view record, std::size_t at) : record_(record), at_(std::min(at, record.size())) {}

  std::uint64_t next() {
    std::uint64_t value = 0;
    if (record_.size() - at_ >= sizeof value) std::memcpy(&value, record_.data() + at_, sizeof value);
    skip(sizeof value);
    return value;
  }
  void skip(std::uint64_t bytes) { at_ += std::min<std::uint64_t>(bytes, record_.size() - at_); }
  std::size_t at() const { return at_; }

 private:
  std::string_view record_;
  std::size_t at_;
};

void append(std::string& to, std::uint64_t value) { to.append(reinterpret_cast<const char*>(&value), sizeof value); }

}  // namespace

StackThinner::StackThinner(const perf_event_attr& attr, std::uint32_t samplesPerBacktrace)
    : type_(attr.sample_type),
      registers_(attr.sample_regs_user),
      each_(std::max(samplesPerBacktrace, 1u)),
      counts_(each_ > 1 ? 1u << 16 : 1) {}

bool StackThinner::isWanted(std::uint32_t thread) {
  if (each_ == 1) return true;
  std::uint8_t& count = counts_[thread % counts_.size()];
  if (count-- != 0) return false;
  count = static_cast<std::uint8_t>(each_ - 1);
  return true;
}

void StackThinner::add(std::string_view record, std::string& to) {
  perf_event_header header;
  std::memcpy(&header, record.data(), sizeof header);
  constexpr std::size_t kFront = sizeof header + sizeof(std::uint64_t) + sizeof(wire::PerfId);
  if (header.type != PERF_RECORD_SAMPLE || record.size() < kFront || (type_ & PERF_SAMPLE_CALLCHAIN) == 0) {
    to += record;
    return;
  }
  wire::PerfId id;
  std::memcpy(&id, record.data() + sizeof header + sizeof(std::uint64_t), sizeof id);
  const std::size_t begin = to.size();
  const bool isWhole = isWanted(id.thread);
  Fields fields(record, kFront);
  fields.skip(fields.next() * sizeof(std::uint64_t));
  const std::size_t chainEnd = fields.at();
  to += record.substr(0, isWhole ? chainEnd : kFront);
  if (!isWhole) append(to, 0);
  if ((type_ & PERF_SAMPLE_BRANCH_STACK) != 0) {
    const std::size_t at = fields.at();
    fields.skip(fields.next() * sizeof(perf_branch_entry));
    if (isWhole) to += record.substr(at, fields.at() - at);
    else append(to, 0);
  }
  if ((type_ & PERF_SAMPLE_REGS_USER) != 0) {
    const std::size_t at = fields.at();
    const auto count = static_cast<std::uint64_t>(std::popcount(registers_));
    if (fields.next() != PERF_SAMPLE_REGS_ABI_NONE) fields.skip(count * sizeof(std::uint64_t));
    if (isWhole) to += record.substr(at, fields.at() - at);
    else append(to, PERF_SAMPLE_REGS_ABI_NONE);
  }
  if ((type_ & PERF_SAMPLE_STACK_USER) != 0) {
    const std::uint64_t size = fields.next();
    const std::size_t at = fields.at();
    fields.skip(size);
    const std::uint64_t filled = size > 0 ? std::min<std::uint64_t>(fields.next(), fields.at() - at) & ~7ull : 0;
    const std::uint64_t kept = isWhole ? std::min(filled, size) : 0;
    append(to, kept);
    if (kept > 0) {
      to += record.substr(at, kept);
      append(to, kept);
    }
  }
  header.size = static_cast<std::uint16_t>(to.size() - begin);
  std::memcpy(to.data() + begin, &header, sizeof header);
}

struct CpuRecorder::Work {
  explicit Work(CpuEvents of) : events(std::move(of)), thinner(events.attr(), events.samplesPerBacktrace()) {}

  void run();
  void describe();
  void drain();
  void drain(const CpuRing& ring);
  void mark(bool began, std::uint64_t time);

  CpuEvents events;
  std::vector<CpuEvents::Trouble> troubles;
  StackThinner thinner;
  ChunkFile file;
  std::unique_ptr<ControlView> control;
  std::string records, straddling;
  std::thread thread;
};

CpuRecorder::CpuRecorder() = default;
CpuRecorder::CpuRecorder(CpuEvents events) : work_(std::make_unique<Work>(std::move(events))) {
  work_->troubles = work_->events.troubles();
}
CpuRecorder::CpuRecorder(CpuRecorder&& other) noexcept = default;
CpuRecorder& CpuRecorder::operator=(CpuRecorder&& other) noexcept = default;
CpuRecorder::~CpuRecorder() {
  if (work_ && work_->thread.joinable()) work_->thread.join();
}

const std::vector<CpuEvents::Trouble>& CpuRecorder::troubles() const {
  static const std::vector<CpuEvents::Trouble> kNone;
  return work_ ? work_->troubles : kNone;
}

std::size_t CpuRecorder::sources() const { return work_ && work_->thread.joinable() ? 1 : 0; }

void CpuRecorder::record(const std::string& session) {
  if (!work_ || (work_->events.empty() && work_->troubles.empty())) return;
  if (!work_->file.create(session + kFile)) {
    work_->troubles.push_back(
        {false, "no CPU samples and no context switches: " + session + ": " + std::strerror(errno)});
    return;
  }
  work_->describe();
  if (work_->events.empty()) return;
  if (work_->events.isSystemWide()) work_->file.write(wire::ChunkType::kPerf, recordsOfExisting());
  work_->control = std::make_unique<ControlView>(session);
  // Signals are for the thread that waits for the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    work_->thread = std::thread([work = work_.get()] { work->run(); });
  } catch (const std::system_error& error) {
    work_->troubles.push_back({false, std::string("no CPU samples and no context switches: ") + error.what()});
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void CpuRecorder::finish() {
  if (!work_) return;
  if (work_->thread.joinable()) work_->thread.join();
  work_->events = CpuEvents();
}

void CpuRecorder::Work::describe() {
  std::string lines;
  const auto add = [&](const char* name, const std::string& value) { lines += std::string(name) + "=" + value + "\n"; };
  const perf_event_attr& attr = events.attr();
  if (!events.empty()) {
    add("sample-type", std::to_string(attr.sample_type));
    add("registers", std::to_string(attr.sample_regs_user));
    add("samples", events.hasSamples() ? "1" : "0");
    add("switches", events.hasSwitches() ? "1" : "0");
    add("scope", events.isSystemWide() ? "system-wide" : "process-tree");
    add("trigger", !events.hasSamples() ? "none" : events.isOfHardware() ? "cycles" : "cpu-clock");
    add(attr.freq ? "frequency" : "period", std::to_string(attr.freq ? attr.sample_freq : attr.sample_period));
    add("kernel", events.hasKernel() ? "1" : "0");
    add("backtrace", nameOf(events.stacks()));
    add("samples-per-backtrace", std::to_string(events.samplesPerBacktrace()));
    add("cpus", std::to_string(events.rings().size()));
  }
  for (const CpuEvents::Trouble& trouble : troubles) add(trouble.isFallback ? "fallback" : "missing", trouble.text);
  file.write(wire::ChunkType::kFacts, lines);
}

void CpuRecorder::Work::mark(bool began, std::uint64_t time) {
  file.write(wire::ChunkType::kFacts, std::string(began ? "began=" : "ended=") + std::to_string(time) + "\n");
}

void CpuRecorder::Work::drain(const CpuRing& ring) {
  constexpr std::size_t kChunk = 1u << 20;
  const char* const data = reinterpret_cast<const char*>(ring.page) + ring.page->data_offset;
  const std::uint64_t head = std::atomic_ref(ring.page->data_head).load(std::memory_order_acquire);
  std::uint64_t tail = ring.page->data_tail;
  const std::size_t mask = ring.bytes - 1;
  records.clear();
  while (tail < head) {
    perf_event_header header;
    std::memcpy(&header, data + (tail & mask), sizeof header);  // never wraps: records are a multiple of 8 bytes
    if (header.size < sizeof header || header.size > head - tail) break;  // the kernel does not write such
    const std::size_t at = tail & mask, first = std::min<std::size_t>(header.size, ring.bytes - at);
    std::string_view record(data + at, first);
    if (first < header.size) {
      straddling.assign(record).append(data, header.size - first);
      record = straddling;
    }
    thinner.add(record, records);
    tail += header.size;
    if (records.size() >= kChunk) {
      std::atomic_ref(ring.page->data_tail).store(tail, std::memory_order_release);
      file.add(wire::ChunkType::kPerf, records, ring.cpu);
      file.write();
      records.clear();
    }
  }
  std::atomic_ref(ring.page->data_tail).store(std::max(tail, head), std::memory_order_release);
  if (!records.empty()) file.add(wire::ChunkType::kPerf, records, ring.cpu);
}

void CpuRecorder::Work::drain() {
  for (const CpuRing& ring : events.rings()) drain(ring);
  file.write();
}

void CpuRecorder::Work::run() {
  // Where it does not run for a tenth of a second, samples are lost; root may have it preferred, others go without.
  constexpr int kPreferred = -10;
  [[maybe_unused]] const int ignored = setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kPreferred);
  // A ring is to be a quarter full at most when it is looked at.
  const std::uint64_t filling =
      events.rings().front().bytes * 1'000'000'000 / std::max<std::uint64_t>(events.bytesPerSecond(), 1);
  const std::uint64_t between = std::clamp(filling / 4, kMillisecond, 20 * kMillisecond);
  constexpr std::uint64_t kOffBetween = 100 * kMillisecond;

  bool on = events.begins();
  if (on) mark(true, 0);
  std::uint32_t answered = control->flushAsked();
  for (;;) {
    const std::uint32_t seen = control->seen();
    const std::uint32_t asked = control->flushAsked();  // before the capture, whose end nobody answers
    const wire::Capture capture = control->capture();
    if ((capture == wire::Capture::kOn) != on) {
      on = !on;
      on ? events.enable() : events.disable();
      const std::uint64_t now = readClock(CLOCK_MONOTONIC), changed = control->changed();
      mark(on, changed > 0 ? std::min(changed, now) : now);
    }
    drain();
    const bool ends = capture == wire::Capture::kEnded;
    if (ends) break;
    if (asked != answered) control->flushed();
    answered = asked;
    control->wait(seen, on ? between : kOffBetween);
  }
  file.write(wire::ChunkType::kFacts, "unwritten=" + std::to_string(file.unwritten()) + "\n");
  file.write(wire::ChunkType::kEnd, {});
}

}  // namespace lanescope::sample
