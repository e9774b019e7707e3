// SPDX-License-Identifier: Apache-2.0
// "name=value" lines, as the files and chunks of facts hold them. Lines without a name are left out. O(length).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::launch {

/// Before a pid, the name under which the launcher notes how a child of its ended: "code N" or "signal N".
inline constexpr std::string_view kEndedFact = "ended.";
/// With a pid: what a process was that ran as another user, and as whom.
inline constexpr std::string_view kOtherUserFact = "other-user.";

class FactLines {
 public:
  void add(std::string_view lines);
  /// In place of all values under that name.
  void set(std::string_view name, std::string_view value);

  /// The last value under that name.
  std::optional<std::string_view> find(std::string_view name) const;
  std::string_view text(std::string_view name) const { return find(name).value_or(std::string_view()); }
  std::optional<std::int64_t> number(std::string_view name) const;

  const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

}  // namespace lanescope::launch
