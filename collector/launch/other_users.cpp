// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/other_users.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

#include "collector/launch/clock.h"
#include "collector/launch/fact_lines.h"

namespace lanescope::launch {
namespace {

/// "python3 as user 65534" if it runs as another user than `ours`; empty if not, or if it is gone.
std::string otherUser(const std::string& status, uid_t ours) {
  std::ifstream file(status);
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("Name:\t")) name = line.substr(6);
    if (!line.starts_with("Uid:\t")) continue;
    std::string_view ids = line;
    ids.remove_prefix(std::min(ids.find('\t', 5), ids.size() - 1) + 1);  // behind the real one stands what counts
    uid_t user = ours;
    std::from_chars(ids.data(), ids.data() + ids.size(), user);
    return user == ours ? "" : fmt::format("{} as user {}", name, user);
  }
  return {};
}

}  // namespace

Facts OtherUsers::look(trace::Ns now) {
  Facts facts;
  if (now < next_) return facts;
  next_ = now + kSecond;
  for (const pid_t process : tree_.look()) {
    if (seen_.size() >= kMost || seen_.contains(process)) continue;
    std::string who = otherUser(fmt::format("{}/{}/status", proc_, process), geteuid());
    if (who.empty()) continue;
    seen_.insert(process);
    facts.emplace_back(fmt::format("{}{}", kOtherUserFact, process), std::move(who));
  }
  return facts;
}

}  // namespace lanescope::launch
