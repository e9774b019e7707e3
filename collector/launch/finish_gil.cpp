// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_gil.h"

#include "model/report/rows_host.h"

namespace lanescope::launch {

void GilRows::see(std::uint32_t tid, const wire::OsCall& call) {
  if (call.object < runtime_.first || call.object >= runtime_.second) return;
  const auto name = process_.text(call.name);
  if (name != "pthread_cond_timedwait" && name != "pthread_cond_clockwait") return;
  const Span wait{process_.time(call.start), process_.time(call.end)};
  const auto [held, isFirst] = waits_.try_emplace(tid, wait);
  if (isFirst) return;
  // What lies between two slices of one wait is a look at a flag; a thread that got the lock holds it for longer.
  constexpr trace::Ns kBetween = 50'000;
  if (wait.start >= held->second.end && wait.start - held->second.end <= kBetween) {
    held->second.end = wait.end;
    return;
  }
  write(tid, held->second);
  held->second = wait;
}

void GilRows::finish() {
  for (const auto& [tid, wait] : waits_) write(tid, wait);
  waits_.clear();
}

void GilRows::write(std::uint32_t tid, const Span& wait) {
  if (!process_.windows.keeps(wait.start, wait.end)) return;
  ++process_.events;
  writer_.add(report::GilWaitRow{.start = wait.start, .end = wait.end, .globalTid = process_.globalTid(tid)});
}

}  // namespace lanescope::launch
