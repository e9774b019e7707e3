// SPDX-License-Identifier: Apache-2.0
#include "model/trace/event_uses.h"

#include <algorithm>

namespace lanescope::trace {
namespace {

/// A record by one of its two numbers.
struct Record {
  std::uint32_t process;
  std::int64_t number;
  Ns start;  // of its call
  std::uint32_t use;
  auto key() const { return std::tuple(process, number, start, use); }
};

/// The latest record of that number at or before a time; null if there is none.
const Record* latest(const std::vector<Record>& records, std::uint32_t process, std::int64_t number, Ns time) {
  const auto after = std::upper_bound(records.begin(), records.end(), std::tuple(process, number, time),
                                      [](const auto& wanted, const Record& record) {
                                        return wanted < std::tuple(record.process, record.number, record.start);
                                      });
  if (after == records.begin()) return nullptr;
  const Record& found = *(after - 1);
  return found.process == process && found.number == number ? &found : nullptr;
}

}  // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>> pairUses(const Trace& trace, const std::vector<EventUse>& uses) {
  const auto startOf = [&](const EventUse& use) { return trace.time(trace.ref(use.call)).begin; };
  std::vector<Record> bySync, byEvent;
  for (std::uint32_t i = 0; i < uses.size(); ++i) {
    const EventUse& use = uses[i];
    if (!use.isRecord || use.call == kNone) continue;
    if (isEventNumber(use.sync)) bySync.push_back({use.process, use.sync, startOf(use), i});
    if (isEventNumber(use.event)) byEvent.push_back({use.process, use.event, startOf(use), i});
  }
  for (std::vector<Record>* records : {&bySync, &byEvent})
    std::sort(records->begin(), records->end(), [](const Record& a, const Record& b) { return a.key() < b.key(); });

  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < uses.size(); ++i) {
    const EventUse& wait = uses[i];
    if (wait.isRecord || wait.call == kNone) continue;
    const Record* record = isEventNumber(wait.sync) ? latest(bySync, wait.process, wait.sync, startOf(wait)) : nullptr;
    if (!record && isEventNumber(wait.event)) record = latest(byEvent, wait.process, wait.event, startOf(wait));
    if (record && uses[record->use].call != wait.call) pairs.emplace_back(record->use, i);
  }
  return pairs;
}

}  // namespace lanescope::trace
