// SPDX-License-Identifier: Apache-2.0
// Which names of two recordings mean the same thing. The same text does; of the texts left over, kernels also if they
// differ only in what a build puts into them (versions of CUB and Thrust in namespaces, numbers of lambdas and anonymous
// namespaces, hashes, the running number of a generated kernel), and then if their names without parameters and
// templates are the same and no other name of either side is left that has it. O(length of all names). Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compare {

struct NameToMatch {
  std::string_view text, label;  ///< label: without parameters and templates
  bool isKernel = false;
};

/// Indices of names on both sides that are one; a side is empty where there is no such name.
struct MatchedNames {
  std::vector<std::size_t> a, b;
};

/// Every name once: those of `a` in their order, with what they match, then what is in `b` only.
std::vector<MatchedNames> matchNames(std::span<const NameToMatch> a, std::span<const NameToMatch> b);

/// A kernel's name without what a build puts into it.
std::string withoutBuildNoise(std::string_view name);

}  // namespace lanescope::compare
