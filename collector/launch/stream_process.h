// SPDX-License-Identifier: Apache-2.0
// Everything one process left behind: the chunks of its stream in order, each part of a ring once, then what is still
// in its rings. Can be walked again; each walk opens and reads the files anew, so that thousands of processes need no more
// descriptors than one. Memory: one chunk, while walking. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <unordered_map>

#include "collector/launch/ring_remains.h"
#include "collector/launch/stream_reader.h"

namespace lanescope::launch {

class ProcessStream {
 public:
  /// PID.TIME.stream, the time in hexadecimal; its rings lie beside it (PID.TIME.rings) unless useRings() names another place.
  static Result<ProcessStream> open(const std::filesystem::path& stream);

  /// Also in the midst of a walk, which comes to the rings last.
  void useRings(const std::filesystem::path& rings) { rings_ = rings; }

  /// Reads so many bytes of the stream only and leaves the rings: what comes after belongs to others, who may be writing.
  void endAt(std::uint64_t size) { size_ = std::min(size, size_), endsEarly_ = true; }

  const std::filesystem::path& path() const { return stream_; }
  std::uint64_t pid() const { return pid_; }  ///< of the file's name
  std::uint64_t time() const { return time_; }  ///< of the file's name

  struct Visitor {
    /// Of any type; the records of a ring without those seen before. Those out of a ring file are a chunk as well.
    std::function<void(const Chunk&)> chunk;
    /// Records of this ring before the next chunk are missing.
    std::function<void(std::uint32_t slot)> gap = {};
    /// How far it is, in bytes of size(); false stops the walk.
    std::function<bool(std::uint64_t done)> progress = {};
  };
  /// False if it was stopped.
  bool walk(const Visitor& visitor);

  std::uint64_t size() const { return size_; }  ///< bytes to read
  const wire::Cut& cut() const { return cut_; }  ///< what was given back to the disk (keep_newest.h)
  const StreamReader::Damage& damage() const { return damage_; }  ///< of the last walk
  std::uint64_t missingRingBytes() const { return missing_; }  ///< of the last walk
  std::uint64_t recoveredBytes() const { return recovered_; }  ///< out of the rings, in the last walk
  std::uint64_t droppedInRings() const { return dropped_; }  ///< events that found no room

 private:
  ProcessStream() = default;
  bool takeRing(Chunk& chunk, const Visitor& visitor);
  void takeRemains(const Visitor& visitor);
  /// Visits what was kept of a part that was given back; takes note of where that ends.
  void takeKept(const Visitor& visitor);

  std::filesystem::path stream_, rings_;
  std::uint64_t pid_ = 0, time_ = 0, size_ = 0;
  wire::Cut cut_;
  StreamReader::Damage damage_;
  std::unordered_map<std::uint32_t, std::uint64_t> seen_;  ///< bytes of each ring so far, by slot
  bool endsEarly_ = false;
  std::uint64_t missing_ = 0, recovered_ = 0, dropped_ = 0;
};

}  // namespace lanescope::launch
