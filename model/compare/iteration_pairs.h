// SPDX-License-Identifier: Apache-2.0
// Which iteration of one trace is which of the other: those of threads that play one part, matched in order by edit
// distance (match_sequences.h) on their text and what happens in them: first both, then the number in their text, then
// the same work, then the same names, and at last by their place between two that are matched. O(events · log). Any
// thread.
#pragma once

#include <string>
#include <vector>

#include "model/compare/roles.h"
#include "model/compare/side.h"

namespace lanescope::compare {

/// Of both sides as many lists, the n-th of threads that play one part.
struct CommonIterations {
  std::string name;  ///< "domain:step *"; empty if not both have such
  std::vector<Course::List> a, b;
  std::vector<std::uint32_t> leading;  ///< of each process, the list with most
};

CommonIterations commonIterations(const trace::Trace& a, const trace::Trace& b, const Roles& roles);

/// For each list, pairs of indices into its ranges, ascending on both sides. Sides have followed their course.
std::vector<std::vector<Match>> matchIterations(const CommonIterations& iterations, const Side& a, const Side& b,
                                                const CommonNames& names, const Job& job);

}  // namespace lanescope::compare
