// SPDX-License-Identifier: Apache-2.0
// Call stacks of samples in the Trace Event Format: a tree of frames at the end of the file, of which an event names
// the innermost one. What is kept is a node for a frame and its callers, however many samples were there. Private to
// the chrome export.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/export/out_file.h"
#include "model/report/sample_stacks.h"

namespace lanescope::exporting {

class ChromeStacks {
 public:
  /// Bytes for the tree: readers hold it in memory whole, ours up to 64 MiB.
  static constexpr std::size_t kMostBytes = std::size_t{32} << 20;

  /// From here on add() is of the samples of one kind.
  void read(const report::Database& database, const Job& job, report::StackSource source);

  /// What is known of where a sample was.
  struct Place {
    std::uint32_t node = 0;  ///< key in stackFrames; 0: nothing is, or there is no room for more
    std::string function = {};  ///< the innermost
    bool isLone = false;  ///< its callers are not known, while those of others are
  };
  Place add(std::uint64_t row);

  bool cut() const { return cut_; }  ///< some samples have no stack here though the report has it
  bool damaged() const { return damaged_; }  ///< so has the report of some

  /// Appends stackFrames as a member of the document; nothing where there is none.
  void append(OutFile& out) const;

 private:
  struct Node {
    std::uint32_t parent;
    trace::NameId frame;
    const report::SampleStacks* of;
  };
  std::vector<std::shared_ptr<const report::SampleStacks>> read_;  // the last is that of add()
  std::map<std::pair<std::uint32_t, trace::NameId>, std::uint32_t> keys_;  // of the last, by parent and frame
  std::vector<Node> nodes_;  // key is the place, from 1
  std::size_t bytes_ = 0;
  bool cut_ = false, damaged_ = false;
};

}  // namespace lanescope::exporting
