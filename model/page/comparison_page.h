// SPDX-License-Identifier: Apache-2.0
// A comparison as a page of its own, or as sections of a page about one of its reports.
#pragma once

#include "model/compare/comparison.h"
#include "model/page/page.h"

namespace lanescope::page {

std::vector<Section> comparisonSections(const compare::Comparison& comparison);

Page comparisonPage(const compare::Comparison& comparison);

}  // namespace lanescope::page
