// SPDX-License-Identifier: Apache-2.0
// Standard output for commands: what is printed, and whether it arrived. A full disk is an exit status, not an exception.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace lanescope::cli {

void put(std::string_view text);

template <class... Args>
void print(fmt::format_string<Args...> words, Args&&... args) {
  put(fmt::format(words, std::forward<Args>(args)...));
}

/// Writes out what is left. 0, or the exit status after one line on stderr if anything could not be written.
int finishOutput();

}  // namespace lanescope::cli
