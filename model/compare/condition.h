// SPDX-License-Identifier: Apache-2.0
// What --fail-if asks: a condition that is held against every compared name, or against those and the figures that are
// named before it:
//
//   p < 0.01 and ratio > 1.02            of any name
//   kernel: difference > 2ms             of names of a kind (iteration, kernel, graph, copy, memset, nvtx, api, idle)
//   train:step *: ratio > 1.05           of names; * stands for any text
//   gpu_busy: difference < -5            of a figure of the whole (gpu_time, busy, idle, and the checklist's)
//
// Of names: p (corrected), ratio, low, high, share, difference, count_a, count_b, total_a, total_b, mean_a, mean_b,
// median_a, median_b, and the words new and gone; of figures: a, b, difference, ratio. Numbers may carry ns, us, ms, s
// or %; and, or, not and parentheses join. What is not known (p of too few iterations) is never true, nor its contrary.
// Parsing is O(length), nesting bounded. Immutable; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/compare/comparison.h"

namespace lanescope::compare {

class Condition {
 public:
  /// The error says what is wrong.
  static tl::expected<Condition, std::string> parse(std::string_view text);

  const std::string& text() const { return text_; }

  /// Sentences: of which names and figures it is true. `unknown` counts those that it cannot tell of.
  struct Answer {
    std::vector<std::string> holds;
    std::size_t asked = 0, unknown = 0;
  };
  Answer of(const Comparison& comparison) const;

  struct Node;  ///< of the expression

 private:
  std::string text_, about_;
  std::shared_ptr<const Node> root_;
};

}  // namespace lanescope::compare
