// SPDX-License-Identifier: Apache-2.0
// Words of a command as people type and copy them: read as a POSIX shell splits and unquotes them, written so that one
// reads them back unchanged. Nothing is ever expanded: what a shell would do more is refused. O(length). Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lanescope {

/// In single quotes, as every shell of the family of sh reads it back.
std::string singleQuoted(std::string_view text);
/// One argument as a shell reads it back unchanged: in quotes where it needs them, control characters spelled out.
std::string shellQuoted(std::string_view argument);
/// Several, with blanks between.
std::string shellLine(std::span<const std::string> words);

struct ShellProblem {
  std::size_t at = 0;  ///< bytes before it
  std::string text;    ///< what is wrong and what to write instead
};

/// The words of one simple command: blanks separate; '…', "…", \ and $'…' quote.
tl::expected<std::vector<std::string>, ShellProblem> readShellWords(std::string_view line);

}  // namespace lanescope
