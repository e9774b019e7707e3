// SPDX-License-Identifier: Apache-2.0
// How much a recording under way has on the disk, looked at again and again: each look reads what came since the last,
// at most kMostBytes of it, so that looking costs the program little. What is still in its rings does not count. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace lanescope::launch {

class RecordedSoFar {
 public:
  static constexpr std::uint64_t kMostBytes = 32u << 20;

  explicit RecordedSoFar(std::filesystem::path session) : session_(std::move(session)) {}

  void look();
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t events() const { return events_; }  ///< of what was read; the ends of ranges are none

 private:
  std::filesystem::path session_;
  std::map<std::filesystem::path, std::uint64_t> read_;
  std::uint64_t bytes_ = 0, events_ = 0;
};

}  // namespace lanescope::launch
