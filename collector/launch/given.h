// SPDX-License-Identifier: Apache-2.0
// The options of a command line as given, in their order: which row of the table, which value, how it was typed. Each
// value is of its row's kind. Between the words and the typed Options. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "collector/launch/option_table.h"

namespace lanescope::launch {

struct Given {
  const OptionRow* row;
  std::string value;
  std::string typed;  ///< "--delay" or "-y"
};

struct GivenOptions {
  std::vector<Given> options;
  std::vector<std::string> program;  ///< what follows them
  bool help = false;

  /// The value that counts, which is the last one; the table's own if it was not given.
  std::string value(std::string_view name) const;
  /// All values, in order, cut at commas that are not escaped by a backslash.
  std::vector<std::string> list(std::string_view name) const;
  bool isOn(std::string_view name) const { return value(name) == "true"; }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  const Given* find(std::string_view name) const;
};

tl::expected<GivenOptions, std::string> readGiven(const std::vector<std::string>& words);

/// A whole number; k and M multiply.
std::optional<std::int64_t> readNumber(std::string_view text);
/// Seconds with an optional fraction, as nanoseconds; at most a century.
std::optional<std::int64_t> readSeconds(std::string_view text);

/// At `separator`, but not behind a backslash, which goes.
std::vector<std::string> splitList(std::string_view text, char separator = ',');

/// "--delay", or "-y (--delay)" where the letter was typed: so that who meant something else sees what it is.
std::string nameOf(const Given& given);

}  // namespace lanescope::launch
