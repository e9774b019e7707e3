// SPDX-License-Identifier: Apache-2.0
// Samples of threads: P entries, the document's own list of them, and the instants that Lanescope exports. Frames of
// their stacks stand at the document's end, so stacks are given then.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/import/chrome_facts.h"
#include "model/import/chrome_nesting.h"
#include "model/import/chrome_places.h"

namespace lanescope::imported {

class ThreadSamples {
 public:
  ThreadSamples(Recording& recording, Places& places) : recording_(recording), places_(places) {}

  void add(const JsonEvent& entry, Subject subject);

  /// At the document's end, before its tracks have owners.
  void finish(const JsonDocument& document, bool timesAreNanoseconds);

  const Fault& stacksCut() const { return stacksCut_; }  ///< samples that have only the inner part of their stack

 private:
  struct Named {
    EventAt sample;
    std::string frame;
    bool isLone;  ///< its callers are not known, while those of others are
  };
  trace::NameId nameOf(std::string_view text) { return recording_.names->intern(text.empty() ? "(unnamed)" : text); }
  EventAt push(PlaceId place, Subject subject, const trace::Event& event);
  void setStack(const Named& named, const StackFrames& frames);

  /// A report has a row for each frame of each sample, whatever they share.
  static constexpr std::size_t kMostFrameRows = std::size_t{1} << 24;
  /// Source rows of what is no entry, beyond those of entries.
  static constexpr std::uint64_t kBeside = std::uint64_t{1} << 40;

  Recording& recording_;
  Places& places_;
  std::vector<Named> later_;
  std::uint64_t beside_ = 0;
  std::size_t frameRows_ = 0;
  struct Known {
    std::uint32_t stack;
    bool isCut;
  };
  std::map<std::pair<std::string, bool>, Known> stacks_;  // of this document, by innermost frame and isLone
  Fault stacksCut_;
};

}  // namespace lanescope::imported
