// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_perf_tasks.h"

#include <fmt/format.h>

#include <algorithm>

#include "collector/launch/clock_map.h"
#include "collector/launch/report_name.h"
#include "collector/unwind/named_ranges.h"
#include "model/utf8.h"

namespace lanescope::launch {
namespace {

constexpr std::string_view kNoFile = "//anon";

std::unique_ptr<unwind::Mapping> mappingOf(const PerfRecord& record) {
  enum At : std::size_t { kStart = 8, kLength = 16, kOffset = 24, kBuildIdSize = 32, kBuildId = 36, kPath = 64 };
  constexpr std::size_t kMostBuildId = 20;
  auto mapping = std::make_unique<unwind::Mapping>();
  mapping->start = numberAt<std::uint64_t>(record.body, kStart);
  const auto length = numberAt<std::uint64_t>(record.body, kLength);
  if (__builtin_add_overflow(mapping->start, length, &mapping->end)) return nullptr;
  mapping->offset = numberAt<std::uint64_t>(record.body, kOffset);
  mapping->path = textAt(record.body, kPath);
  mapping->time = asTime(record.id.time);
  const std::size_t size = std::min<std::size_t>(numberAt<std::uint8_t>(record.body, kBuildIdSize), kMostBuildId);
  if ((record.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0 && record.body.size() >= kBuildId + size) {
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(record.body.data()) + kBuildId;
    mapping->buildId.assign(bytes, bytes + size);
  }
  return mapping;
}

}  // namespace

void PerfTasks::take(const PerfRecord& record) {
  if (!isPerfDefinition(record.type)) return;
  if (told_.size() == kMost) {
    ++dropped_;
    return;
  }
  const auto number = [&](std::size_t at) { return numberAt<std::uint32_t>(record.body, at); };
  Told told;
  told.time = asTime(record.id.time);
  told.type = record.type;
  told.process = number(0);
  told.thread = number(4);
  switch (record.type) {
    case PERF_RECORD_COMM:
      told.text = textAt(record.body, 8);
      told.isExec = (record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
      break;
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      told.parent = number(4);
      told.thread = number(8);
      told.parentThread = number(12);
      break;
    case PERF_RECORD_MMAP2:
      told.mapping = mappingOf(record);
      if (!told.mapping) return;
      break;
    default:
      return;
  }
  told_.push_back(std::move(told));
}

void PerfTasks::apply(Told& told) {
  Process& process = processes_[told.process];
  switch (told.type) {
    case PERF_RECORD_COMM: {
      Thread& thread = threads_[told.thread];
      thread.process = told.process;
      thread.name = repairUtf8(told.text);
      if (told.isExec) {
        process.program.clear();
        process.lastExec = told.time;
        begin(process, told.time);
      }
      if (told.isExec && !firstExec_) firstExec_ = Exec{told.thread, told.time};
      break;
    }
    case PERF_RECORD_FORK: {
      Thread thread;
      thread.process = told.process;
      if (const auto parent = threads_.find(told.parentThread); parent != threads_.end())
        thread.name = parent->second.name;
      threads_[told.thread] = std::move(thread);
      if (told.process == told.parent) break;
      process.parent = told.parent;  // of an id that is used again, what the one before had mapped stays known
      process.ended.reset();
      process.lastExec.reset();
      if (const auto parent = processes_.find(told.parent); parent != processes_.end()) {
        process.program = parent->second.program;
        if (!parent->second.images.empty())
          begin(process, told.time, parent->second.images.back().space.forked(told.time));
      }
      break;
    }
    case PERF_RECORD_EXIT:
      threads_[told.thread].process = told.process;
      threads_[told.thread].ended = told.time;
      if (told.thread == told.process) process.ended = told.time;
      break;
    default:  // the first file that a new program maps is its own
      if (process.program.empty() && told.mapping->path.starts_with('/')) {
        process.program = repairUtf8(told.mapping->path);
      }
      process.makesCode |= told.mapping->path == kNoFile;
      if (process.images.empty()) begin(process, told.time);
      process.images.back().space.map(std::move(*told.mapping));
      break;
  }
}

unwind::AddressSpace& PerfTasks::begin(Process& process, trace::Ns time, unwind::AddressSpace space) {
  return process.images.emplace_back(Image{time, std::move(space)}).space;
}

const unwind::AddressSpace& PerfTasks::spaceOf(std::uint32_t process, trace::Ns time) const {
  const auto found = processes_.find(process);
  if (found == processes_.end() || found->second.images.empty()) return nothing_;
  const std::vector<Image>& images = found->second.images;
  const auto after = std::upper_bound(images.begin(), images.end(), time,
                                      [](trace::Ns at, const Image& image) { return at < image.begin; });
  return after == images.begin() ? images.front().space : std::prev(after)->space;
}

void PerfTasks::arrange() {
  std::stable_sort(told_.begin(), told_.end(), [](const Told& a, const Told& b) { return a.time < b.time; });
  for (Told& told : told_) apply(told);
  std::vector<Told>().swap(told_);
}

void PerfTasks::readMaps(const std::filesystem::path& folder, trace::Ns since) {
  for (auto& [pid, process] : processes_) {
    if (!process.makesCode) continue;
    const std::filesystem::path file = folder / fmt::format("perf-{}.map", pid);
    if (standsSince(file, since)) continue;  // of a process before, that had the same number
    const auto made = std::make_shared<const unwind::NamedRanges>(unwind::NamedRanges::perfMap(file));
    for (Image& image : process.images) image.space.made = made;
  }
}

PerfTasks::Thread* PerfTasks::see(std::uint32_t process, std::uint32_t thread) {
  auto found = threads_.find(thread);
  if (found == threads_.end()) {
    if (threads_.size() >= 2 * kMost) return nullptr;
    found = threads_.try_emplace(thread).first;
    found->second.process = process;
  }
  found->second.isSeen = true;
  processes_[process].isSeen = true;
  return &found->second;
}

}  // namespace lanescope::launch
