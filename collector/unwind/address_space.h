// SPDX-License-Identifier: Apache-2.0
// What of which file was mapped where and when, of one process from one exec to the next. A later mapping replaces what it
// overlaps from its time on; questions about any time are answered, in any order.
//
// Every mapping makes a new version of a tree that shares all else with the version before, so that asking is O(log n) and
// a fork's copy costs nothing but its own mappings. Copies share their nodes: all of one family belong to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/time.h"

namespace lanescope::unwind {

struct Mapping {
  std::uint64_t start = 0, end = 0;
  std::uint64_t offset = 0;  ///< in the file
  std::string path = {};  ///< or "[vdso]", "//anon", "[heap]"…; as /proc/PID/maps writes them
  std::vector<std::uint8_t> buildId = {};  ///< empty: not known
  trace::Ns time = 0;
  std::uint32_t number = 0;  ///< among all mappings of this program; given by map()
};

class NamedRanges;

class AddressSpace {
 public:
  static constexpr std::size_t kMostMappings = 1u << 16;  ///< of a family; further ones are counted

  AddressSpace();

  /// Quick in order of time; what comes late is put where it belongs when somebody asks.
  void map(Mapping mapping);

  /// What a child has that was forked at that time.
  AddressSpace forked(trace::Ns time) const;

  const Mapping* at(std::uint64_t address, trace::Ns time) const;
  /// All that is mapped then, by address. One that others overlap stands for each of its parts.
  std::vector<const Mapping*> all(trace::Ns time) const;

  /// What the program said of code that it made itself (NamedRanges::perfMap); a fork's copy has it too.
  std::shared_ptr<const NamedRanges> made = nullptr;

  bool empty() const { return own_.empty() && versions_.empty(); }
  std::size_t dropped() const;

 private:
  struct Version {
    trace::Ns time = 0;
    std::uint32_t root = 0;
  };
  struct Nodes;

  std::uint32_t rootAt(trace::Ns time) const;
  void arrange() const;

  std::shared_ptr<Nodes> nodes_;
  std::uint32_t inherited_ = 0;  // root that all began with
  std::vector<const Mapping*> own_;
  mutable std::vector<Version> versions_;  // by time, of own_
  mutable bool inOrder_ = true;
};

/// The lines of a /proc/PID/maps that may be executed, all of this time. Lines that are none are left out.
std::vector<Mapping> mappingsOf(std::string_view maps, trace::Ns time);

}  // namespace lanescope::unwind
