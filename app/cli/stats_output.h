// SPDX-License-Identifier: Apache-2.0
// Where a report of `stats` goes: the console, a file beside the input or of a given name, another program.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "model/error.h"

namespace lanescope::cli {

/// What -o says: "-", ".", a file's beginning, or "@COMMAND".
class Destination {
 public:
  explicit Destination(std::string text) : text_(std::move(text)) {}

  bool isConsole() const { return text_ == "-"; }
  bool isCommand() const { return text_.starts_with('@'); }
  /// True for a name or command that is none.
  bool isNowhere() const { return text_.empty() || text_ == "@"; }
  /// True if reports of several inputs would be of one name.
  bool isOneFile() const { return !isConsole() && !isCommand() && text_ != "."; }
  const std::string& text() const { return text_; }

  /// BASE_REPORT.EXTENSION; what a file's name cannot hold is replaced.
  std::filesystem::path path(const std::string& input, const std::string& report, std::string_view extension) const;

 private:
  std::string text_;
};

/// Whether anything goes elsewhere than to the console.
template <class Orders>
bool writesFiles(const Orders& orders) {
  return std::ranges::any_of(orders, [](const auto& order) { return !order.destination.isConsole(); });
}

std::optional<Error> writeFile(const std::filesystem::path& path, const std::string& text, bool overwrite);

/// Gives it to the shell's COMMAND as its input and waits for its end.
std::optional<Error> pipeInto(const std::string& command, const std::string& text);

}  // namespace lanescope::cli
