// SPDX-License-Identifier: Apache-2.0
#include "model/compare/match_rows.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "model/compare/roles.h"

namespace lanescope::compare {
namespace {

using trace::kNone;
using trace::Row;
using trace::RowKind;
using trace::Trace;
using Rows = std::vector<std::uint32_t>;

/// Whose row it is, of those that roles.h matches: the index in its list.
std::optional<std::uint32_t> ownerOf(const Trace& trace, const Row& row) {
  const auto inLanes = [&](std::uint32_t trace::LaneInfo::* member) -> std::optional<std::uint32_t> {
    for (const trace::LaneId lane : row.lanes)
      if (const std::uint32_t owner = trace.laneInfo[lane].*member; owner != kNone) return owner;
    return std::nullopt;
  };
  switch (row.kind) {
    case RowKind::kProcess: {
      if (const auto owner = inLanes(&trace::LaneInfo::process)) return owner;
      for (const std::uint32_t child : row.children)  // it may have nothing but counters
        for (const std::uint32_t counter : trace.rows[child].counters)
          if (const std::uint32_t owner = trace.counterInfo[counter].process; owner != kNone) return owner;
      return std::nullopt;
    }
    case RowKind::kGpu:
      if (const auto owner = inLanes(&trace::LaneInfo::gpu)) return owner;
      for (const std::uint32_t child : row.children) {
        for (const std::uint32_t counter : trace.rows[child].counters)
          if (const std::uint32_t owner = trace.counterInfo[counter].gpu; owner != kNone) return owner;
        for (const trace::LaneId lane : trace.rows[child].lanes)
          if (const std::uint32_t owner = trace.laneInfo[lane].gpu; owner != kNone) return owner;
      }
      return std::nullopt;
    case RowKind::kStream:
      return inLanes(&trace::LaneInfo::stream);
    case RowKind::kThread:
      return inLanes(&trace::LaneInfo::thread);
    case RowKind::kNvtx:
    case RowKind::kNvtxProcess:
    case RowKind::kNvtxProjection:
      return inLanes(&trace::LaneInfo::domain);
    default:
      return std::nullopt;
  }
}

class Matching {
 public:
  Matching(const Trace& a, const Trace& b, const Roles& roles) : a_(a), b_(b), roles_(roles) {}

  std::vector<RowPair> pairs() {
    match(a_.rootRows, b_.rootRows);
    return std::move(pairs_);
  }

 private:
  const Rows& rolesOf(RowKind kind) const {
    switch (kind) {
      case RowKind::kProcess:
        return roles_.processes;
      case RowKind::kGpu:
        return roles_.gpus;
      case RowKind::kStream:
        return roles_.streams;
      case RowKind::kThread:
        return roles_.threads;
      default:
        return roles_.domains;
    }
  }

  /// What names a row among those beside it, from the strictest name to the loosest.
  enum class By { kOwner, kKey, kLabel, kKind };
  using Key = std::optional<std::tuple<RowKind, std::uint32_t, std::string>>;
  Key keyOf(const Trace& trace, bool isA, std::uint32_t index, By by) const {
    const Row& row = trace.rows[index];
    if (const auto owner = ownerOf(trace, row)) {
      if (by != By::kOwner) return std::nullopt;
      const Rows& toB = rolesOf(row.kind);
      const std::uint32_t inB = !isA ? *owner : *owner < toB.size() ? toB[*owner] : kNone;
      return inB == kNone ? Key() : Key({row.kind, inB, ""});
    }
    switch (by) {
      case By::kOwner:
        return std::nullopt;
      case By::kKey:
        return Key({row.kind, 0, row.key.substr(row.key.find_last_of('/') + 1)});
      case By::kLabel:
        return Key({row.kind, 0, row.label});
      case By::kKind:  // headings, of which the n-th is the n-th
        return row.children.empty() ? Key() : Key({row.kind, 0, ""});
    }
    return std::nullopt;
  }

  void match(const Rows& as, const Rows& bs) {
    std::map<std::uint32_t, std::uint32_t> toB, toA;
    for (const By by : {By::kOwner, By::kKey, By::kLabel, By::kKind}) {
      std::map<typename Key::value_type, std::pair<Rows, std::size_t>> left;  // of B, and how many are given
      for (const std::uint32_t row : bs)
        if (!toA.contains(row))
          if (const Key key = keyOf(b_, false, row, by)) left[*key].first.push_back(row);
      for (const std::uint32_t row : as) {
        if (toB.contains(row)) continue;
        const Key key = keyOf(a_, true, row, by);
        const auto found = key ? left.find(*key) : left.end();
        if (found == left.end() || found->second.second == found->second.first.size()) continue;
        const std::uint32_t other = found->second.first[found->second.second++];
        toB[row] = other;
        toA[other] = row;
      }
    }
    // What only B has, by the matched row that stands before it in B.
    std::map<std::uint32_t, Rows> behind;
    std::uint32_t before = kNone;
    for (const std::uint32_t row : bs) {
      if (toA.contains(row)) before = row;
      else behind[before].push_back(row);
    }
    const auto addBehind = [&](std::uint32_t row) {
      if (const auto found = behind.find(row); found != behind.end())
        for (const std::uint32_t only : found->second) add(kNone, only);
    };
    addBehind(kNone);
    for (const std::uint32_t row : as) {
      const auto found = toB.find(row);
      add(row, found == toB.end() ? kNone : found->second);
      if (found != toB.end()) addBehind(found->second);
    }
  }

  void add(std::uint32_t a, std::uint32_t b) {
    static const Rows kNoRows;
    pairs_.push_back({a, b});
    match(a == kNone ? kNoRows : a_.rows[a].children, b == kNone ? kNoRows : b_.rows[b].children);
  }

  const Trace &a_, &b_;
  const Roles& roles_;
  std::vector<RowPair> pairs_;
};

}  // namespace

std::vector<RowPair> matchRows(const Trace& a, const Trace& b, const Roles& roles) {
  return Matching(a, b, roles).pairs();
}

std::vector<RowPair> matchRows(const Trace& a, const Trace& b) {
  return matchRows(a, b, matchRoles(a, b, commonNames(a, b)));
}

}  // namespace lanescope::compare
