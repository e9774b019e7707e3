// SPDX-License-Identifier: Apache-2.0
// What an injected library would have left of one process, made by hand: chunks of a stream file and rings with what
// was not yet in it. Records go to the part begun last; texts are defined where they are first used.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collector/wire/records.h"

namespace lanescope::test {

struct CallRecord {
  std::uint64_t start = 0, end = 0;
  std::string_view name = "cudaLaunchKernel_v7000";
  std::uint32_t correlation = 0, result = 0;
  bool driver = false;
};

struct KernelRecord {
  std::uint64_t start = 0, end = 0;
  std::string_view name = "_Z4spinPfii";
  std::uint32_t correlation = 0, stream = 7, device = 0, context = 1;
};

struct NvtxRecord {
  std::uint64_t time = 0;
  std::string_view text = {};
  std::uint32_t domain = 0, category = 0, argb = 0;
  std::uint32_t payloadType = 0;
  std::uint64_t payload = 0, range = 0;
  bool registered = false;
};

class StreamBuilder {
 public:
  explicit StreamBuilder(std::filesystem::path session, std::uint32_t pid = 100, std::uint64_t time = 1);

  // Where records go next.
  StreamBuilder& thread(std::uint32_t tid, std::uint32_t slot = 0);  ///< a chunk of that ring
  StreamBuilder& cupti();
  StreamBuilder& losses();
  StreamBuilder& writtenAt(std::uint64_t time);  ///< the part begun last, and those after it
  StreamBuilder& unflushed(std::uint32_t tid, std::uint32_t slot = 0);  ///< the ring only

  // Records.
  StreamBuilder& push(const NvtxRecord& event) { return nvtx(wire::RecordType::kNvtxPush, event); }
  StreamBuilder& mark(const NvtxRecord& event) { return nvtx(wire::RecordType::kNvtxMark, event); }
  StreamBuilder& start(const NvtxRecord& event) { return nvtx(wire::RecordType::kNvtxStart, event); }
  StreamBuilder& pop(std::uint64_t time, std::uint32_t domain = 0);
  StreamBuilder& end(std::uint64_t time, std::uint64_t range);
  StreamBuilder& payload(std::uint64_t schema, std::string_view bytes);
  StreamBuilder& named(wire::RecordType type, std::uint32_t aux, std::uint64_t key, std::string_view name);
  StreamBuilder& call(const CallRecord& call);
  StreamBuilder& kernel(const KernelRecord& kernel);
  StreamBuilder& capture(std::uint64_t time, bool began);
  StreamBuilder& loss(wire::LossKind kind, std::uint64_t count);
  StreamBuilder& message(std::uint32_t severity, std::string_view text);
  template <class T>
  StreamBuilder& record(wire::RecordType type, T fields, std::uint32_t aux = 0, std::string_view behind = {}) {
    fields.header = {type, static_cast<std::uint16_t>(sizeof fields + (behind.size() + 7) / 8 * 8), aux};
    return bytes({reinterpret_cast<const char*>(&fields), sizeof fields}).padded(behind);
  }
  StreamBuilder& bytes(std::string_view raw);
  /// The id of a text, which is defined in this part if it has not been before.
  std::uint64_t text(std::string_view text);
  std::uint64_t undefinedText(std::string_view text) const;

  // Chunks of their own.
  StreamBuilder& facts(std::string_view lines);
  StreamBuilder& clock(std::uint64_t monotonic, std::uint64_t realtime, std::uint64_t bracket = 30);
  StreamBuilder& ended();
  StreamBuilder& rawChunk(wire::ChunkHeader header, std::string_view records);

  /// The stream so far: what a test damages before it is written.
  std::string& stream();
  /// Where the chunk begun last stands in it.
  std::size_t lastChunk() const { return lastChunk_; }
  std::filesystem::path path(const char* ending) const;
  void write();

 private:
  struct Ring {
    std::uint32_t tid = 0;
    std::uint64_t tail = 0;
    std::string kept;
  };
  StreamBuilder& nvtx(wire::RecordType type, const NvtxRecord& event);
  StreamBuilder& padded(std::string_view text);
  StreamBuilder& begin(wire::ChunkType type, std::uint32_t tid, std::uint32_t slot);
  void close();

  std::filesystem::path session_;
  std::uint32_t pid_;
  std::uint64_t time_;
  std::string stream_, records_;
  wire::ChunkHeader header_;
  bool open_ = false, inRing_ = false;
  std::size_t lastChunk_ = 0;
  std::uint64_t writtenAt_ = 0;
  std::map<std::uint32_t, Ring> rings_;  ///< by slot
  std::set<std::uint64_t> defined_;
};

}  // namespace lanescope::test
