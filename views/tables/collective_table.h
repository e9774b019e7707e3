// SPDX-License-Identifier: GPL-3.0-or-later
// The collectives of several ranks as a content for a FigureTable, the longest wait first. Pure.
#pragma once

#include <memory>

#include "model/together/collectives_across.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

/// The key of a row is its call, an index into Across::calls. O(parts).
TableContent collectiveContent(const std::shared_ptr<const together::Across>& across);

}  // namespace lanescope::views
