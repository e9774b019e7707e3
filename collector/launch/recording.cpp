// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include "collector/launch/capture_clock.h"
#include "collector/launch/clock.h"
#include "collector/launch/find_cupti.h"
#include "collector/launch/keep_newest.h"
#include "collector/launch/launched.h"
#include "collector/launch/libraries.h"
#include "collector/launch/plan.h"
#include "collector/launch/report_name.h"
#include "collector/launch/report_writing.h"
#include "collector/launch/started.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr int kBadUsage = 2;
/// At 300 MB/s, what busy GPUs are recorded with, 6 MB come between two looks.
constexpr trace::Ns kLookAtSize = kSecond / 50;
/// Each report reads the recording anew.
constexpr std::uint32_t kMostReports = 100;
constexpr trace::Ns kSilence = 2 * kSecond;

/// A recording whose program runs.
class Run {
 public:
  explicit Run(Started& started) : started_(started) {}

  int toTheEnd() {
    const EndReason reason = capture();
    started_.desk.close();
    if (target_.allGone()) signals_.detach();  // its number may be another's soon
    const bool written = isDiscarded_ ? discard() : writeReport(reason);
    if (orderedBy_) orderedBy_->done(written ? 0 : kNotWritten);
    started_.waitForTheProgram();
    if (target_.status()) say(lastWords(reason));
    return written ? started_.exitStatus() : kNotWritten;
  }

 private:
  void say(const std::string& line) const { started_.say(line); }

  /// Until the capture is over, and what the processes hold is on disk.
  EndReason capture() {
    CaptureControl& control = session_.control();
    CaptureClock clock(options_, monotonicNow());
    std::optional<trace::Ns> endedAt;
    for (;;) {
      const std::uint32_t seen = control.seen();
      target_.look();
      started_.lookAtUsers();
      while (const auto order = orderedBy_ ? std::nullopt : started_.desk.take()) obey(*order);
      CaptureClock::Step step = clock.next({.time = monotonicNow(),
                                            .capture = control.state(),
                                            .allGone = target_.allGone(),
                                            .endsAsked = signals_.endsAsked(),
                                            .diskFull = !session_.leavesRoom(),
                                            .started = isStarted_,
                                            .ordered = orderedBy_.has_value(),
                                            .sizeReached = isTooLarge()});
      if (step.end) {
        end(*step.end);
        return *step.end;
      }
      if (step.begin) {
        control.begin();
        continue;
      }
      if (target_.status() && !target_.allGone()) step.wait = std::min(step.wait, tellWhoIsWaitedFor(endedAt));
      control.wait(seen, std::min(step.wait, options_.maxBytes > 0 ? kLookAtSize : kLookAtDisk));
    }
  }

  /// Of another command. What ends the recording is answered to the end when there is a report.
  void obey(const Order& order) {
    const std::string& what = order.words.front();
    const std::string name = started_.desk.name();
    const auto answer = [&](int status, const std::string& line) {
      order.say(line);
      order.done(status);
    };
    if (what == "start") {
      if (isStarted_ || session_.control().captures() > 0) {
        return answer(kBadUsage, fmt::format("session {} is a single recording, of `lanescope profile`, and has begun; "
                                             "for several: lanescope launch",
                                             name));
      }
      if (order.words.size() > 2) {
        return answer(kBadUsage, fmt::format("session {}: {}: the options of its recording were given to `lanescope "
                                             "profile`; say start without",
                                             name, order.words[2]));
      }
      isStarted_ = true;
      return answer(0, fmt::format("session {} records", name));
    }
    if (what != "stop" && what != "cancel" && what != "shutdown") {
      return answer(kBadUsage, unknownOrder(order, started_.audience.version));
    }
    isDiscarded_ = what == "cancel";
    const bool shutsDown = what == "shutdown";
    if (what == "stop" && session_.control().captures() == 0) {
      return answer(kBadUsage, fmt::format("session {} does not record yet; end it with: lanescope cancel --session={}",
                                           name, name));
    }
    orderedBy_ = order;
    if (shutsDown) signalOrdered_ = signalOf(order);
    order.say(isDiscarded_ ? fmt::format("session {}: the recording is discarded; the program goes on", name)
                           : fmt::format("session {}: the recording ends; its report is being written", name));
  }

  bool discard() {
    session_.remove();
    say("the recording was discarded by `lanescope cancel`");
    return true;
  }

  /// Whether the recording cannot stay within --max-size otherwise than by its end.
  bool isTooLarge() {
    if (options_.maxBytes == 0) return false;
    return options_.keepsNewest ? !newest_.look() : recordedBytes(session_.path()) >= options_.maxBytes;
  }

  /// How long until the next line about it; one line, once the silence gets long.
  trace::Ns tellWhoIsWaitedFor(std::optional<trace::Ns>& endedAt) {
    constexpr trace::Ns kNever = 3600 * kSecond;
    if (!endedAt) endedAt = monotonicNow();
    if (*endedAt < 0) return kNever;
    const trace::Ns left = *endedAt + kSilence - monotonicNow();
    if (left > 0) return left;
    endedAt = -1;
    say("the program ended; still recording the processes it left behind (--wait=primary would not)");
    return kNever;
  }

  void end(EndReason reason) {
    CaptureControl& control = session_.control();
    neverOpened_ = control.captures() == 0;
    control.end();
    if (reason != EndReason::kProgramEnded) {
      control.flush([this] { return livingProcesses(session_.path()); }, CaptureControl::kFlushAtMost);
    }
    const int signal = signalOrdered_ != 0 ? signalOrdered_ : mayKill(options_, reason) ? options_.killSignal : 0;
    if (signal != 0 && !isDiscarded_ && !target_.status()) {
      target_.signal(signal);
      killed_ = signal;
    }
    started_.finishSampling();
  }

  bool writeReport(EndReason reason) {
    Facts facts{{"stopped-by", std::string(nameOf(reason))}};
    for (Facts::value_type& fact : factsOfEnd(target_)) facts.push_back(std::move(fact));
    // The disk may be full: what is there still makes a report.
    [[maybe_unused]] const auto ignored = session_.addFacts(facts);
    say(whyNothing());
    if (options_.cuda && driverVersion().empty()) {
      say(kNoDriver);
    }
    const std::uint32_t captures = session_.control().captures();
    const bool repeats = options_.rangeEnd == CaptureEnd::kRepeat || options_.rangeEnd == CaptureEnd::kRepeatShutdown;
    const bool oneEach = repeats && captures > 1 && captures <= kMostReports;
    if (repeats && captures > kMostReports) say(fmt::format("{} ranges: all in one report", captures));
    for (std::uint32_t capture = 0; capture < (oneEach ? captures : 1); ++capture) {
      if (!writeOne(oneEach ? std::optional<std::size_t>(capture) : std::nullopt)) return false;
    }
    if (isCut_) sayWhatIsKept(session_.path(), "once there is room", started_.audience);
    else session_.remove();
    if (!target_.status() && killed_ == 0) {
      say(fmt::format("the program goes on; end it with: kill {}", target_.process()));
    }
    return !isCut_;
  }

  /// A report of everything or of one capture.
  bool writeOne(std::optional<std::size_t> capture) {
    const auto number = capture ? std::optional(*capture + 1) : std::nullopt;
    const Wanted wanted{session_.path(), started_.plan.name,  target_.process(), started_.plan.began,
                        number,          {.capture = capture}};
    const auto wasSaid = [this](std::string_view line) { return started_.hasSaid(line); };
    const Result<FinishResult> done =
        launch::writeReport(wanted, options_, started_.writing(started_.audience.job), started_.audience, wasSaid);
    if (!done) return false;
    isCut_ |= done->isCut;
    if (orderedBy_) orderedBy_->say(reportLine(*done));
    return true;
  }

  /// What finish() cannot know about why nothing was recorded.
  std::string whyNothing() {
    if (neverOpened_ && options_.range == CaptureRange::kNvtx) {
      return fmt::format(
          "--nvtx-capture={} opened nothing; a range of a domain is written RANGE@DOMAIN, or RANGE@* for "
          "any domain",
          options_.nvtxCapture);
    }
    if (neverOpened_ && options_.range == CaptureRange::kNone) {
      return options_.startLater ? "the program ended before `lanescope start`, so nothing was recorded"
                                 : "the program ended before --delay was over, so nothing was recorded";
    }
    const Plan& plan = started_.plan;
    if (session_.control().processes() > 0 || plan.recorder.empty() || plan.whyNotInto.empty()) return {};
    if (plan.isSetUserId) {
      return fmt::format(
          "{}: {}; nor are CPU samples, context switches and stacks of Python recorded of it and of what "
          "it starts: run lanescope itself as root",
          options_.program.front(), plan.whyNotInto);
    }
    return fmt::format("{}: libraries do not get into it: {}; what it starts is recorded all the same",
                       options_.program.front(), plan.whyNotInto);
  }

  std::string lastWords(EndReason reason) const {
    if (killed_ == 0) return {};
    if (signalOrdered_ != 0)
      return fmt::format("ended the program with signal {}, as `lanescope shutdown` asked", killed_);
    return fmt::format("ended the program with signal {} (--kill) because the {} was over", killed_,
                       reason == EndReason::kDuration ? "duration"
                       : reason == EndReason::kRange  ? "capture range"
                                                      : "recording");
  }

  Started& started_;
  const Options& options_ = started_.options;
  SessionFolder& session_ = started_.session;
  SignalRelay& signals_ = started_.signals;
  Target& target_ = started_.target;
  SamplerProcess& sampler_ = started_.sampler;
  KeepNewest newest_{session_.path(), options_.maxBytes};
  bool isStarted_ = !options_.startLater;
  bool neverOpened_ = false;
  std::optional<Order> orderedBy_;  ///< the end
  bool isDiscarded_ = false;
  int signalOrdered_ = 0;
  int killed_ = 0;  ///< by which signal
  bool isCut_ = false;  ///< a report does not hold all that was recorded
};

/// So that other commands find it. What goes wrong matters only to who named the session or can do nothing without.
tl::expected<SessionDesk, std::string> openDesk(const Options& options, bool isLaunched, const SessionFolder& session) {
  const std::string name = !options.session.empty()
                               ? options.session
                               : usualSessionName(isLaunched ? "launch" : "profile", options.program.front());
  auto desk = SessionDesk::open(name, session.path());
  if (!desk && options.session.empty() && !options.startLater && !isLaunched) return SessionDesk();
  return desk;
}

}  // namespace

int record(const Options& options, const Audience& audience, const Launch* launch) {
  const auto refuse = [&](const std::string& why) {
    audience.say(why);
    return kBadUsage;
  };
  tl::expected<Plan, std::string> planned = plan(options);
  if (!planned) return refuse(planned.error());
  Plan& plan = *planned;
  if (!plan.note.empty()) audience.say(plan.note);
  if (!plan.whyNotPreloaded.empty() && (options.osRuntime || options.mpi || options.pythonGil)) {
    audience.say(fmt::format("{}: calls of the OS runtime and of MPI are not recorded: {}", options.program.front(),
                             plan.whyNotPreloaded));
  }
  if (plan.recorder.empty() && (options.cuda || options.nvtx)) {
    audience.say("liblanescope-inject.so is missing beside lanescope: only the facts of the run are recorded");
  }

  Result<SessionFolder> session = SessionFolder::create(plan.name.folder(), plan.name.label());
  if (!session) return refuse(sentence(session.error()));
  const auto giveUp = [&](const std::string& why) {
    session->remove();
    return refuse(why);
  };
  Facts more;
  if (plan.cpuTimers) more.emplace_back("cpu-timers", std::to_string(options.cpu.frequency));
  if (const auto done = session->writeOptions(options, plan.cupti, more); !done) return giveUp(sentence(done.error()));
  SignalRelay signals(session->control());
  auto sampler = SamplerProcess::start(options, session->path(), plan.cupti, audience.say);
  if (!sampler) return giveUp(sampler.error());
  // The sampler takes a second to get ready: time 0 is after that.
  Facts facts = factsAtStart(options, plan, audience.version);
  // The name that `recover` gives if nobody else does; the program's process is not known yet.
  facts.emplace_back("output", fs::absolute(plan.name.resolve(getpid())).string());
  if (launch) facts.emplace_back("launched", "1");
  if (const auto done = session->addFacts(facts); !done) return giveUp(sentence(done.error()));
  auto desk = openDesk(options, launch != nullptr, *session);
  if (!desk) return giveUp(desk.error());
  const bool beginsNow = options.range == CaptureRange::kNone && options.delay == 0 && !options.startLater;
  std::optional<trace::Ns> recordsSince;
  if (launch && launch->recordAtOnce) recordsSince = monotonicNow();
  if ((beginsNow && !launch) || recordsSince) session->control().begin();
  Variables ours = injectionVariables(plan.recorder, session->path());
  if (plan.preload) ours.emplace_back(kPreloadVariable, *plan.preload);
  for (auto& variable : AskedLibraries(options.libraries).variables()) ours.push_back(std::move(variable));
  plan.command.environment = environmentOf(options, ours);

  sample::CpuRecorder cpu;
  const bool isOn = session->control().state() == wire::Capture::kOn;
  Result<Target> target = Target::start(plan.command, options.wait, signals, [&](pid_t process) {
    const bool pauses = launch || !isOn;
    sample::CpuSettings settings = options.cpu;
    if (plan.cpuTimers) settings.samples = sample::CpuScope::kNone;
    cpu = sample::CpuRecorder(sample::CpuEvents::open(settings, process, isOn, pauses));
  });
  if (!target) return giveUp(sentence(target.error()));
  cpu.record(session->path().string());
  if (plan.cpuTimers) {
    // Why also stands in what is said of the switches.
    const bool isSaid = options.cpu.switches != sample::CpuScope::kNone;
    audience.say(fmt::format(
        "CPU samples by timers in the program, no more a second than the kernel's clock ticks; none of programs that "
        "libraries do not get into{}{}",
        isSaid ? "" : "; ", isSaid ? "" : plan.whyNoSamples));
  } else if (!plan.whyNoTimers.empty()) {
    audience.say(
        fmt::format("{}: no CPU samples by timers in it either: {}", options.program.front(), plan.whyNoTimers));
  }
  if (options.asksForCpu) {
    for (const auto& trouble : cpu.troubles()) audience.say(trouble.text);
  }
  [[maybe_unused]] const auto ignored = session->addFacts({{"program-pid", std::to_string(target->process())}});
  Started started{options,          plan,         *session,      signals, audience, *target, std::move(*sampler),
                  std::move(*desk), recordsSince, std::move(cpu)};
  if (options.pythonHertz > 0) {
    started.python = std::make_unique<sample::PythonSampler>(sample::PythonSampler::Settings{
        .session = session->path().string(), .root = getpid(), .hertz = options.pythonHertz});
  }
  started.desk.listen([&session] { session->control().wake(); });
  return launch ? serveLaunched(*launch, started) : Run(started).toTheEnd();
}

}  // namespace lanescope::launch
