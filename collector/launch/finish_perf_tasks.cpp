// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_perf_tasks.h"

#include <algorithm>

#include "collector/launch/clock_map.h"
#include "model/utf8.h"

namespace lanescope::launch {
namespace {

constexpr std::size_t kMapPath = 64;  ///< of PERF_RECORD_MMAP2

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
      told.text = textAt(record.body, kMapPath);
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
      if (told.isExec) process.program.clear();
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
      process = {};
      process.parent = told.parent;
      if (const auto parent = processes_.find(told.parent); parent != processes_.end())
        process.program = parent->second.program;
      break;
    }
    case PERF_RECORD_EXIT:
      threads_[told.thread].process = told.process;
      threads_[told.thread].ended = told.time;
      if (told.thread == told.process) process.ended = told.time;
      break;
    default:  // the first file that a new program maps is its own
      if (process.program.empty() && told.text.starts_with('/')) process.program = repairUtf8(told.text);
      break;
  }
}

void PerfTasks::arrange() {
  std::stable_sort(told_.begin(), told_.end(), [](const Told& a, const Told& b) { return a.time < b.time; });
  for (Told& told : told_) apply(told);
  told_ = {};
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
