// SPDX-License-Identifier: Apache-2.0
// A comparison as tables: the one place that says which columns it has, in which order, and in which words a change is
// told. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "model/analysis/table.h"
#include "model/compare/comparison.h"

namespace lanescope::compare {

inline constexpr double kSignificant = 0.05;  ///< a corrected p below it is a change

/// "slower", "faster", "changed" (iterations take longer, their median instance does not, or the other way round), "no
/// change shown", "new", "gone", "too few iterations", "outside iterations".
std::string_view verdictOf(const ComparedName& name);

/// Names of a subject; empty rows where there are none.
analysis::Table namesTable(const Comparison& comparison, Subject subject);

/// Names of all subjects with every figure: what is saved.
analysis::Table allNamesTable(const Comparison& comparison);

/// Figures of the whole; values and difference as text with their unit.
analysis::Table figuresTable(const Comparison& comparison);

/// Everything, numbers as they are: a, b, iterations, warnings, figures, names; what cannot be told is null.
std::string toJson(const Comparison& comparison);

/// What p is and what it is not, for whoever reads the tables; "" where nothing was tested.
std::string evidenceText(const Comparison& comparison);

/// Names that were taken for one though they are not the same, a line each.
std::vector<std::string> mergedTexts(const Comparison& comparison);

}  // namespace lanescope::compare
