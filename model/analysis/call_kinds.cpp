// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_kinds.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::EventRef;

CallKind callKindOf(std::string_view name) {
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (has("Synchronize")) return CallKind::kSynchronization;
  if (has("StreamWaitEvent")) return CallKind::kStreamWait;
  if (has("ModuleLoad") || has("LibraryLoad") || has("cuLink")) return CallKind::kLoading;
  if (has("Async") || has("Graph") || has("Attributes")) return CallKind::kOther;  // graphs: calls that build them
  if (has("Memcpy")) return CallKind::kCopy;
  if (has("Memset")) return CallKind::kMemset;
  return CallKind::kOther;
}

HostCalls::HostCalls(const ReportInput& input) : trace_(input.trace) {
  const TableValues kinds(input, std::string(kCopyTable), {"srcKind", "dstKind"});
  for (const trace::LaneId id : input.lanes(std::array{EventKind::kCopy})) {
    const std::size_t size = trace_.lanes[id]->size();
    for (std::uint32_t i = 0; i < size; ++i) {
      const EventRef copy{id, i};
      if (kinds.at(copy, 0) != kPageableMemory && kinds.at(copy, 1) != kPageableMemory) continue;
      if (const auto call = input.launchOf(copy)) pageable_.insert(trace_.id(*call));
    }
  }
}

CallKind HostCalls::kindOf(EventRef call) {
  const auto [known, isNew] = kinds_.try_emplace(trace_.name(call));
  if (isNew) known->second = callKindOf((*trace_.names)[trace_.name(call)].text);
  return known->second;
}

bool HostCalls::blocksForMemory(EventRef call) {
  return kindOf(call) == CallKind::kCopy || (!pageable_.empty() && pageable_.contains(trace_.id(call)));
}

}  // namespace lanescope::analysis
