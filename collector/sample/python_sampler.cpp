// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_sampler.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <memory>
#include <set>

#include "collector/sample/control_view.h"
#include "collector/sample/process_tree.h"
#include "collector/sample/python_process.h"
#include "collector/sample/python_rights.h"

namespace lanescope::sample {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// Not in step with what programs do ten or a hundred times a second: it would always be the same samples that come late.
constexpr std::uint64_t kBetweenWrites = 93'700'000;
// Short enough for processes of a tenth of a second; where a look at all processes takes long, they are fewer.
constexpr std::uint64_t kLeastBetweenLooks = 18'730'000, kMostBetweenLooks = 187'300'000, kShareOfLooks = 50;

/// All of them that run now.
class Sampling {
 public:
  explicit Sampling(const PythonSampler::Settings& settings) : control_(settings.session), tree_(settings.root) {
    isOpen_ = file_.create(settings.session + "/python.samples");
    period_ = kSecond / settings.hertz;
    file_.facts("hertz=" + std::to_string(settings.hertz) + "\n");
  }

  void toTheEnd();

 private:
  struct Watched {
    std::unique_ptr<PythonProcess> python;  ///< null: it runs none, as far as is known
    std::uint64_t lookAgain = 0, patience = kLeastBetweenLooks;
    int strange = 0;  ///< samples in a row that made no sense
  };

  void look(std::uint64_t now);
  void open(pid_t process, Watched& watched, std::uint64_t now);
  void sampleAll(std::uint64_t now);
  void tellOnce(const std::string& line) {
    if (told_.insert(line).second) file_.message(1, line);
  }
  void write(std::uint64_t now);
  /// When to wake up next: at the next sample, from which on.
  std::uint64_t nextSample(std::uint64_t now);

  ControlView control_;
  ProcessTree tree_;
  PythonFiles files_;
  PythonFile file_;
  std::map<pid_t, Watched> processes_;
  std::set<std::string> told_;
  bool isOpen_ = false, hasAny_ = false, saidWhyNotSeen_ = false;
  std::uint64_t betweenLooks_ = kLeastBetweenLooks;
  std::uint64_t period_ = 0, next_ = 0, looked_ = 0, written_ = 0;
  std::uint64_t code_ = 0, droppedBefore_ = 0, late_ = 0, samples_ = 0;
};

/// By its name, which everybody may read.
bool isCalledPython(pid_t process) {
  std::ifstream in("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  return std::getline(in, name) && name.starts_with("python");
}

void Sampling::open(pid_t process, Watched& watched, std::uint64_t now) {
  // A program may come to have a Python in it at any time, but mostly does so soon.
  constexpr std::uint64_t kMostPatience = 5 * kSecond;
  watched.lookAgain = now + watched.patience;
  watched.patience = std::min(2 * watched.patience, kMostPatience);
  const auto found = files_.find(process);
  if (!found) {
    // Of a program that is called otherwise (sudo, ping) nobody expects Python.
    if (saidWhyNotSeen_ || !isCalledPython(process) || mayLookAt(process)) return;
    saidWhyNotSeen_ = true;
    return tellOnce("process " + std::to_string(process) +
                    " cannot be looked at, so there are no samples of its Python: " + whyNotReadable(process));
  }
  auto python = std::make_unique<PythonProcess>(process, *found, code_);
  using python::Refusal;
  if (python->refusal() == Refusal::kNo) {
    char line[96];
    std::snprintf(line, sizeof line, "python-runtime.%d=%llx+%llx\n", process,
                  static_cast<unsigned long long>(found->runtime),
                  static_cast<unsigned long long>(found->runtimeBytes));
    file_.facts(line + ("exe." + std::to_string(process) + "=" + programOf(process) + "\n"));
    watched.python = std::move(python);
    return;
  }
  if (python->refusal() != Refusal::kUnreadable) {
    tellOnce("no Python samples of process " + std::to_string(process) + ": " + python::reasonOf(python->refusal()));
    watched.lookAgain = ~std::uint64_t{0};
  }
}

void Sampling::look(std::uint64_t now) {
  looked_ = now;
  const std::vector<pid_t> living = tree_.look();
  const std::set<pid_t> set(living.begin(), living.end());
  for (auto at = processes_.begin(); at != processes_.end();) {
    if (set.contains(at->first)) {
      ++at;
      continue;
    }
    if (at->second.python) droppedBefore_ += at->second.python->dropped();
    at = processes_.erase(at);
  }
  for (const pid_t process : living) {
    Watched& watched = processes_[process];
    if (!watched.python && now >= watched.lookAgain) open(process, watched, now);
  }
  const std::uint64_t took = readClock(CLOCK_MONOTONIC) - now;
  betweenLooks_ = std::clamp(kShareOfLooks * took, kLeastBetweenLooks, kMostBetweenLooks);
}

void Sampling::sampleAll(std::uint64_t now) {
  hasAny_ = false;
  for (auto& [process, watched] : processes_) {
    if (!watched.python) continue;
    hasAny_ = true;
    using Outcome = PythonProcess::Outcome;
    const Outcome outcome = watched.python->sample(readClock(CLOCK_MONOTONIC), file_);
    ++samples_;
    watched.strange = outcome == Outcome::kInconsistent ? watched.strange + 1 : 0;
    if (outcome == Outcome::kForbidden) {
      tellOnce("no Python samples of process " + std::to_string(process) + ": " + whyNotReadable(process));
    }
    // It ended, became another program, or takes its interpreter down.
    constexpr int kTooStrange = 100;
    if (outcome == Outcome::kGood || (outcome == Outcome::kInconsistent && watched.strange < kTooStrange)) continue;
    droppedBefore_ += watched.python->dropped();
    watched = {.python = nullptr, .lookAgain = now + kLeastBetweenLooks};
    if (outcome == Outcome::kForbidden) watched.lookAgain = ~std::uint64_t{0};
  }
}

void Sampling::write(std::uint64_t now) {
  written_ = now;
  if (file_.flush()) return;
  for (auto& [process, watched] : processes_) {
    if (watched.python) watched.python->defineAnew();
  }
}

std::uint64_t Sampling::nextSample(std::uint64_t now) {
  if (next_ == 0) next_ = now;
  next_ += period_;
  if (next_ > now) return next_;
  const std::uint64_t missed = (now - next_) / period_ + 1;
  if (hasAny_) late_ += missed;
  return next_ += missed * period_;
}

void Sampling::toTheEnd() {
  std::uint32_t answered = control_.flushAsked();
  std::uint64_t wake = 0;
  for (;;) {
    const std::uint32_t seen = control_.seen();
    const std::uint32_t asked = control_.flushAsked();  // before the capture, whose end nobody answers
    const wire::Capture capture = control_.capture();
    const bool on = capture == wire::Capture::kOn;
    std::uint64_t now = readClock(CLOCK_MONOTONIC);
    if (now - looked_ >= (on ? betweenLooks_ : kMostBetweenLooks) || looked_ == 0) look(now);
    if (!on) {
      next_ = 0;
      wake = now + kMostBetweenLooks;
    } else if (now >= wake || next_ == 0) {
      sampleAll(now);
      now = readClock(CLOCK_MONOTONIC);
      wake = nextSample(now);
    }
    const bool ends = capture == wire::Capture::kEnded;
    constexpr std::size_t kChunk = 256u << 10;
    if (asked != answered || !on || now - written_ >= kBetweenWrites || file_.pending() >= kChunk) write(now);
    if (ends) break;
    if (asked != answered) control_.flushed();
    answered = asked;
    if (wake > now) control_.wait(seen, wake - now);
  }
  for (const auto& [process, watched] : processes_) {
    if (watched.python) droppedBefore_ += watched.python->dropped();
  }
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  file_.facts("cpu-ms=" + std::to_string(used.tv_sec * 1000 + used.tv_nsec / 1'000'000) +
              "\nread=" + std::to_string(samples_) + "\ndropped=" + std::to_string(droppedBefore_) +
              "\nlate=" + std::to_string(late_) + "\n");
  file_.end();
}

}  // namespace

PythonSampler::PythonSampler(Settings settings) {
  // Signals are the other threads' business.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([settings = std::move(settings)] {
    pthread_setname_np(pthread_self(), "python-samples");
    prctl(PR_SET_TIMERSLACK, 1UL);  // a sleep of a millisecond is to be no longer
    // Root may have it preferred on a busy machine; others go without.
    constexpr int kPreferred = -10;
    [[maybe_unused]] const int ignored = setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kPreferred);
    Sampling(settings).toTheEnd();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

PythonSampler::~PythonSampler() { finish(); }

void PythonSampler::finish() {
  if (thread_.joinable()) thread_.join();
}

}  // namespace lanescope::sample
