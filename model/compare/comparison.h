// SPDX-License-Identifier: Apache-2.0
// Two sides of recordings, A before and B after, name by name: counts and times on both, the difference, its share of
// the change of all names of the kind, and whether it is more than chance. Of several runs a side, counts and times are
// the mean of a run. Cost: that of evidence.h for every name. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/compare/evidence.h"
#include "model/compare/run.h"

namespace lanescope::compare {

struct SideFigures {
  std::uint64_t count = 0;
  trace::Ns total = 0;
  double mean = 0, median = 0;  ///< ns
};

struct ComparedName {
  Subject subject = Subject::kKernel;
  std::string name;  ///< as A has it; of what is new, as B has it
  std::optional<SideFigures> a, b;  ///< none: not there
  Evidence evidence;
  std::vector<std::string> mergedA, mergedB;  ///< the names taken for one, where they are not one and the same

  trace::Ns difference = 0;  ///< of totals, B - A
  std::optional<double> ratio;  ///< of medians, B / A: where it was tested of the instances in iterations
  std::optional<double> share;  ///< of all differences of the subject, up and down together; none where there are none
};

struct ComparedFigure {
  Figure a, b;  ///< the same id, of the same
};

struct Comparison {
  std::vector<std::string> filesA, filesB;
  std::vector<ComparedName> names;  ///< by subject, then by how much their total changed, then by total
  std::vector<ComparedFigure> figures;
  std::uint32_t iterationsA = 0, iterationsB = 0;  ///< of all runs of a side
  std::string iterationName;  ///< empty: none
  std::size_t tested = 0;  ///< names that p is corrected for
  std::vector<std::string> warnings;  ///< why the two are hard to compare, each a sentence
};

/// At least one run a side. `draws` as evidenceOf() takes them.
Comparison compare(std::span<const Run> a, std::span<const Run> b, const Job& job = {}, std::size_t draws = kDraws);

}  // namespace lanescope::compare
