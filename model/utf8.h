// SPDX-License-Identifier: Apache-2.0
// Text from a report or a path made fit to show: valid UTF-8 on one line. O(length); any thread.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// The text with every byte that is not UTF-8 replaced by U+FFFD and every control character by a visible picture of
/// it (U+2400 and on), so that it can be shown and copied. Text that is fine comes back unchanged.
std::string repairUtf8(std::string_view text);

/// True if the text needs no repair.
bool isCleanUtf8(std::string_view text);

}  // namespace lanescope
