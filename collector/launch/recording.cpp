// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/recording.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/capture_clock.h"
#include "collector/launch/clock.h"
#include "collector/launch/fact_lines.h"
#include "collector/launch/find_cupti.h"
#include "collector/launch/interruptible.h"
#include "collector/launch/keep_newest.h"
#include "collector/launch/plan.h"
#include "collector/launch/report_name.h"
#include "collector/launch/sampler_process.h"
#include "collector/launch/session_folder.h"
#include "collector/launch/signal_relay.h"
#include "collector/launch/target.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr int kBadUsage = 2;
constexpr int kNotWritten = 3;
constexpr trace::Ns kLookAtDisk = kSecond / 4;
/// At 300 MB/s, what busy GPUs are recorded with, 6 MB come between two looks.
constexpr trace::Ns kLookAtSize = kSecond / 50;
/// Each report reads the recording anew.
constexpr std::uint32_t kMostReports = 100;
constexpr trace::Ns kSilence = 2 * kSecond;

int exitStatusOf(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

/// How a process ended, for each process of a report.
Facts::value_type endOf(pid_t process, int status) {
  return {fmt::format("{}{}", kEndedFact, process), WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                                        : fmt::format("code {}", WEXITSTATUS(status))};
}

Facts factsOfEnd(int status) {
  if (WIFSIGNALED(status)) return {{"signal", std::to_string(WTERMSIG(status))}};
  return {{"exit-code", std::to_string(WEXITSTATUS(status))}};
}

/// A recording whose program runs.
class Run {
 public:
  Run(const Options& options, const Plan& plan, SessionFolder& session, SignalRelay& signals, const Target& target,
      SamplerProcess sampler, const Audience& audience)
      : options_(options),
        plan_(plan),
        session_(session),
        signals_(signals),
        target_(target),
        sampler_(std::move(sampler)),
        audience_(audience) {}

  int toTheEnd() {
    const EndReason reason = capture();
    if (target_.allGone()) signals_.detach();  // its number may be another's soon
    const bool written = writeReport(reason);
    waitForTheProgram();
    if (target_.status()) say(lastWords(reason));
    if (!written) return kNotWritten;
    return target_.status() ? exitStatusOf(*target_.status()) : 128 + signals_.lastSignal();
  }

 private:
  void say(const std::string& line) const {
    if (!line.empty()) audience_.say(line);
  }

  /// Until the capture is over, and what the processes hold is on disk.
  EndReason capture() {
    CaptureControl& control = session_.control();
    CaptureClock clock(options_, monotonicNow());
    std::optional<trace::Ns> endedAt;
    for (;;) {
      const std::uint32_t seen = control.seen();
      target_.look();
      CaptureClock::Step step = clock.next({monotonicNow(), control.state(), target_.allGone(), signals_.endsAsked(),
                                            !session_.leavesRoom(), isTooLarge()});
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
    if (mayKill(options_, reason) && !target_.status()) {
      target_.signal(options_.killSignal);
      killed_ = true;
    }
    sampler_.finish();
  }

  bool writeReport(EndReason reason) {
    Facts facts{{"stopped-by", std::string(nameOf(reason))}};
    facts.emplace_back("program-pid", std::to_string(target_.process()));
    if (target_.status()) {
      facts.push_back(factsOfEnd(*target_.status()).front());
      facts.push_back(endOf(target_.process(), *target_.status()));
    }
    for (const auto& [process, status] : target_.orphans()) facts.push_back(endOf(process, status));
    // The disk may be full: what is there still makes a report.
    [[maybe_unused]] const auto ignored = session_.addFacts(facts);
    say(whyNothing());
    if (options_.cuda && driverVersion().empty()) {
      say("no GPU data: no NVIDIA driver is loaded here; record on a machine that has one (in a container: --gpus "
          "all)");
    }
    const std::uint32_t captures = session_.control().captures();
    const bool repeats = options_.rangeEnd == CaptureEnd::kRepeat || options_.rangeEnd == CaptureEnd::kRepeatShutdown;
    const bool oneEach = repeats && captures > 1 && captures <= kMostReports;
    if (repeats && captures > kMostReports) say(fmt::format("{} ranges: all in one report", captures));
    for (std::uint32_t capture = 0; capture < (oneEach ? captures : 1); ++capture) {
      if (!writeOne(oneEach ? std::optional<std::size_t>(capture) : std::nullopt)) return false;
    }
    if (isCut_) sayWhatIsKept("once there is room");
    else session_.remove();
    if (!target_.status() && !killed_) {
      say(fmt::format("the program goes on; end it with: kill {}", target_.process()));
    }
    return !isCut_;
  }

  void sayWhatIsKept(std::string_view when) const {
    say(fmt::format("all that was recorded is kept; {}: lanescope recover '{}'", when, session_.path().string()));
  }

  /// Who does not want to wait for the report leaves it to `recover`.
  Job writing() const {
    return interruptible(
        audience_.job, [this] { return signals_.endsAsked(); },
        [this] { say("writing the report; interrupt again to leave it for `lanescope recover`"); });
  }

  /// A report of everything or of one capture.
  bool writeOne(std::optional<std::size_t> capture) {
    fs::path name = plan_.name.resolve(target_.process());
    if (capture && !plan_.name.countsUp()) name = nameOfCapture(name, *capture + 1);
    // -f is about what stood there before: not about another capture's report, nor about one that another recording
    // made meanwhile or is about to make.
    const bool mayReplace = options_.overwrite && !capture && standsSince(name, plan_.began) &&
                            !olderOneHasName(session_.path(), plan_.name.label());
    const auto ifExists = mayReplace ? report::IfExists::kReplace : report::IfExists::kRefuse;
    const auto another = [&] {
      return plan_.name.countsUp() ? plan_.name.resolve(target_.process())
                                   : freeNameNear(name, std::to_string(target_.process()));
    };
    const Result<FinishResult> done = finishNear(session_.path(), name, another, ifExists, writing(), capture);
    if (!done) {
      const bool left = done.error().code == ErrorCode::kCancelled;
      if (!left) say(sentence(done.error()));
      sayWhatIsKept(left ? "to write the report" : "once that is solved");
      return false;
    }
    isCut_ |= done->isCut;
    for (const std::string& note : done->notes) {
      if (!sampler_.hasSaid(note)) say(note);
    }
    if (done->report != name && !plan_.name.countsUp()) {
      say(fmt::format("{} was made by somebody else meanwhile; this report has another name", name.string()));
    }
    say(reportLine(*done));
    audience_.reportReady(done->report);
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
      return "the program ended before --delay was over, so nothing was recorded";
    }
    if (session_.control().processes() > 0 || plan_.recorder.empty() || plan_.whyNotInto.empty()) return {};
    return fmt::format("{}: libraries do not get into it: {}; what it starts is recorded all the same",
                       options_.program.front(), plan_.whyNotInto);
  }

  void waitForTheProgram() {
    const int asked = signals_.endsAsked();
    while (!target_.status()) {
      const std::uint32_t seen = session_.control().seen();
      target_.look();
      if (target_.status() || (asked >= 2 && signals_.endsAsked() > asked)) break;
      session_.control().wait(seen, 3600 * kSecond);
    }
    signals_.detach();
  }

  std::string lastWords(EndReason reason) const {
    if (!killed_) return {};
    return fmt::format("ended the program with signal {} (--kill) because the {} was over", options_.killSignal,
                       reason == EndReason::kDuration ? "duration"
                       : reason == EndReason::kRange  ? "capture range"
                                                      : "recording");
  }

  const Options& options_;
  const Plan& plan_;
  SessionFolder& session_;
  SignalRelay& signals_;
  Target target_;
  SamplerProcess sampler_;
  const Audience& audience_;
  KeepNewest newest_{session_.path(), options_.maxBytes};
  bool neverOpened_ = false;
  bool killed_ = false;
  bool isCut_ = false;  ///< a report does not hold all that was recorded
};

}  // namespace

int record(const Options& options, const Audience& audience) {
  const auto refuse = [&](const std::string& why) {
    audience.say(why);
    return kBadUsage;
  };
  tl::expected<Plan, std::string> planned = plan(options);
  if (!planned) return refuse(planned.error());
  Plan& plan = *planned;
  if (!plan.note.empty()) audience.say(plan.note);
  if (plan.recorder.empty() && (options.cuda || options.nvtx)) {
    audience.say("liblanescope-inject.so is missing beside lanescope: only the facts of the run are recorded");
  }

  Result<SessionFolder> session = SessionFolder::create(plan.name.folder(), plan.name.label());
  if (!session) return refuse(sentence(session.error()));
  const auto giveUp = [&](const std::string& why) {
    session->remove();
    return refuse(why);
  };
  if (const auto done = session->writeOptions(options, plan.cupti); !done) return giveUp(sentence(done.error()));
  SignalRelay signals(session->control());
  auto sampler = SamplerProcess::start(options, session->path(), plan.cupti, audience.say);
  if (!sampler) return giveUp(sampler.error());
  // The sampler takes a second to get ready: time 0 is after that.
  Facts facts = factsAtStart(options, plan, audience.version);
  // The name that `recover` gives if nobody else does; the program's process is not known yet.
  facts.emplace_back("output", fs::absolute(plan.name.resolve(getpid())).string());
  if (const auto done = session->addFacts(facts); !done) return giveUp(sentence(done.error()));
  if (options.range == CaptureRange::kNone && options.delay == 0) session->control().begin();
  plan.command.environment = environmentOf(options, injectionVariables(plan.recorder, session->path()));

  Result<Target> target = Target::start(plan.command, options.wait, signals);
  if (!target) return giveUp(sentence(target.error()));
  return Run(options, plan, *session, signals, *target, std::move(*sampler), audience).toTheEnd();
}

}  // namespace lanescope::launch
