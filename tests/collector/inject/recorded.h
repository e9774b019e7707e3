// SPDX-License-Identifier: Apache-2.0
// Recordings under test: a session folder as the launcher makes it, programs run in it, and what their streams and rings
// hold when they are gone, read by a reader that shares nothing with the collector's own.
#pragma once

#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "collector/wire/records.h"
#include "collector/wire/session.h"
#include "tests/support/files.h"

namespace lanescope::test {

struct Recorded {
  wire::RecordHeader header;
  std::string bytes;  ///< with the header
  std::uint32_t tid = 0, slot = 0;
  bool inRing = false;

  template <class Record>
  Record as() const {
    Record record{};
    std::memcpy(static_cast<void*>(&record), bytes.data(), std::min(sizeof record, bytes.size()));
    return record;
  }
};

/// One process's stream and rings.
struct Stream {
  std::vector<Recorded> records;  ///< of one ring in their order
  std::map<std::uint64_t, std::string> texts;
  std::map<std::string, std::string> facts;
  std::map<wire::LossKind, std::uint64_t> losses;
  int clocks = 0, ends = 0, tornBytes = 0;
  bool missesText = false;  ///< a record named a text that no String record before it in its ring or chunk gave

  std::size_t count(wire::RecordType type, const std::string& text = {}) const;
  std::vector<Recorded> all(wire::RecordType type) const;
  std::string fact(const std::string& name) const {
    const auto found = facts.find(name);
    return found != facts.end() ? found->second : std::string();
  }
  std::string messages() const;  ///< all, one a line
};

class TestSession {
 public:
  explicit TestSession(const std::string& options = "trace=cuda,nvtx\n", wire::Capture capture = wire::Capture::kOn);
  ~TestSession();
  TestSession(const TestSession&) = delete;
  TestSession& operator=(const TestSession&) = delete;

  /// Runs a program with the library injected; its wait status. Its output is kept.
  int run(const std::vector<std::string>& command, const std::vector<std::string>& environment = {});
  const std::string& output() const { return output_; }

  wire::ControlPage& control() { return *control_; }
  const std::filesystem::path& folder() const { return folder_.path(); }
  /// Of every process that recorded, in the order of their files' names.
  std::vector<Stream> streams() const;
  Stream onlyStream() const;

 private:
  TemporaryFolder folder_;
  wire::ControlPage* control_ = nullptr;
  std::string output_;
};

Stream readStream(const std::filesystem::path& file);

}  // namespace lanescope::test
