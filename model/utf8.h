// SPDX-License-Identifier: Apache-2.0
// Text from a report or a path made fit to show: valid UTF-8 on one line. O(length); any thread.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// The text with every byte that is not UTF-8 replaced by U+FFFD and every control character by a visible picture of
/// it (U+2400 and on), so that it can be shown and copied. Text that is fine comes back unchanged.
std::string repairUtf8(std::string_view text);

/// The same of at most `most` bytes of it, cut between characters; a longer one says so at its end: "… (200 MB in all)".
std::string shownText(std::string_view text, std::size_t most);

/// True if the text needs no repair.
bool isCleanUtf8(std::string_view text);

}  // namespace lanescope
