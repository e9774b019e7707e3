// SPDX-License-Identifier: Apache-2.0
#include "model/trace/trace.h"

#include <algorithm>

namespace lanescope::trace {

std::string_view kindName(EventKind kind) {
  static constexpr std::string_view kNames[] = {
      "kernel",        "copy",         "memset",         "graph launch", "synchronization", "GPU page fault",
      "CUDA API",      "OS runtime",   "NVTX range",     "NVTX range",   "NVTX mark",       "library call",
      "overhead",      "thread state", "CPU sample",     "CPU core",     "CPU page fault",  "thread wait",
      "Python sample", "GIL wait",     "GPU projection", "idle GPU",
  };
  static_assert(std::size(kNames) == kEventKinds);
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view copyKindName(std::uint8_t copyKind, bool brief) {
  struct Words {
    std::string_view whole, brief;
  };
  static constexpr Words kWords[] = {
      {"Unknown copy", "Copy"},
      {"Host-to-Device", "HtoD"},
      {"Device-to-Host", "DtoH"},
      {"Host-to-Array", "HtoA"},
      {"Array-to-Host", "AtoH"},
      {"Array-to-Array", "AtoA"},
      {"Array-to-Device", "AtoD"},
      {"Device-to-Array", "DtoA"},
      {"Device-to-Device", "DtoD"},
      {"Host-to-Host", "HtoH"},
      {"Peer-to-Peer", "PtoP"},
      {"Unified Host-to-Device", "UM HtoD"},
      {"Unified Device-to-Host", "UM DtoH"},
      {"Unified Device-to-Device", "UM DtoD"},
  };
  const Words& words = kWords[copyKind < std::size(kWords) ? copyKind : 0];
  return brief ? words.brief : words.whole;
}

EventRef Trace::ref(EventId id) const {
  const auto after = std::upper_bound(laneInfo.begin(), laneInfo.end(), id,
                                      [](EventId value, const LaneInfo& info) { return value < info.firstEvent; });
  const auto lane = static_cast<LaneId>(after - laneInfo.begin() - 1);
  return {lane, id - laneInfo[lane].firstEvent};
}

std::span<const EventId> Trace::partners(EventRef event) const {
  if (event.lane >= partners_.size() || !partners_[event.lane]) return {};
  const std::uint32_t& word = (*partners_[event.lane])[event.index];
  if (word == kNone) return {};
  if ((word & kMany) == 0) return {&word, 1};
  const std::uint32_t* fan = fans_->data() + (word & ~kMany);
  return {fan + 1, *fan};
}

std::span<const EventId> Trace::links(EventRef event) const {
  const EventId from = id(event);
  if (projected_ && from >= projected_->first && info(event).kind == EventKind::kNvtxProjection)
    return {&projected_->rangeOf[from - projected_->first], 1};
  if (const EventKind kind = info(event).kind; kind == EventKind::kNvtxRange || kind == EventKind::kNvtxStartEnd) {
    if (!projected_) return {};
    const std::vector<EventId>& all = projected_->byRange;
    const auto rangeOf = [this](EventId projection) { return projected_->rangeOf[projection - projected_->first]; };
    const auto first = std::partition_point(all.begin(), all.end(), [&](EventId each) { return rangeOf(each) < from; });
    const auto last = std::partition_point(first, all.end(), [&](EventId each) { return rangeOf(each) == from; });
    return {first, last};
  }
  return tied(event);
}

std::span<const EventId> Trace::tied(EventRef event) const {
  if (!links_) return {};
  const EventId from = id(event);
  const auto [first, last] = std::equal_range(links_->from.begin(), links_->from.end(), from);
  return {links_->to.data() + (first - links_->from.begin()), static_cast<std::size_t>(last - first)};
}

bool Trace::leads(EventRef first, EventRef second) const {
  if (const auto ends = tied(first); !ends.empty())
    if (const auto end = std::ranges::find(ends, id(second)); end != ends.end())
      return links_->leads[static_cast<std::size_t>(&*end - links_->to.data())];
  const auto isOnGpu = [this](EventRef event) {  // so the effect of something on a thread
    const EventKind kind = info(event).kind;
    return isGpuWork(kind) || kind == EventKind::kNvtxProjection || kind == EventKind::kIdle;
  };
  if (isOnGpu(first) != isOnGpu(second)) return isOnGpu(second);
  return time(first).begin <= time(second).begin;
}

std::optional<std::int64_t> Trace::recordedOn(EventRef call) const {
  if (!links_) return std::nullopt;
  const EventId wanted = id(call);
  const auto found = std::partition_point(links_->recordedOn.begin(), links_->recordedOn.end(),
                                          [&](const auto& each) { return each.first < wanted; });
  if (found == links_->recordedOn.end() || found->first != wanted) return std::nullopt;
  return found->second;
}

std::size_t Trace::bytes() const {
  std::size_t total = fans_ ? fans_->capacity() * sizeof(std::uint32_t) : 0;
  if (links_)
    total += (links_->from.capacity() + links_->to.capacity()) * sizeof(EventId) +
             links_->recordedOn.capacity() * sizeof(links_->recordedOn[0]);
  if (projected_) total += (projected_->rangeOf.capacity() + projected_->byRange.capacity()) * sizeof(EventId);
  for (const LanePtr& lane : lanes) total += lane->bytes();
  for (const Partners& partners : partners_)
    if (partners) total += partners->capacity() * sizeof(std::uint32_t);
  for (const auto& counter : counters) total += counter->bytes();
  return total;
}

}  // namespace lanescope::trace
