// SPDX-License-Identifier: Apache-2.0
#include "model/together/report_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>

namespace lanescope::together {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool isDigit(char c) { return kDigits.find(c) != std::string_view::npos; }

/// Takes the number that `text` begins with off it, without leading zeros.
std::string_view takeNumber(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of(kDigits), text.size());
  const std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

/// "run2" before "run10".
std::strong_ordering byValue(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (isDigit(a.front()) && isDigit(b.front())) {
      const std::string_view x = takeNumber(a), y = takeNumber(b);
      if (const auto order = x.size() <=> y.size(); order != 0) return order;
      if (const auto order = x <=> y; order != 0) return order;
    } else {
      if (const auto order = static_cast<unsigned char>(a.front()) <=> static_cast<unsigned char>(b.front());
          order != 0)
        return order;
      a.remove_prefix(1), b.remove_prefix(1);
    }
  }
  return a.size() <=> b.size();
}

bool comesBefore(const Identity& a, const Identity& b) {
  if (a.host.empty() != b.host.empty()) return b.host.empty();
  if (const auto order = byValue(a.host, b.host); order != 0) return order < 0;
  if (a.rank != b.rank) return a.rank.value_or(INT_MAX) < b.rank.value_or(INT_MAX);
  if (const auto order = byValue(a.calledBy().filename().string(), b.calledBy().filename().string()); order != 0)
    return order < 0;
  return byValue(a.path.string(), b.path.string()) < 0;
}

/// Longer with each level; all have the same number of levels.
std::vector<std::string> namesOf(const Identity& identity) {
  const std::string file = identity.calledBy().filename().string();
  const std::string inFolder = (identity.calledBy().parent_path().filename() / file).string();
  const std::string rank = identity.rank ? fmt::format("rank {}", *identity.rank) : file;
  return {rank, identity.host.empty() ? rank : identity.host + " " + rank, file, inFolder,
          identity.calledBy().string()};
}

}  // namespace

void sortForShow(std::vector<Identity>& identities) { std::ranges::stable_sort(identities, comesBefore); }

std::vector<std::string> shortNames(std::span<const Identity> identities) {
  std::vector<std::vector<std::string>> all;
  std::map<std::pair<std::size_t, std::string>, std::size_t> uses;
  for (const Identity& identity : identities) {
    all.push_back(namesOf(identity));
    for (std::size_t level = 0; level < all.back().size(); ++level) ++uses[{level, all.back()[level]}];
  }
  std::vector<std::string> names;
  for (std::vector<std::string>& each : all) {
    std::size_t level = 0;
    while (level + 1 < each.size() && uses[{level, each[level]}] > 1) ++level;
    names.push_back(std::move(each[level]));
  }
  return names;
}

bool sameMachine(const Identity& a, const Identity& b) {
  if (!a.bootId.empty() && !b.bootId.empty()) return a.bootId == b.bootId;
  if (!a.gpus.empty() && !b.gpus.empty()) return std::ranges::find_first_of(a.gpus, b.gpus) != a.gpus.end();
  return !a.host.empty() && a.host == b.host;
}

}  // namespace lanescope::together
