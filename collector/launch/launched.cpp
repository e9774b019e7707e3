// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/launched.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>

#include "collector/launch/capture_clock.h"
#include "collector/launch/clock.h"
#include "collector/launch/find_cupti.h"
#include "collector/launch/given.h"
#include "collector/launch/report_name.h"
#include "collector/launch/report_writing.h"
#include "collector/launch/take_facts.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

constexpr int kBadUsage = 2;

/// A recording under way, or about to begin.
struct LiveTake {
  LiveTake(Options of, OutputName as, std::size_t nth)
      : options(std::move(of)), name(std::move(as)), number(nth), clock(options, monotonicNow()) {}
  LiveTake(const LiveTake&) = delete;
  LiveTake& operator=(const LiveTake&) = delete;

  Options options;
  OutputName name;
  std::size_t number;  ///< from 1
  bool hasOwnName = true;
  CaptureClock clock;
  trace::Ns beganAt = clockNow(CLOCK_REALTIME);
  Take take = {};
  bool began = false;
};

/// Reports are written one after the other, on threads of their own.
class ReportWriters {
 public:
  /// `write`: whether all went well.
  template <class Write>
  void add(Write write) {
    last_ = std::async(std::launch::async, [before = std::move(last_), write = std::move(write)]() mutable {
      const bool good = !before.valid() || before.get();
      return write() && good;
    });
  }
  /// Waits for all; whether all went well.
  bool finish() { return !last_.valid() || last_.get(); }

 private:
  std::future<bool> last_;
};

class Session {
 public:
  Session(const Launch& launch, Started& started) : launch_(launch), started_(started) {
    std::error_code ignored;
    folder_ = fs::current_path(ignored);
  }

  int toTheEnd();

 private:
  CaptureControl& control() { return started_.session.control(); }
  void say(const std::string& line) const { started_.say(line); }

  void obey(const Order& order);
  /// The line that answers; the error is why not.
  tl::expected<std::string, std::string> start(const fs::path& from, const std::vector<std::string>& words);
  void stop(const Order& order);
  void cancel(const Order& order);
  void shutDown(const Order& order);

  /// How long until the next look at the clock.
  trace::Ns advance();
  void begin();
  /// `order`: who asked for it, to be told how the report became.
  void end(EndReason reason, const Order* order);
  void write(std::unique_ptr<LiveTake> take, const std::optional<Order>& order);
  void remember(const LiveTake& take, const std::string& state) {
    // The disk may be full: only a killed launcher needs these.
    [[maybe_unused]] const auto ignored = started_.session.addFacts({{takeFact(take.number), state}});
  }

  const Launch& launch_;
  Started& started_;
  fs::path folder_;  ///< where `launch` was typed
  std::unique_ptr<LiveTake> take_;
  std::size_t takes_ = 0;
  bool isOver_ = false, isKilled_ = false;
  std::optional<Order> shutDownBy_;
  ReportWriters writers_;
};

tl::expected<std::string, std::string> Session::start(const fs::path& from, const std::vector<std::string>& words) {
  const auto refuse = [](std::string why) { return tl::unexpected(std::move(why)); };
  const std::string session = started_.desk.name();
  if (take_)
    return refuse(
        fmt::format("session {} records already; end that with: lanescope stop --session={}", session, session));
  if (started_.target.allGone()) return refuse(fmt::format("session {}: its program has ended", session));
  if (!started_.session.leavesRoom()) {
    return refuse(fmt::format("{}: the disk has no room for a recording; free some", started_.session.path().string()));
  }
  auto options = optionsOf(launch_, words, started_.options.program);
  if (!options) return refuse(options.error());
  const auto given = readGiven(words);
  const bool hasOwnName = given && given->has("output");
  auto name = OutputName::read(inFolder(options->output, hasOwnName ? from : folder_), factsOfThisMachine());
  if (!name) return refuse(name.error());
  const bool isFirst = takes_ == 0 || hasOwnName;
  if (const auto good = name->check(options->overwrite || !isFirst); !good) return refuse(sentence(good.error()));
  take_ = std::make_unique<LiveTake>(std::move(*options), std::move(*name), ++takes_);
  take_->hasOwnName = isFirst;
  if (take_->options.delay > 0) {
    return fmt::format("session {} records in {} s", session, static_cast<double>(take_->options.delay) / kSecond);
  }
  begin();
  return fmt::format("session {} records", session);
}

void Session::begin() {
  take_->began = true;
  Take& take = take_->take;
  take.sizesBefore = sizesOfStreams(started_.session.path());
  take.begin = started_.recordsSince.value_or(monotonicNow());
  started_.recordsSince.reset();
  std::string words;
  for (const std::string& word : take_->options.words) words += (words.empty() ? "" : " ") + word;
  take.facts = {{"start-monotonic", std::to_string(take.begin)},
                {"start-realtime", std::to_string(clockNow(CLOCK_REALTIME))},
                {"options", words}};
  remember(*take_, openTake(take.begin, take_->name.resolve(started_.target.process())));
  if (control().state() != wire::Capture::kOn) control().begin();
}

trace::Ns Session::advance() {
  const CaptureClock::Step step = take_->clock.next({.time = monotonicNow(),
                                                     .capture = control().state(),
                                                     .allGone = started_.target.allGone(),
                                                     .endsAsked = started_.signals.endsAsked(),
                                                     .diskFull = !started_.session.leavesRoom()});
  if (step.end) end(*step.end, nullptr);
  if (step.begin) begin();
  return step.end || step.begin ? 0 : step.wait;
}

void Session::end(EndReason reason, const Order* order) {
  std::unique_ptr<LiveTake> take = std::move(take_);
  if (!take->began) return;
  control().pause();
  take->take.end = monotonicNow();
  // Of processes that do not answer, what is in their rings is read as well.
  const bool isWhole =
      reason == EndReason::kProgramEnded ||
      control().flush([this] { return livingProcesses(started_.session.path()) + started_.samplers(); },
                      CaptureControl::kFlushAtMost);
  if (isWhole) take->take.sizes = sizesOfStreams(started_.session.path());
  Take& taken = take->take;
  taken.facts.emplace_back("stopped-by", nameOf(reason));
  for (Facts::value_type& fact : factsOfEnd(started_.target)) taken.facts.push_back(std::move(fact));
  remember(*take, closedTake(taken.begin, taken.end, take->name.resolve(started_.target.process())));
  if (started_.options.cuda && driverVersion().empty()) say(kNoDriver);
  write(std::move(take), order ? std::optional(*order) : std::nullopt);
}

void Session::write(std::unique_ptr<LiveTake> take, const std::optional<Order>& order) {
  writers_.add([this, take = std::move(take), order] {
    const auto number = take->hasOwnName ? std::nullopt : std::optional(take->number);
    const Wanted wanted{started_.session.path(), take->name, started_.target.process(),
                        take->beganAt,           number,     {.take = take->take}};
    const auto done = writeReport(wanted, take->options, started_.writing(Job()), started_.audience,
                                  [this](std::string_view line) { return started_.hasSaid(line); });
    const bool good = done && !done->isCut;
    if (good) remember(*take, kTakeDone);
    if (order) {
      order->say(done ? reportLine(*done) : sentence(done.error()));
      order->done(good ? 0 : kNotWritten);
    }
    return good;
  });
}

void Session::stop(const Order& order) {
  const std::string session = started_.desk.name();
  if (!take_) {
    order.say(fmt::format("session {} does not record; begin with: lanescope start --session={}", session, session));
    return order.done(kBadUsage);
  }
  if (!take_->began) {
    take_.reset();
    order.say(fmt::format("session {}: the recording had not begun and is off", session));
    return order.done(0);
  }
  order.say(fmt::format("session {}: the recording ends; its report is being written", session));
  end(EndReason::kOrdered, &order);
}

void Session::cancel(const Order& order) {
  const std::string session = started_.desk.name();
  if (!take_) {
    order.say(fmt::format("session {} does not record, so there is nothing to discard; see: lanescope sessions list",
                          session));
    return order.done(kBadUsage);
  }
  if (take_->began) control().pause();
  remember(*take_, kTakeDone);
  take_.reset();
  order.say(fmt::format("session {}: the recording is discarded; the program goes on", session));
  say("the recording was discarded by `lanescope cancel`");
  order.done(0);
}

void Session::shutDown(const Order& order) {
  const int signal = signalOf(order);
  if (take_) end(EndReason::kOrdered, nullptr);
  if (signal != 0 && !started_.target.status()) {
    started_.target.signal(signal);
    isKilled_ = true;
  }
  order.say(fmt::format("session {} is over; {}", started_.desk.name(),
                        isKilled_ ? fmt::format("its program was sent signal {}", signal) : "its program goes on"));
  shutDownBy_ = order;
  isOver_ = true;
}

void Session::obey(const Order& order) {
  const std::string& what = order.words.front();
  if (what == "stop") return stop(order);
  if (what == "cancel") return cancel(order);
  if (what == "shutdown") return shutDown(order);
  if (what == "start" && order.words.size() > 1) {
    const auto answer = start(order.words[1], {order.words.begin() + 2, order.words.end()});
    order.say(answer ? *answer : answer.error());
    return order.done(answer ? 0 : kBadUsage);
  }
  order.say(unknownOrder(order, started_.audience.version));
  order.done(kBadUsage);
}

int Session::toTheEnd() {
  constexpr int kRequestsToEnd = 2;
  if (const auto& words = launch_.recordAtOnce; words && !words->empty()) {
    const auto begun = start(words->front(), {words->begin() + 1, words->end()});
    say(begun ? *begun : begun.error());
    if (!take_ || !take_->began) control().pause();  // it began with the program, in case that was meant
    started_.recordsSince.reset();
  }
  while (!isOver_) {
    const std::uint32_t seen = control().seen();
    started_.target.look();
    started_.lookAtUsers();
    while (auto order = isOver_ ? std::nullopt : started_.desk.take()) obey(*order);
    const trace::Ns wait = take_ ? advance() : kLookAtDisk;
    const bool isLeft = started_.signals.endsAsked() >= kRequestsToEnd;
    isOver_ |= !take_ && (started_.target.allGone() || isLeft);
    if (!isOver_ && wait > 0) control().wait(seen, std::min(wait, kLookAtDisk));
  }
  started_.desk.close();
  control().end();
  if (started_.target.allGone()) started_.signals.detach();  // its number may be another's soon
  started_.finishSampling();
  const bool written = writers_.finish();
  if (written) started_.session.remove();
  if (takes_ == 0) say("nothing was recorded: nobody said `lanescope start`");
  if (shutDownBy_) shutDownBy_->done(written ? 0 : kNotWritten);
  if (!started_.target.status() && !isKilled_) {
    say(fmt::format("the program goes on; end it with: kill {}", started_.target.process()));
  }
  started_.waitForTheProgram();
  return written ? started_.exitStatus() : kNotWritten;
}

}  // namespace

tl::expected<Options, std::string> optionsOf(const Launch& launch, const std::vector<std::string>& words,
                                             const std::vector<std::string>& program) {
  std::vector<std::string> all(launch.words);
  all.insert(all.end(), words.begin(), words.end());
  all.emplace_back("--");
  all.insert(all.end(), program.begin(), program.end());
  auto line = readCommandLine(all);
  if (!line) return tl::unexpected(line.error());
  return std::move(line->options);
}

int serveLaunched(const Launch& launch, Started& started) { return Session(launch, started).toTheEnd(); }

}  // namespace lanescope::launch
