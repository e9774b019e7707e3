// SPDX-License-Identifier: Apache-2.0
// Who is in a recording, found or made by what a database calls them; and whose events a row belongs to, quickly.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "model/import/recording.h"

namespace lanescope::imported {

/// Indices into the vectors of the recording, of what is there already or is made now. O(log n).
class Roster {
 public:
  explicit Roster(Recording& recording) : recording_(recording) {}

  std::uint32_t process(std::int64_t pid);
  std::uint32_t thread(std::uint32_t process, std::int64_t tid);
  std::uint32_t gpu(std::uint32_t process, std::int64_t device);
  std::uint32_t stream(std::uint32_t gpu, std::int64_t context, std::int64_t stream);
  std::uint32_t domain(std::uint32_t process, std::string_view name, bool isNvtx);

  std::uint32_t ofThread(trace::EventKind kind, std::uint32_t thread, std::uint32_t domain = trace::kNone);
  std::uint32_t ofStream(trace::EventKind kind, std::uint32_t stream, std::uint8_t copyKind = 0);
  std::uint32_t ofGpu(trace::EventKind kind, std::uint32_t gpu);
  std::uint32_t ofProcess(trace::EventKind kind, std::uint32_t process, std::uint32_t domain = trace::kNone);

 private:
  std::uint32_t track(Track track);

  Recording& recording_;
  std::map<std::int64_t, std::uint32_t> processes_;
  std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> threads_, gpus_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> streams_;
  std::map<std::tuple<std::uint32_t, std::string, bool>, std::uint32_t> domains_;
  std::map<std::array<std::uint32_t, 7>, std::uint32_t> tracks_;
};

/// The track of a row by the numbers in it: rows of one owner mostly follow each other.
template <std::size_t kNumbers>
class TrackOf {
 public:
  using Key = std::array<std::int64_t, kNumbers>;

  /// `make` gives the track of numbers that are new.
  template <class Make>
  std::uint32_t operator()(const Key& key, Make make) {
    if (any_ && key == last_) return track_;
    auto at = known_.find(key);
    if (at == known_.end()) at = known_.emplace(key, make()).first;
    any_ = true, last_ = key, track_ = at->second;
    return track_;
  }

 private:
  std::map<Key, std::uint32_t> known_;
  Key last_ = {};
  std::uint32_t track_ = 0;
  bool any_ = false;
};

}  // namespace lanescope::imported
