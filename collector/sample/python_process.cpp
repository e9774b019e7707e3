// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/python_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace lanescope::sample {
namespace {

python::Python pythonOf(const FoundPython& found) {
  return {.layout = {}, .runtime = found.runtime, .codeType = found.codeType};
}

/// Where pthread_self() has the number of a thread: glibc's, musl's.
constexpr python::Address kNumberInThread[] = {720, 48};

}  // namespace

PythonProcess::PythonProcess(pid_t process, const FoundPython& found, std::uint64_t& nextCode)
    : process_(process),
      memory_(process),
      python_(pythonOf(found)),
      refusal_(python::findLayout(memory_.direct(), found.runtime, found.minor, python_.layout)),
      nextCode_(nextCode),
      read_(kMostThreads) {}

void PythonProcess::defineAnew() {
  codes_.clear();
  for (auto& [state, thread] : threads_) thread.isWritten = false;
}

PythonProcess::Outcome PythonProcess::sample(std::uint64_t time, PythonFile& file) {
  memory_.beginRound();
  ++round_;
  const bool good = python::readThreads(memory_.repeated(), python_, read_, threadsNow_);
  if (memory_.refusal() == ESRCH) return Outcome::kGone;
  if (memory_.refusal() != 0) return Outcome::kForbidden;
  if (!good) {
    ++dropped_;
    return Outcome::kInconsistent;
  }
  for (std::size_t i = 0; i < threadsNow_; ++i) sampleThread(read_[i], time, file);
  if (threads_.size() > threadsNow_) {
    std::erase_if(threads_, [this](const auto& entry) { return entry.second.round != round_; });
  }
  return Outcome::kGood;
}

void PythonProcess::sampleThread(const python::Thread& thread, std::uint64_t time, PythonFile& file) {
  KnownThread& known = threads_[thread.state];
  known.round = round_;
  wire::PythonStack stack;
  stack.time = time;
  stack.process = static_cast<std::uint32_t>(process_);
  stack.thread = numberOf(thread, known);
  stack.holdsGil = static_cast<std::uint32_t>(thread.gil);
  const bool isResting = hasRested(known);
  if (isResting && known.isWritten) {
    stack.cut = (known.isCut ? wire::kOuterFramesMissing : 0) | wire::kSameFrames;
    return file.stack(stack, {});
  }
  bool isCut = false;
  // What was read at once may have been a moment of change; the second time is another one.
  if (!readStack(memory_.repeated(), thread.state, file, isCut) &&
      !readStack(memory_.direct(), thread.state, file, isCut)) {
    ++dropped_;
    return;
  }
  // A thread without frames is one of C that has called into Python before: nothing to tell.
  if (frames_.empty() || stack.thread == 0) return;
  const auto same = [](const wire::PythonFrame& a, const wire::PythonFrame& b) {
    return a.code == b.code && a.line == b.line && a.entry == b.entry;
  };
  const bool isSame = known.isWritten && known.isCut == isCut &&
                      std::equal(frames_.begin(), frames_.end(), known.frames.begin(), known.frames.end(), same);
  stack.cut = (isCut ? wire::kOuterFramesMissing : 0) | (isSame ? wire::kSameFrames : 0);
  file.stack(stack, isSame ? std::span<const wire::PythonFrame>() : frames_);
  known.isWritten = true;
  known.isCut = isCut;
  if (!isSame) known.frames = frames_;
}

bool PythonProcess::readStack(const python::Memory& memory, python::Address thread, PythonFile& file, bool& isCut) {
  python::Frame frames[python::kMostFrames];
  std::size_t depth = 0;
  frames_.clear();
  if (!python::readFrames(memory, python_, thread, frames, depth, isCut)) return false;
  for (std::size_t i = 0; i < depth; ++i) {
    bool counts = true;
    wire::PythonFrame frame;
    if (!resolve(memory, frames[i], file, frame, counts)) return false;
    if (counts) frames_.push_back(frame);
  }
  return true;
}

bool PythonProcess::hasRested(KnownThread& known) const {
  constexpr int kNotOpen = -1, kNotThere = -2;
  if (known.runs == kNotOpen && known.number != 0) {
    const std::string path =
        "/proc/" + std::to_string(process_) + "/task/" + std::to_string(known.number) + "/schedstat";
    known.runs = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (known.runs < 0) known.runs = kNotThere;
  }
  if (known.runs < 0) return false;
  char counted[sizeof known.counted] = {};
  const ssize_t count = pread(known.runs, counted, sizeof counted - 1, 0);
  if (count <= 0) return false;
  const bool isSame = std::memcmp(counted, known.counted, sizeof counted) == 0;
  std::memcpy(known.counted, counted, sizeof counted);
  return isSame;
}

PythonProcess::KnownThread::~KnownThread() {
  if (runs >= 0) close(runs);
}

bool PythonProcess::resolve(const python::Memory& memory, const python::Frame& frame, PythonFile& file,
                            wire::PythonFrame& into, bool& counts) {
  KnownCode* const known = codeAt(memory, frame.code, file);
  if (!known) return false;
  counts = python::hasBegun(frame, known->code);
  into.code = known->id;
  into.entry = frame.isEntry ? 1 : 0;
  if (!counts) return true;
  if (frame.line > 0) {
    into.line = static_cast<std::uint32_t>(frame.line);
    return true;
  }
  const auto [line, isNew] = known->lines.try_emplace(frame.at, 0);
  if (isNew) line->second = python::readLine(memory_.direct(), python_, known->code, frame);
  into.line = static_cast<std::uint32_t>(line->second);
  return true;
}

PythonProcess::KnownCode* PythonProcess::codeAt(const python::Memory& memory, python::Address address,
                                                PythonFile& file) {
  constexpr std::size_t kMostCodes = 65536;
  if (codes_.size() >= kMostCodes) codes_.clear();
  KnownCode& known = codes_[address];
  // Other code hardly ever takes the place of one within so many samples.
  constexpr std::uint64_t kBetweenLooks = 32;
  if (known.id != 0 && round_ - known.looked < kBetweenLooks) return &known;
  python::Code code;
  if (!python::readCode(memory, python_, address, code)) {
    codes_.erase(address);
    return nullptr;
  }
  known.looked = round_;
  if (known.id != 0 && known.code == code) return &known;
  // New, or other code where a function was that is gone.
  constexpr std::size_t kLongest = 4096;
  char name[kLongest], source[kLongest];
  std::size_t nameLength = 0, sourceLength = 0;
  if (!python::readText(memory_.direct(), python_, code.name, name, nameLength) ||
      !python::readText(memory_.direct(), python_, code.file, source, sourceLength)) {
    codes_.erase(address);
    return nullptr;
  }
  known = {.code = code, .id = ++nextCode_, .looked = round_, .lines = {}};
  file.code(known.id, {name, nameLength}, {source, sourceLength}, code.firstLine);
  return &known;
}

bool PythonProcess::hasThread(std::uint32_t number) const {
  const std::string task = "/proc/" + std::to_string(process_) + "/task/" + std::to_string(number);
  return number != 0 && access(task.c_str(), F_OK) == 0;
}

std::uint32_t PythonProcess::numberOf(const python::Thread& thread, KnownThread& known) {
  for (const python::Address offset : kNumberInThread) {
    std::uint32_t claimed = thread.native;
    const bool isTold = claimed != 0 || (python::isObject(thread.id) &&
                                         memory_.repeated().get(thread.id + offset, claimed) && claimed != 0);
    if (isTold && claimed == known.claimed) return known.number;
    if (isTold && hasThread(claimed)) {
      known.claimed = claimed;
      return known.number = claimed;
    }
    if (isTold && thread.native != 0) break;
  }
  // In a forked child it may be the parent's still; a process of one thread has no choice.
  return threadsNow_ == 1 ? static_cast<std::uint32_t>(process_) : 0;
}

}  // namespace lanescope::sample
