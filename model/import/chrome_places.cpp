// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_places.h"

#include <charconv>
#include <tuple>

namespace lanescope::imported {

Identity identityOf(const JsonId& id) {
  if (id.kind != JsonId::Kind::kText) return {id.number};
  std::int64_t number = 0;
  const char *const begin = id.text.data(), *const end = begin + id.text.size();
  if (const auto [stop, error] = std::from_chars(begin, end, number); error == std::errc() && stop == end)
    return {number};
  return {0, id.text.empty() ? std::string("(unnamed)") : std::string(id.text)};
}

std::size_t Places::KeyHash::operator()(const TrackKey& key) const {
  std::size_t hash = key.place;
  for (const std::int64_t part : {std::int64_t{key.domain} << 32 | static_cast<std::int64_t>(key.kind) << 16 |
                                      static_cast<std::int64_t>(key.subject) << 8 | key.copyKind,
                                  key.device, key.context, key.stream})
    hash = (hash ^ static_cast<std::size_t>(part)) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 32;
  return hash;
}

void Places::beginDocument() {
  places_.clear();
  known_.clear();
  recent_ = {};
  trackOf_.clear();
  keys_.clear();
  firstTrack_ = static_cast<std::uint32_t>(recording_.tracks.size());
}

PlaceId Places::of(const JsonId& pid, const JsonId& tid) {
  const auto find = [&] {
    const auto [entry, isNew] =
        known_.try_emplace({identityOf(pid), identityOf(tid)}, static_cast<PlaceId>(places_.size()));
    if (isNew) {
      Place& place = places_.emplace_back().place;
      std::tie(place.process, place.thread) = entry->first;
    }
    return entry->second;
  };
  if (pid.kind == JsonId::Kind::kText || tid.kind == JsonId::Kind::kText) return find();
  const auto slot = (static_cast<std::size_t>(pid.number) * 31 + static_cast<std::size_t>(tid.number)) % recent_.size();
  Recent& recent = recent_[slot];
  if (!recent.isFilled || recent.pid != pid.number || recent.tid != tid.number || recent.pidKind != pid.kind ||
      recent.tidKind != tid.kind)
    recent = {pid.kind, tid.kind, pid.number, tid.number, find(), true};
  return recent.place;
}

std::uint32_t Places::track(const TrackKey& key) {
  Entry& entry = places_[key.place];
  std::pair<TrackKey, std::uint32_t>* last = nullptr;
  for (auto& candidate : entry.last)
    if (candidate.first.subject == key.subject && candidate.first.kind == key.kind) {
      if (candidate.first == key) return candidate.second;
      last = &candidate;
    }
  const auto [found, isNew] = trackOf_.try_emplace(key, static_cast<std::uint32_t>(recording_.tracks.size()));
  if (isNew) {
    Track& track = recording_.tracks.emplace_back();
    track.kind = key.kind;
    track.copyKind = key.copyKind;
    keys_.push_back(key);
    entry.place.hasTracks = true;
  }
  if (last) *last = {key, found->second};
  else entry.last.emplace_back(key, found->second);
  return found->second;
}

}  // namespace lanescope::imported
