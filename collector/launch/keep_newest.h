// SPDX-License-Identifier: Apache-2.0
// `--max-size=SIZE,ring`: gives the oldest records of a recording under way back to the disk, so that it never grows
// beyond a size for long. A stream stays one file to which its process appends; what was given back is a hole at its
// beginning. What later records may refer to (texts, contexts, names, clocks, facts, the last stack of each thread of
// Python) goes to PID.TIME.stream.kept first, and the end of the hole after that, so that a launcher that is killed in
// between leaves a recording that reads as before. Reads each byte given back once, through one buffer. Memory: 8 bytes
// for each definition. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <unordered_set>

namespace lanescope::launch {

class KeepNewest {
 public:
  KeepNewest(std::filesystem::path session, std::uint64_t most) : session_(std::move(session)), most_(most) {}

  /// Gives back as much as is needed. False if that is not possible: the file system makes no holes, or what must be
  /// kept takes the room.
  bool look();

 private:
  struct Stream {
    std::uint64_t begin = 0;  ///< of what is not given back
    std::uint64_t next = 0;  ///< when the chunk there was written, as far as is known
    std::uint64_t events = 0;  ///< given back
    std::unordered_set<std::uint64_t> defined;
    bool looked = false;  ///< in this look, in vain
  };
  using Entry = std::pair<const std::filesystem::path, Stream>;

  void findStreams();
  Entry* oldest();
  /// Bytes given back, up to `wanted` and while the chunks are older than `until`.
  std::uint64_t giveBack(Entry& entry, std::uint64_t wanted, std::uint64_t until, bool& possible);

  std::filesystem::path session_;
  std::uint64_t most_;
  std::map<std::filesystem::path, Stream> streams_;
};

/// Where a stream's definitions went.
std::filesystem::path keptBeside(const std::filesystem::path& stream);

/// What a session's streams take on the disk, each byte of a GPU's metrics counted so many times.
std::uint64_t recordedBytes(const std::filesystem::path& session, std::uint64_t ofMetrics = 1);

}  // namespace lanescope::launch
