// SPDX-License-Identifier: Apache-2.0
// Values over time: counters (C), a curve for each of their args, and the memory that Kineto notes with each allocation.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "model/import/chrome_nesting.h"
#include "model/import/chrome_owners.h"

namespace lanescope::imported {

class Counters {
 public:
  void counter(const JsonEvent& entry);
  /// "[memory]": in use and reserved, of a GPU or of the process, as Kineto writes it; or what was taken and given back,
  /// as Lanescope's export does.
  void memory(const JsonEvent& entry);

  /// Hands over the document's curves; after its owners are known.
  void finish(Recording& recording, Owners& owners);

  const Fault& noNumbers() const { return noNumbers_; }

 private:
  struct Series {
    Identity process;
    std::int64_t device = -1;  ///< -1: of the process
    Curve curve;
    bool isChanges = false;  ///< the values are what was added
  };
  Series& series(const JsonEvent& entry, std::string_view name, std::string_view key, std::int64_t device,
                 trace::Counter::Unit unit);

  std::vector<Series> series_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::string key_;
  Fault noNumbers_;
};

}  // namespace lanescope::imported
