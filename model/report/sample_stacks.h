// SPDX-License-Identifier: Apache-2.0
// The call stacks of all samples of one kind of a report, for figures over many of them. Read in one pass over the file,
// O(frames log frames); 4 bytes a frame are kept. At most kMostFrames frames and kMostText bytes of names: what is
// beyond is left out, and cut() says so. Immutable once read, any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/trace/names.h"

namespace lanescope::report {

class Database;

enum class StackSource : std::uint8_t {
  kCpu,  ///< COMPOSITE_EVENTS
  kPython,  ///< LANESCOPE_PYTHON_SAMPLES
};

class SampleStacks {
 public:
  static constexpr std::size_t kMostFrames = 16'000'000;
  static constexpr std::size_t kMostText = 64 << 20;

  static Result<std::shared_ptr<const SampleStacks>> read(const std::filesystem::path& path, const Job& job,
                                                          StackSource source = StackSource::kCpu);
  /// Worth nothing once the job was cancelled.
  static std::shared_ptr<const SampleStacks> read(const Database& database, const Job& job, StackSource source);

  /// Of the sample with this rowid, innermost first; empty where none was taken. Texts of the frames are names(): a
  /// function with the file name of its module, of Python that of its source, without the line; its label the function.
  std::span<const trace::NameId> of(std::uint64_t row) const;
  /// True for a sample of which only the innermost function is known, in a recording where others have their stacks: a
  /// stack is often taken with one sample in several. False for all where none was taken: then that is what there is.
  bool notTaken(std::uint64_t row) const;
  const trace::NameTable& names() const { return names_; }
  /// Path of the module that a frame is of, the first of those called alike; empty if not known.
  std::string_view module(trace::NameId frame) const;
  /// True for a function of Python.
  bool isPython(trace::NameId frame) const { return python_.contains(frame); }
  std::size_t size() const { return stacks_.size(); }  ///< stacks
  std::size_t frames() const { return frames_.size(); }
  bool cut() const { return cut_; }
  bool damaged() const { return damaged_; }  ///< the table ends where it could be read no further

 private:
  struct Stretch {
    std::uint32_t first, count;
    bool lone;
  };
  trace::NameTable names_;
  std::unordered_map<trace::NameId, std::string> modules_;  // of frames
  std::vector<trace::NameId> frames_;  // stack by stack
  std::unordered_map<std::uint64_t, Stretch> stacks_;  // by the sample's rowid
  std::unordered_set<trace::NameId> python_;  // of frames
  bool cut_ = false;
  bool damaged_ = false;
  bool someLone_ = false;
};

}  // namespace lanescope::report
