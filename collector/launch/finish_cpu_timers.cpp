// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_cpu_timers.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace lanescope::launch {

namespace {

unwind::AddressSpace spaceOf(Process& process) {
  constexpr trace::Ns kSeenLate = 1'000'000'000;  // the recorder looks some times a second what is loaded
  unwind::AddressSpace space;
  for (const wire::Module& module : process.modules) {
    const auto bytes = std::min<std::size_t>(module.header.aux, sizeof module.buildId);
    space.map({.start = module.start,
               .end = module.end,
               .offset = module.offset,
               .path = std::string(process.text(module.path).value_or("")),
               .buildId = {module.buildId, module.buildId + bytes},
               .time = minus(asTime(module.time), kSeenLate)});
  }
  return space;
}

}  // namespace

CpuTimerRows::CpuTimerRows(Process& process, report::Writer& writer, StackNames& names, report::Id& samples)
    : process_(process), writer_(writer), names_(names), samples_(samples), space_(spaceOf(process)) {}

bool CpuTimerRows::take(const Record& record) {
  if (record.type != wire::RecordType::kCpuSample) return false;
  constexpr std::size_t kMostFrames = 1024;
  constexpr report::Id kRunning = 1;
  const auto sample = record.as<wire::CpuSample>();
  const trace::Ns start = process_.time(sample.time);
  if (start < process_.begins || !process_.windows.keeps(start, start)) return true;
  writer_.add(report::CpuSampleRow{.id = ++samples_,
                                   .start = start,
                                   .cpu = sample.cpu,
                                   .threadState = kRunning,
                                   .globalTid = process_.globalTid(sample.thread)});
  const std::string_view bytes = record.behind<wire::CpuSample>();
  stack_.resize(bytes.size());
  if (!bytes.empty()) std::memcpy(stack_.data(), bytes.data(), bytes.size());
  const unwind::Registers registers{.ip = sample.ip,
                                    .sp = sample.sp,
                                    .bp = sample.bp,
                                    .bx = sample.bx,
                                    .r12 = sample.r12,
                                    .r13 = sample.r13,
                                    .r14 = sample.r14,
                                    .r15 = sample.r15};
  const trace::Ns at = asTime(sample.time);
  frames_.resize(kMostFrames);
  const unwind::Walk walk = names_.unwinder().unwind(space_, registers, stack_, at, frames_);
  frames_.resize(walk.frames);
  if (frames_.empty()) frames_.push_back({.address = sample.ip, .isExact = true});
  names_.write<report::SampleFrameRow>(samples_, space_, frames_, at);
  return true;
}

}  // namespace lanescope::launch
