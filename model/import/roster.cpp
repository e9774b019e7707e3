// SPDX-License-Identifier: Apache-2.0
#include "model/import/roster.h"

namespace lanescope::imported {

using trace::EventKind;

namespace {

/// The index that `known` has for this key, or that of a new item.
template <class Map, class Item>
std::uint32_t foundOrMade(Map& known, const typename Map::key_type& key, std::vector<Item>& items, Item item) {
  const auto [at, isNew] = known.try_emplace(key, static_cast<std::uint32_t>(items.size()));
  if (isNew) items.push_back(std::move(item));
  return at->second;
}

}  // namespace

std::uint32_t Roster::process(std::int64_t pid) {
  return foundOrMade(processes_, pid, recording_.processes, {{pid}, {}, {}});
}

std::uint32_t Roster::thread(std::uint32_t process, std::int64_t tid) {
  return foundOrMade(threads_, {process, tid}, recording_.threads, {process, {tid}, {}});
}

std::uint32_t Roster::gpu(std::uint32_t process, std::int64_t device) {
  return foundOrMade(gpus_, {process, device}, recording_.gpus, {process, device, {}, {}});
}

std::uint32_t Roster::stream(std::uint32_t gpu, std::int64_t context, std::int64_t stream) {
  return foundOrMade(streams_, {gpu, context, stream}, recording_.streams, {gpu, context, stream});
}

std::uint32_t Roster::domain(std::uint32_t process, std::string_view name, bool isNvtx) {
  const std::string text(name);
  return foundOrMade(domains_, {process, text, isNvtx}, recording_.domains, {process, text, isNvtx});
}

std::uint32_t Roster::ofThread(EventKind kind, std::uint32_t thread, std::uint32_t domain) {
  Track made;
  made.kind = kind;
  made.process = recording_.threads[thread].process, made.thread = thread, made.domain = domain;
  return track(std::move(made));
}

std::uint32_t Roster::ofStream(EventKind kind, std::uint32_t stream, std::uint8_t copyKind) {
  Track made;
  made.kind = kind, made.copyKind = copyKind;
  made.gpu = recording_.streams[stream].gpu, made.stream = stream;
  made.process = recording_.gpus[made.gpu].process;
  return track(std::move(made));
}

std::uint32_t Roster::ofGpu(EventKind kind, std::uint32_t gpu) {
  Track made;
  made.kind = kind;
  made.process = recording_.gpus[gpu].process, made.gpu = gpu;
  return track(std::move(made));
}

std::uint32_t Roster::ofProcess(EventKind kind, std::uint32_t process, std::uint32_t domain) {
  Track made;
  made.kind = kind;
  made.process = process, made.domain = domain;
  return track(std::move(made));
}

std::uint32_t Roster::track(Track track) {
  const std::array<std::uint32_t, 7> key = {static_cast<std::uint32_t>(track.kind),
                                            track.copyKind,
                                            track.process,
                                            track.thread,
                                            track.gpu,
                                            track.stream,
                                            track.domain};
  return foundOrMade(tracks_, key, recording_.tracks, std::move(track));
}

}  // namespace lanescope::imported
