// SPDX-License-Identifier: Apache-2.0
// Where the events of one document stand while it is read: a place for each pid and tid, a track for each kind of event
// on it. Whose a place is, is decided at the document's end (chrome_owners.h), since what tells it stands anywhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/import/chrome_kinds.h"
#include "model/import/json_event.h"
#include "model/import/recording.h"

namespace lanescope::imported {

/// A text that is a whole number counts as that number: some writers put every id in quotes.
Identity identityOf(const JsonId& id);

struct IdentityHash {
  std::size_t operator()(const Identity& id) const {
    return std::hash<std::string_view>{}(id.text) ^ static_cast<std::size_t>(id.number) * 0x9E3779B97F4A7C15ull;
  }
};

using PlaceId = std::uint32_t;

struct TrackKey {
  PlaceId place = 0;
  trace::EventKind kind = trace::EventKind::kNvtxRange;
  Subject subject = Subject::kSlice;
  std::uint8_t copyKind = 0;
  trace::NameId domain = 0;  ///< of ranges: its name where the event tells one
  bool isNvtx = false;
  std::int64_t device = -1, context = -1, stream = -1;  ///< of GPU work: as the event tells; -1: it does not
  bool operator==(const TrackKey&) const = default;
};

struct Place {
  Identity process, thread;
  std::string name;  ///< thread_name
  std::int64_t sortIndex = 0;  ///< thread_sort_index
  bool hasTracks = false;
};

class Places {
 public:
  explicit Places(Recording& recording) : recording_(recording) {}

  void beginDocument();

  PlaceId of(const JsonId& pid, const JsonId& tid);
  Place& operator[](PlaceId place) { return places_[place].place; }
  const Place& operator[](PlaceId place) const { return places_[place].place; }
  std::size_t size() const { return places_.size(); }

  /// Index of the recording's track for this key, made when first asked for.
  std::uint32_t track(const TrackKey& key);
  trace::EventList& events(std::uint32_t track) { return recording_.tracks[track].events; }
  trace::EventList& events(const TrackKey& key) { return events(track(key)); }

  /// Tracks of this document: the recording's from firstTrack() on.
  std::uint32_t firstTrack() const { return firstTrack_; }
  const std::vector<TrackKey>& tracks() const { return keys_; }

 private:
  struct KeyHash {
    std::size_t operator()(const TrackKey& key) const;
  };
  struct Entry {
    Place place;
    std::vector<std::pair<TrackKey, std::uint32_t>> last;  // the last track of each subject
  };
  struct BothHash {
    std::size_t operator()(const std::pair<Identity, Identity>& ids) const {
      return IdentityHash{}(ids.first) * 31 + IdentityHash{}(ids.second);
    }
  };

  Recording& recording_;
  std::vector<Entry> places_;
  std::unordered_map<std::pair<Identity, Identity>, PlaceId, BothHash> known_;
  struct Recent {
    JsonId::Kind pidKind = JsonId::Kind::kNone, tidKind = JsonId::Kind::kNone;
    std::int64_t pid = 0, tid = 0;
    PlaceId place = 0;
    bool isFilled = false;
  };
  std::array<Recent, 64> recent_;
  std::unordered_map<TrackKey, std::uint32_t, KeyHash> trackOf_;
  std::vector<TrackKey> keys_;
  std::uint32_t firstTrack_ = 0;
};

}  // namespace lanescope::imported
