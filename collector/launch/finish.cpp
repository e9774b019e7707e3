// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "collector/launch/finish_calls.h"
#include "collector/launch/finish_cpu_timers.h"
#include "collector/launch/finish_gil.h"
#include "collector/launch/finish_gpu.h"
#include "collector/launch/finish_left_out.h"
#include "collector/launch/finish_losses.h"
#include "collector/launch/finish_memory.h"
#include "collector/launch/finish_metrics.h"
#include "collector/launch/finish_mpi.h"
#include "collector/launch/finish_nvtx.h"
#include "collector/launch/finish_os.h"
#include "collector/launch/finish_perf.h"
#include "collector/launch/finish_python.h"
#include "collector/launch/finish_target.h"
#include "collector/launch/given.h"
#include "collector/launch/libraries.h"
#include "collector/wire/session.h"
#include "model/format.h"
#include "model/utf8.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostFactBytes = 16u << 20;

FactLines readFacts(const fs::path& path) {
  FactLines facts;
  if (const auto file = InputFile::open(path)) {
    std::string text(std::min(file->size(), kMostFactBytes), '\0');
    text.resize(file->read(0, text.data(), text.size()));
    facts.add(text);
  }
  return facts;
}

std::uint64_t sizeOf(const Take::FileSizes& sizes, const fs::path& file) {
  const auto found = sizes.find(file.filename().string());
  return found != sizes.end() ? found->second : 0;
}

class Finisher {
 public:
  /// `share`: 1 for all, N for the first 1/N of what each process recorded, 0 for none of its events.
  Finisher(const fs::path& session, FactLines facts, report::Writer& writer, const Job& job, const Part& part,
           std::uint64_t share)
      : session_(session), writer_(writer), job_(job), part_(part), share_(share), facts_(std::move(facts)) {}

  Result<void> run();
  FinishResult result() && { return std::move(result_); }

 private:
  Result<void> openStreams();
  SessionStart sessionStart() const;
  bool summarizeAll();
  bool traces(std::string_view what) const { return options_.text("trace").find(what) != std::string_view::npos; }
  /// "; ranges seen: train@app, step", for who spelled the capture range otherwise.
  std::string rangesSeen() const;
  bool writeEvents(Process& process);
  bool writeSamples(const GpuIds& gpus);
  bool writePython();
  bool writeCpu(const CaptureWindows& all, bool nothing);
  /// How much of it lies before the part, so that what was lost then is not lost in the part.
  std::uint64_t sizeBefore(const ProcessStream& stream) const {
    return part_.take ? sizeOf(part_.take->sizesBefore, stream.path()) : 0;
  }
  /// The stretches that belong to the part; `all` those of every process.
  void narrow(Process& process, const CaptureWindows& all) const;
  /// Bytes of records to write of a process.
  std::uint64_t mostOf(const ProcessStream& stream) const {
    return share_ == 1 ? ~std::uint64_t{0} : share_ == 0 ? 0 : stream.size() / share_;
  }
  /// What --max-size left out.
  void writeSizeLimit();
  void writeWhole(const SessionStart& start, const GpuIds& gpus);
  /// A callback that reports progress within one walk over a process.
  std::function<bool(std::uint64_t)> progress(const char* step);
  tl::unexpected<Error> stopped() const {
    return tl::unexpected(writer_.error().value_or(Error{ErrorCode::kCancelled, session_.string(), {}}));
  }

  const fs::path& session_;
  report::Writer& writer_;
  const Job& job_;
  const Part& part_;
  const std::uint64_t share_;
  std::uint64_t cut_ = 0;  ///< records left out for want of room
  FactLines facts_, options_;
  Processes processes_;
  std::optional<PerfRecording> perf_;
  report::Id timerSamples_ = 0;  ///< that the program took itself
  Processes samplers_;  ///< a file for each GPU whose metrics were sampled
  std::unique_ptr<Process> pythonSampler_;
  std::optional<PythonRecording> python_;  ///< what that sampled
  std::uint64_t bytes_ = 0, done_ = 0;
  std::uint64_t nvtxCalls_ = 0;  ///< seen, recorded or not
  OsCounts osCounts_;
  report::Id cudaStackCount_ = 0;
  std::optional<StackNames> stacks_;  ///< of all who write some
  Losses losses_;
  FinishResult result_;
};

void Finisher::narrow(Process& process, const CaptureWindows& all) const {
  if (part_.capture) process.windows = all.only(*part_.capture);
  if (!part_.take) return;
  process.begins = minus(part_.take->begin, process.zero);
  process.windows.set(process.begins, minus(part_.take->end, process.zero));
}

Result<void> Finisher::openStreams() {
  std::error_code failed;
  fs::directory_iterator entries(session_, failed);
  if (failed) return tl::unexpected(Error{ErrorCode::kNotFound, session_.string(), failed.message()});
  std::vector<fs::path> paths;
  for (; entries != fs::directory_iterator(); entries.increment(failed)) {
    const fs::path ending = entries->path().extension();
    if (ending == ".stream" || ending == ".metrics" || ending == ".perf" || ending == ".samples")
      paths.push_back(entries->path());
    if (failed) break;
  }
  for (const fs::path& path : paths) {
    const fs::path ending = path.extension();
    auto stream = ProcessStream::open(path);
    if (!stream) {
      writeIssue(writer_, "stream-unreadable", 1, sentence(stream.error()), losses_);
      continue;
    }
    if (part_.take && part_.take->sizes) {
      const std::uint64_t size = sizeOf(*part_.take->sizes, path);
      if (size != Take::kEndless) stream->endAt(size);
    }
    bytes_ += stream->size();
    if (ending == ".perf") perf_.emplace(std::move(*stream));
    else if (ending == ".samples") pythonSampler_ = std::make_unique<Process>(std::move(*stream));
    else (ending == ".stream" ? processes_ : samplers_).push_back(std::make_unique<Process>(std::move(*stream)));
  }
  for (Processes* all : {&processes_, &samplers_}) {
    std::sort(all->begin(), all->end(), [](const auto& a, const auto& b) {
      return std::pair(a->stream.time(), a->stream.pid()) < std::pair(b->stream.time(), b->stream.pid());
    });
  }
  return {};
}

std::function<bool(std::uint64_t)> Finisher::progress(const char* step) {
  return [this, step](std::uint64_t done) {
    const double whole = 2.0 * static_cast<double>(std::max<std::uint64_t>(bytes_, 1));
    job_.progress(std::min(1.0, static_cast<double>(done_ + done) / whole), step);
    return !job_.cancelled() && !writer_.error();
  };
}

std::string Finisher::rangesSeen() const {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> seen;
  for (const auto& process : processes_) {
    for (const auto& [name, value] : process->facts.all()) {
      const bool isNew = name == "range-seen" && std::find(seen.begin(), seen.end(), value) == seen.end();
      if (isNew && seen.size() < kMost) seen.push_back(value);
    }
  }
  return seen.empty() ? "" : fmt::format("; ranges seen: {}", fmt::join(seen, ", "));
}

bool Finisher::summarizeAll() {
  std::map<std::uint64_t, Process*> byPid;
  for (const auto& process : processes_) {
    if (!process->summarize(progress("Reading the recording"), sizeBefore(process->stream))) return false;
    done_ += process->stream.size();
    Process*& before = byPid[process->pid];
    if (before) {
      before->replaced = true;
      process->image = std::min<std::int64_t>(before->image + 1, 0x3FFF);
    }
    const auto parent = process->facts.number("ppid");
    const auto found = parent ? byPid.find(static_cast<std::uint64_t>(*parent)) : byPid.end();
    if (found != byPid.end() && found->second != process.get()) process->forkedFrom = found->second;
    before = process.get();
  }
  for (const auto& sampler : samplers_) {
    if (!sampler->summarize(progress("Reading the recording"), sizeBefore(sampler->stream))) return false;
    done_ += sampler->stream.size();
  }
  if (pythonSampler_) {
    Process& sampler = *pythonSampler_;
    if (!sampler.summarize(progress("Reading the recording"), sizeBefore(sampler.stream))) return false;
    done_ += sampler.stream.size();
  }
  if (perf_) {
    if (!perf_->summarize(progress("Reading the recording"), sizeBefore(perf_->stream))) return false;
    done_ += perf_->stream.size();
  }
  return true;
}

SessionStart Finisher::sessionStart() const {
  SessionStart start;
  std::optional<trace::Ns> first = facts_.number("start-monotonic");
  const ClockMap* clock = nullptr;
  for (const auto& process : processes_) {
    if (!clock && !process->clock.empty()) clock = &process->clock;
  }
  if (!first) {
    for (const auto& process : processes_)
      if (const auto time = process->firstTime()) first = std::min(first.value_or(*time), *time);
  }
  start.monotonic = std::clamp<trace::Ns>(first.value_or(0), 0, trace::kMaxTime);
  const trace::Ns offset = clock ? clock->firstOffset() : 0;
  start.realtime = facts_.number("start-realtime").value_or(clock ? start.monotonic + offset : 0);
  return start;
}

bool Finisher::writeEvents(Process& process) {
  GpuRows gpu(process, writer_);
  MemoryRows memory(process, writer_);
  CudaStacks cudaStacks(process, writer_, *stacks_, cudaStackCount_);
  CallRows calls(process, writer_, cudaStacks, options_.text("cuda-trace-all-apis") == "1");
  const AskedLibraries libraries(splitList(options_.text("libraries")));
  NvtxRows nvtx(process, writer_, libraries);
  OsRows os(process, writer_, *stacks_, static_cast<std::size_t>(options_.number("osrt-backtrace-depth").value_or(24)),
            options_.text("osrt-file-access") == "1", osCounts_);
  MpiRows mpi(process, writer_);
  CpuTimerRows timers(process, writer_, *stacks_, timerSamples_);
  auto runtime = pythonRuntimeIn(process.facts, process.pid);
  if (runtime.second == 0 && pythonSampler_) runtime = pythonRuntimeIn(pythonSampler_->facts, process.pid);
  GilRows gil(process, writer_, runtime);
  const bool onlyGil = options_.text("python-gil") == "1" && !traces("osrt");
  const auto take = [&](const Chunk& chunk, const Record& record) {
    if (record.type == wire::RecordType::kOsCall) {
      gil.see(chunk.header.tid, record.as<wire::OsCall>());
      if (onlyGil) return;
    }
    if (os.take(chunk, record)) return;
    if (gpu.take(chunk, record) || calls.take(chunk, record) || nvtx.take(chunk, record)) return;
    if (memory.take(chunk, record) || mpi.take(chunk, record) || timers.take(record)) return;
    constexpr auto kFirstOwn = wire::RecordType::kCapture, kLastOwn = wire::RecordType::kThreadEnd;
    const bool summarized = record.type == wire::RecordType::kString || record.type == wire::RecordType::kContext ||
                            record.type == wire::RecordType::kStream || record.type == wire::RecordType::kDevice ||
                            (record.type >= kFirstOwn && record.type <= kLastOwn);
    process.unknownKinds += !summarized;
  };
  const std::uint64_t most = mostOf(process.stream);
  std::uint64_t read = 0;
  const bool whole = process.stream.walk({
      .chunk =
          [&](const Chunk& chunk) {
            if (chunk.header.type != wire::ChunkType::kRing && chunk.header.type != wire::ChunkType::kCupti) return;
            const bool fits = (read += chunk.records.size()) <= most;
            forEachRecord(chunk.records, [&](const Record& record) {
              if (fits) take(chunk, record);
              else cut_ += record.type != wire::RecordType::kString;
            });
          },
      .gap = [&](std::uint32_t slot) { nvtx.gap(slot); },
      .progress = progress("Writing the report"),
  });
  if (!whole) return false;
  calls.finish();
  nvtx.finish();
  nvtxCalls_ += nvtx.calls();
  gil.finish();
  os.finish();
  writeTarget(writer_, process);
  done_ += process.stream.size();
  result_.events += process.events;
  return true;
}

bool Finisher::writeSamples(const GpuIds& gpus) {
  if (!samplers_.empty()) writeMetricsSource(writer_);
  for (const auto& sampler : samplers_) {
    const auto device = sampler->devices.begin();
    const report::Id gpu = device != sampler->devices.end() ? gpus.of(device->second) : 0;
    if (!writeMetrics(writer_, *sampler, gpu, mostOf(sampler->stream), cut_, progress("Writing the report")))
      return false;
    done_ += sampler->stream.size();
    result_.events += sampler->events;
  }
  return true;
}

bool Finisher::writePython() {
  if (!pythonSampler_) return true;
  python_.emplace(*pythonSampler_, writer_);
  if (!python_->writeEvents(mostOf(pythonSampler_->stream), cut_, progress("Writing the report"))) return false;
  done_ += pythonSampler_->stream.size();
  result_.events += pythonSampler_->events;
  return true;
}

bool Finisher::writeCpu(const CaptureWindows& all, bool nothing) {
  result_.cpuSamples = static_cast<std::uint64_t>(timerSamples_);
  if (!perf_) return true;
  CaptureWindows windows;
  if (part_.capture) windows = all.only(*part_.capture);
  if (part_.take) windows.set(minus(part_.take->begin, perf_->zero), minus(part_.take->end, perf_->zero));
  if (nothing) windows.neverOpened();
  perf_->samples = timerSamples_;
  perf_->readMaps("/tmp", facts_.number("start-realtime").value_or(0));
  if (!perf_->writeEvents(writer_, *stacks_, python_ ? &*python_ : nullptr, windows, mostOf(perf_->stream), cut_,
                          progress("Writing the report")))
    return false;
  done_ += perf_->stream.size();
  result_.cpuSamples = static_cast<std::uint64_t>(perf_->samples);
  return true;
}

void Finisher::writeSizeLimit() {
  const std::string size = formatBytes(static_cast<std::uint64_t>(options_.number("max-size").value_or(0)));
  std::uint64_t gone = 0;
  trace::Ns from = 0;
  const auto count = [&](const wire::Cut& cut, trace::Ns time) {
    if (__builtin_add_overflow(gone, cut.events, &gone)) gone = ~std::uint64_t{0};
    if (cut.end > 0) from = std::max(from, time);
  };
  if (perf_) count(perf_->stream.cut(), minus(asTime(perf_->stream.cut().time), perf_->zero));
  if (pythonSampler_) count(pythonSampler_->stream.cut(), pythonSampler_->time(pythonSampler_->stream.cut().time));
  for (const Processes* all : {&processes_, &samplers_}) {
    for (const auto& process : *all) {
      count(process->stream.cut(), process->time(process->stream.cut().time));
    }
  }
  if (gone > 0) {
    writeIssue(
        writer_, "kept-newest", gone,
        fmt::format("--max-size={} kept the newest of the recording: {} earlier records are not here; it is whole "
                    "from {} on",
                    size, formatCount(gone), formatDuration(from)),
        losses_);
  }
  if (facts_.text("stopped-by") == "max size") {
    writeIssue(writer_, "max-size", 1,
               fmt::format("The recording reached --max-size={} and stopped there; what came later is not here", size),
               losses_);
  }
}

void Finisher::writeWhole(const SessionStart& start, const GpuIds& gpus) {
  writeSession(writer_, facts_, options_, start);
  writeGpus(writer_, processes_, samplers_, gpus);
  // Where the recording ended before its processes did, they could not end it in order and lost nothing by that.
  const std::string_view stoppedBy = facts_.text("stopped-by");
  const bool outlived = !stoppedBy.empty() && stoppedBy != "program";
  SilentEnds silent;
  // Workers without a GPU are often ended by a signal, and nothing of them is missing.
  const auto program = facts_.number("program-pid");
  const auto isMinor = [&](const Process& process) {
    return process.contexts.empty() && program && static_cast<std::uint64_t>(*program) != process.pid;
  };
  for (const auto& process : processes_) {
    if (!outlived && !process->ended && !process->replaced)
      sortEnd(*process, {isMinor(*process), traces("osrt"), facts_, perf_ ? &*perf_ : nullptr}, silent);
  }
  const std::size_t number = writeProcesses(writer_, processes_, facts_, outlived);
  if (perf_) {
    perf_->writeTasks(writer_, processes_, facts_, number);
    perf_->writeTrouble(writer_, options_.text("cpu-asked") == "1", losses_);
  }
  if (python_) {
    std::set<std::uint64_t> known;
    for (const auto& process : processes_) known.insert(process->pid);
    if (program) known.insert(static_cast<std::uint64_t>(*program));
    if (perf_) known.merge(perf_->seenProcesses());
    python_->writeProcesses(known);
    python_->writeTrouble(losses_);
  }
  for (const auto& process : processes_) {
    writeMessages(writer_, *process, losses_);
    writeLosses(writer_, *process, processes_.size() > 1, losses_);
  }
  writeSilentEnds(writer_, silent, losses_);
  for (const auto& sampler : samplers_) writeMetricsTrouble(writer_, *sampler, losses_);
  if (osCounts_.files.leftOut > 0) {
    writeIssue(
        writer_, "file-access-cut", osCounts_.files.leftOut,
        fmt::format("{} calls that touched files stand in OSRT_API alone; {} of a process are told apart by file",
                    formatCount(osCounts_.files.leftOut), formatCount(FileRows::kMost)),
        losses_);
  }
  if (captureNeverOpened(session_, options_))
    writeIssue(writer_, "capture-never-opened", 1,
               "The capture range never opened, so nothing was recorded: no " +
                   std::string(options_.text("capture") == "nvtx" ? "NVTX range of that name" : "cudaProfilerStart") +
                   " was seen" + rangesSeen(),
               losses_);
  const auto sawFullDisk = [](const auto& process) { return process->facts.find("disk-full").has_value(); };
  if (stoppedBy == "disk full" || std::any_of(processes_.begin(), processes_.end(), sawFullDisk)) {
    writeIssue(writer_, "disk-full", 1,
               "The disk was nearly full: recording stopped early, so that a report of what was recorded fits",
               losses_);
  }
  writeSizeLimit();
  writeLeftOut(writer_, {session_, facts_, processes_, part_.take.has_value()}, losses_);
  if (cut_ > 0) {
    losses_.events += cut_;
    result_.isCut = true;
    writeIssue(writer_, "report-cut", cut_,
               fmt::format("The disk was full: the last {} records are not in this report", formatCount(cut_)),
               losses_);
  }
  if (processes_.empty() && options_.find("trace") != "") {
    writeIssue(writer_, "nothing-attached", 1, whyNothingAttached(options_.text("trace")), losses_);
  }
  const bool isWhole =
      cut_ == 0 && std::ranges::none_of(processes_, [](const auto& each) { return each->stream.cut().end > 0; });
  const bool isAll = options_.text("nvtx-domain-include").empty() && options_.text("nvtx-domain-exclude").empty();
  if (traces("nvtx") && nvtxCalls_ == 0 && isWhole && isAll) {
    writer_.addCaptureFact("LANESCOPE:NVTX_CALLS", "0");
    if (options_.text("nvtx-asked") == "1") losses_.notes.emplace_back("0 NVTX calls seen");
  }
}

Result<void> Finisher::run() {
  options_ = readFacts(session_ / "options");
  stacks_.emplace(writer_, options_);
  if (auto opened = openStreams(); !opened) return opened;
  if (!summarizeAll()) return stopped();
  const SessionStart start = sessionStart();
  const bool nothing = captureNeverOpened(session_, options_);
  CaptureWindows all;
  for (const auto& process : processes_) {
    process->zero = start.monotonic;
    process->makeWindows();
    all.add(process->windows);
  }
  for (const auto& process : processes_) {
    narrow(*process, all);
    if (nothing) process->windows.neverOpened();
    if (!writeEvents(*process)) return stopped();
  }
  const GpuIds gpus(processes_, samplers_);
  for (const auto& sampler : samplers_) {
    sampler->zero = start.monotonic;
    narrow(*sampler, all);
  }
  if (!writeSamples(gpus)) return stopped();
  if (pythonSampler_) {
    pythonSampler_->zero = start.monotonic;
    narrow(*pythonSampler_, all);
    if (nothing) pythonSampler_->windows.neverOpened();
  }
  if (!writePython()) return stopped();
  if (perf_) perf_->zero = start.monotonic;
  if (!writeCpu(all, nothing)) return stopped();
  writeWhole(start, gpus);
  if (writer_.error()) return stopped();
  result_.lost = losses_.events;
  result_.notes = std::move(losses_.notes);
  return {};
}

Result<FinishResult> finishPart(const fs::path& session, const fs::path& report, report::IfExists ifExists,
                                const Job& job, const Part& part, std::uint64_t share) {
  FactLines facts = readFacts(session / "facts");
  if (part.take)
    for (const auto& [name, value] : part.take->facts) facts.set(name, value);
  auto writer = report::Writer::create(report, ifExists, facts.find("launcher-version").value_or("unknown"));
  if (!writer) return tl::unexpected(writer.error());
  Finisher finisher(session, std::move(facts), *writer, job, part, share);
  if (auto done = finisher.run(); !done) return tl::unexpected(done.error());
  if (auto written = writer->finish(); !written) return tl::unexpected(written.error());
  FinishResult result = std::move(finisher).result();
  result.report = report;
  job.progress(1.0, "Done");
  return result;
}

}  // namespace

Result<FinishResult> finish(const fs::path& session, const fs::path& report, report::IfExists ifExists, const Job& job,
                            const Part& part) {
  constexpr std::uint64_t kSmallestShare = 4096;
  std::uint64_t share = 1;
  for (;;) {
    Result<FinishResult> done = finishPart(session, report, ifExists, job, part, share);
    if (done || done.error().code != ErrorCode::kDiskFull || share == 0) return done;
    share = share < kSmallestShare ? 2 * share : 0;
  }
}

}  // namespace lanescope::launch
