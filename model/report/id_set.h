// SPDX-License-Identifier: Apache-2.0
// A set of row ids or correlation ids. Such ids come in runs, so it takes about a byte an id, and 60 where they do not.
// O(1).
#pragma once

#include <cstdint>
#include <unordered_map>

namespace lanescope::report {

class IdSet {
 public:
  void insert(std::int64_t id) { words_[id >> 6] |= bit(id); }
  bool contains(std::int64_t id) const {
    const auto word = words_.find(id >> 6);
    return word != words_.end() && (word->second & bit(id)) != 0;
  }

 private:
  static std::uint64_t bit(std::int64_t id) { return std::uint64_t{1} << (id & 63); }
  std::unordered_map<std::int64_t, std::uint64_t> words_;  // 64 ids each
};

}  // namespace lanescope::report
