// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "collector/launch/finish_target.h"
#include "collector/wire/checksum.h"
#include "model/format.h"
#include "model/report/rows_target.h"

namespace lanescope::launch {

using wire::RecordType;

PythonRecording::PythonRecording(Process& sampler, report::Writer& writer)
    : sampler_(sampler), writer_(writer), codes_(sampler, writer) {
  if (const auto hertz = sampler.facts.number("hertz"); hertz && *hertz > 0) period_ = 1'000'000'000 / *hertz;
}

std::uint32_t PythonRecording::stackOf(const std::vector<wire::PythonFrame>& frames) {
  if (frames.empty()) return kNoStack;
  const std::uint64_t hash =
      wire::hash64(reinterpret_cast<const char*>(frames.data()), frames.size() * sizeof(wire::PythonFrame));
  const auto [at, isNew] = byHash_.try_emplace(hash, static_cast<std::uint32_t>(stacks_.size()));
  if (!isNew) return at->second;
  for (std::size_t depth = 0; depth < frames.size(); ++depth) {
    codes_.write<report::PythonFrameRow>(at->second + 1, frames[depth], static_cast<std::int64_t>(depth));
  }
  // Of more than there is room for, only that they are known.
  frames_ += frames.size();
  stacks_.push_back(frames_ < kMostFrames ? frames : std::vector<wire::PythonFrame>());
  return at->second;
}

void PythonRecording::take(const Record& record, bool fits, std::uint64_t& cut) {
  if (record.type != RecordType::kPythonStack) return;
  const auto sample = record.as<wire::PythonStack>();
  const trace::Ns monotonic = asTime(sample.time), time = sampler_.time(sample.time);
  // A stack that was kept of what --max-size gave back is only what later ones are like.
  const wire::Cut& given = sampler_.stream.cut();
  const bool isWhole = given.end == 0 || monotonic >= asTime(given.time);
  const bool isWanted = isWhole && sampler_.windows.keeps(time, time);
  if (!fits) {
    cut += isWanted;
    return;
  }
  Thread& thread = threads_[sample.thread];
  const bool isSame = (sample.cut & wire::kSameFrames) != 0;
  if (!isSame) thread.stack = stackOf(framesOf(record));
  if (!isWanted || thread.stack == kNoStack) return;
  processes_.insert(sample.process);
  ++sampler_.events;
  writer_.add(
      report::PythonSampleRow{.id = ++samples_,
                              .start = time,
                              .globalTid = globalPidOf(sample.process) | (sample.thread & 0xFFFFFF),
                              .holdsGil = sample.holdsGil <= 1 ? report::OptionalId(sample.holdsGil) : std::nullopt,
                              .callchain = thread.stack + 1});
  std::vector<Stretch>& stretches = thread.stretches;
  if (!stretches.empty() && stretches.back().stack == thread.stack && monotonic >= stretches.back().last &&
      monotonic - stretches.back().last <= reach()) {
    stretches.back().last = monotonic;
  } else if (stretches_ < kMostStretches) {
    ++stretches_;
    stretches.push_back({monotonic, monotonic, thread.stack});
  }
}

bool PythonRecording::writeEvents(std::uint64_t most, std::uint64_t& cut,
                                  const std::function<bool(std::uint64_t)>& progress) {
  std::uint64_t read = 0;
  return sampler_.stream.walk({.chunk =
                                   [&](const Chunk& chunk) {
                                     if (chunk.header.type != wire::ChunkType::kPython) return;
                                     const bool fits = (read += chunk.records.size()) <= most;
                                     forEachRecord(chunk.records,
                                                   [&](const Record& record) { take(record, fits, cut); });
                                   },
                               .gap = {},
                               .progress = progress});
}

std::span<const wire::PythonFrame> PythonRecording::near(std::uint32_t thread, trace::Ns time) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  const std::vector<Stretch>& all = found->second.stretches;
  const auto after = std::upper_bound(all.begin(), all.end(), time,
                                      [](trace::Ns at, const Stretch& stretch) { return at < stretch.first; });
  const Stretch* nearest = nullptr;
  trace::Ns distance = reach();
  const auto look = [&](const Stretch& stretch, trace::Ns away) {
    if (away > distance) return;
    distance = away;
    nearest = &stretch;
  };
  if (after != all.begin()) look(after[-1], std::max<trace::Ns>(0, time - after[-1].last));
  if (after != all.end()) look(*after, after->first - time);
  return nearest ? std::span<const wire::PythonFrame>(stacks_[nearest->stack]) : std::span<const wire::PythonFrame>();
}

void PythonRecording::writeProcesses(const std::set<std::uint64_t>& known) {
  for (const std::uint64_t process : processes_) {
    if (known.contains(process)) continue;
    const std::string path(sampler_.facts.text(fmt::format("exe.{}", process)));
    std::string name = std::filesystem::path(path).filename().string();
    if (name.empty()) name = fmt::format("process {}", process);
    writer_.add(
        report::ProcessRow{.globalPid = globalPidOf(process), .pid = static_cast<report::Id>(process), .name = name});
  }
}

void PythonRecording::writeTrouble(Losses& losses) {
  for (const wire::Message& message : sampler_.messages) {
    const std::string text(sampler_.text(message.text).value_or(""));
    if (!text.empty()) writeIssue(writer_, "no-python-samples", 1, text, losses);
  }
  writeLosses(writer_, sampler_, false, losses);
  for (const auto& [fact, value] : sampler_.facts.all()) {
    if (fact.find('.') == std::string::npos) writer_.addCaptureFact("PYTHON_SAMPLING:" + factName(fact), value);
  }
  const auto count = [&](const char* fact) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sampler_.facts.number(fact).value_or(0), 0));
  };
  // A few are lost to chance: a stack changes while it is read, or the machine is busy.
  constexpr std::uint64_t kFew = 20;
  const std::uint64_t read = count("read");
  if (const std::uint64_t dropped = count("dropped"); dropped > read / kFew) {
    writeIssue(writer_, "python-samples-missing", dropped,
               fmt::format("{} stacks of Python changed while they were read and are not here", formatCount(dropped)),
               losses);
  }
  if (const std::uint64_t late = count("late"); read > 0 && late > read / kFew) {
    writeIssue(writer_, "python-samples-missing", late,
               fmt::format("{} samples of Python were not taken, because those before took too long or the machine was "
                           "busy; a lower --python-sampling-frequency helps",
                           formatCount(late)),
               losses);
  }
}

std::pair<std::uint64_t, std::uint64_t> pythonRuntimeIn(const FactLines& facts, std::uint64_t process) {
  const std::string text(facts.text(fmt::format("python-runtime.{}", process)));
  const std::size_t plus = std::min(text.find('+'), text.size());
  std::uint64_t start = 0, bytes = 0;
  constexpr int kHexadecimal = 16;
  std::from_chars(text.data(), text.data() + plus, start, kHexadecimal);
  if (plus < text.size()) std::from_chars(text.data() + plus + 1, text.data() + text.size(), bytes, kHexadecimal);
  return {start, start + std::min(bytes, ~start)};
}

}  // namespace lanescope::launch
