// SPDX-License-Identifier: Apache-2.0
#include "model/together/collectives_across.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "model/analysis/report_lines.h"
#include "model/together/matching.h"

namespace lanescope::together {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Table;
using trace::Ns;

namespace {

/// A rank and its calls of one communicator.
struct Member {
  std::uint32_t rank = 0;
  const ReportRank* of = nullptr;
  Sequence calls;
};

/// Calls of several ranks of one communicator, the same ones being one entry.
class Merged {
 public:
  void add(std::span<const Slot> calls, Ns slack) {
    std::vector<std::uint32_t> order, entryOf(calls.size());
    std::vector<Slot> slots;
    for (const SlotPair& pair : inOrder(slots_, calls, slack)) {
      if (pair.a == kNoSlot) {
        order.push_back(static_cast<std::uint32_t>(members_.size()));
        members_.push_back(0);
        slots.push_back(calls[pair.b]);
      } else {
        order.push_back(order_[pair.a]);
        slots.push_back(slots_[pair.a]);
      }
      if (pair.b == kNoSlot) continue;
      entryOf[pair.b] = order.back();
      ++members_[order.back()];
      slots.back().begin = std::max(slots.back().begin, calls[pair.b].begin);
    }
    order_ = std::move(order);
    slots_ = std::move(slots);
    entries_.push_back(std::move(entryOf));
  }

  std::size_t entries() const { return members_.size(); }
  /// Which entry each call of the n-th that was added is.
  const std::vector<std::uint32_t>& entriesOf(std::size_t member) const { return entries_[member]; }
  bool isWhole(std::uint32_t entry) const { return members_[entry] == entries_.size(); }

 private:
  std::vector<std::uint32_t> members_;  // by entry: how many have it
  std::vector<std::uint32_t> order_;    // entries in order
  std::vector<Slot> slots_;             // as order_
  std::vector<std::vector<std::uint32_t>> entries_;
};

class Crossing {
 public:
  Crossing(std::span<const Identity> identities, std::span<const Placement> placements,
           std::span<const ReportCalls> reports)
      : identities_(identities), placements_(placements), reports_(reports) {}

  Across run() {
    std::map<SequenceKey, std::vector<Member>> groups;
    const std::vector<std::string> names = shortNames(identities_);
    const SequencesBy by = sequencesBy(reports_);
    std::uint64_t world = 0;
    for (std::uint32_t report = 0; report < reports_.size(); ++report) {
      world = std::max(world, reports_[report].worldSize.value_or(0));
      for (const ReportRank& rank : reports_[report].ranks) {
        const auto index = static_cast<std::uint32_t>(all_.ranks.size());
        std::string label = reports_.size() > 1 || rank.label.empty() ? names[report] : "";
        if (!rank.label.empty()) label += (label.empty() ? "" : " ") + rank.label;
        all_.ranks.push_back({.report = report, .gpu = rank.gpu, .label = std::move(label), .error = {}});
        if (placements_[report].method != ClockMethod::kByHand) all_.ranks.back().error = placements_[report].error;
        if (placements_[report].method == ClockMethod::kNone) {
          all_.ranks.back().alone = rank.calls.size();
          continue;
        }
        for (auto& [key, calls] : sequencesOf(rank, by)) groups[key].push_back({index, &rank, std::move(calls)});
      }
    }
    for (const auto& [key, members] : groups) merge(members);
    std::ranges::stable_sort(all_.calls, {}, [&](const AcrossCall& call) { return startOfLast(call); });
    if (world > all_.ranks.size())
      all_.missing = fmt::format("{} of {} ranks are here: who is last is said of these", all_.ranks.size(), world);
    return std::move(all_);
  }

 private:
  Ns startOfLast(const AcrossCall& call) const {
    return std::ranges::max_element(all_.partsOf(call), {}, [](const AcrossPart& part) { return part.time.begin; })
        ->time.begin;
  }

  Ns errorOf(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t x = all_.ranks[a].report, y = all_.ranks[b].report;
    if (x == y) return a == b ? 0 : 2 * identities_[x].clockError.value_or(0);
    return errorBetween(placements_[x], placements_[y]);
  }

  void merge(std::span<const Member> members) {
    if (members.size() < 2) {
      for (const Member& member : members) all_.ranks[member.rank].alone += member.calls.size();
      return;
    }
    Merged merged;
    Ns slack = kLeavingApart;
    for (const Member& member : members) {
      const Placement& placement = placements_[all_.ranks[member.rank].report];
      slack = std::max(slack, placement.slack);
      merged.add(slotsOf(member.calls, placement.byCollectives), slack);
    }
    constexpr std::size_t kNot = static_cast<std::size_t>(-1);
    std::vector<std::size_t> callOf(merged.entries(), kNot);
    const std::size_t before = all_.calls.size();
    for (std::uint32_t entry = 0; entry < merged.entries(); ++entry) {
      if (!merged.isWhole(entry)) continue;
      callOf[entry] = all_.calls.size();
      all_.calls.push_back({.operation = {}, .firstPart = all_.parts.size(), .partCount = members.size()});
      all_.parts.resize(all_.parts.size() + members.size());
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      for (std::size_t k = 0; k < members[i].calls.size(); ++k) {
        const std::size_t call = callOf[merged.entriesOf(i)[k]];
        if (call == kNot) {
          ++all_.ranks[members[i].rank].alone;
          continue;
        }
        all_.calls[call].operation = members[i].calls[k]->operation;
        all_.parts[all_.calls[call].firstPart + i] = partOf(members[i], *members[i].calls[k]);
      }
    }
    for (std::size_t call = before; call < all_.calls.size(); ++call) divide(all_.calls[call]);
  }

  AcrossPart partOf(const Member& member, const RankCall& call) const {
    const Ns offset = placements_[all_.ranks[member.rank].report].offset;
    const std::vector<RankCall>& calls = member.of->calls;
    const auto index = static_cast<std::size_t>(&call - calls.data());
    const Ns since = index > 0 ? calls[index - 1].time.begin : trace::kMinTime;
    return {.rank = member.rank,
            .kernel = call.kernel,
            .time = {call.time.begin + offset, call.time.end + offset},
            .compute = member.of->compute.covered({since, call.time.begin})};
  }

  /// What each rank's time in it was.
  void divide(AcrossCall& call) {
    const std::span<AcrossPart> parts = std::span(all_.parts).subspan(call.firstPart, call.partCount);
    const auto begin = [](const AcrossPart& part) { return part.time.begin; };
    const auto last = std::ranges::max_element(parts, {}, begin);
    call.last = last->rank;
    const Ns start = last->time.begin;
    call.isCertain = true;
    for (AcrossPart& part : parts) {
      part.error = errorOf(part.rank, call.last);
      part.wait = std::min(start, part.time.end) - part.time.begin;
      part.transfer = part.time.length() - part.wait;
      if (part.rank != call.last && start - part.time.begin <= part.error) call.isCertain = false;
    }
  }

  std::span<const Identity> identities_;
  std::span<const Placement> placements_;
  std::span<const ReportCalls> reports_;
  Across all_;
};

/// A sum of times of a file that may say anything.
struct Total {
  Ns ns = 0;
  Total& operator+=(Ns more) {
    if (__builtin_add_overflow(ns, more, &ns)) ns = std::numeric_limits<Ns>::max();
    return *this;
  }
};

/// What a rank's calls come to.
struct Sum {
  std::int64_t calls = 0, last = 0, unclear = 0;
  Total time, wait, unsure, transfer, caused, compute;

  void add(const AcrossCall& call, const AcrossPart& part) {
    ++calls;
    time += part.time.length();
    wait += part.wait;
    if (!part.isCertain()) unsure += part.wait;
    transfer += part.transfer;
    compute += part.compute;
    if (call.last == part.rank) (call.isCertain ? last : unclear)++;
  }
};

Cell clockError(const AcrossRank& rank) { return rank.error ? Cell(*rank.error) : Cell(); }

Cell share(Ns part, Ns whole) {
  if (whole == 0) return {};
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void addCaveats(const Across& across, const std::vector<std::uint32_t>& rankOfRow, Table& table) {
  for (const std::uint32_t rank : rankOfRow) {
    std::string text = across.missing;
    if (const std::size_t alone = across.ranks[rank].alone; alone > 0)
      text += fmt::format("{}{} of its collectives {} not found on every rank", text.empty() ? "" : "; ", alone,
                          alone == 1 ? "was" : "were");
    table.caveats.push_back(std::move(text));
  }
  analysis::showCaveats(table);
}

constexpr AcrossReport kReports[] = {
    {"lanescope_ranks", "Collectives across Ranks",
     "the same collective on every rank: how long each waited for the last one, and how long data moved; all FILEs are "
     "one "
     "job",
     acrossTable},
    {"lanescope_stragglers", "Stragglers",
     "which rank came last in how many collectives, and what the others waited for it", stragglerTable}};

Table tableOf(const AcrossReport& report, std::vector<analysis::Column> columns) {
  Table table;
  table.name = report.name;
  table.title = report.title;
  table.columns = std::move(columns);
  return table;
}

}  // namespace

std::span<const AcrossReport> acrossReports() { return kReports; }

Across across(std::span<const Identity> identities, std::span<const Placement> placements,
              std::span<const ReportCalls> reports) {
  return Crossing(identities, placements, reports).run();
}

Table acrossTable(const Across& across) {
  Table table = tableOf(kReports[0], {{"Operation"},
                                      {"Rank"},
                                      {"Instances", ColumnKind::kCount},
                                      {"Total Time", ColumnKind::kTime},
                                      {"Wait Time", ColumnKind::kTime},
                                      {"Wait (%)", ColumnKind::kShare},
                                      {"Within Error", ColumnKind::kTime},
                                      {"Transfer Time", ColumnKind::kTime},
                                      {"Came Last", ColumnKind::kCount},
                                      {"Clock Error", ColumnKind::kTime}});
  std::map<std::string, std::map<std::uint32_t, Sum>> sums;
  std::map<std::string, Total> total;
  for (const AcrossCall& call : across.calls)
    for (const AcrossPart& part : across.partsOf(call)) {
      sums[call.operation][part.rank].add(call, part);
      total[call.operation] += part.time.length();
    }
  std::vector<std::string> operations;
  operations.reserve(sums.size());
  for (const auto& [operation, ranks] : sums) operations.push_back(operation);
  std::ranges::stable_sort(operations, std::greater<>(), [&](const std::string& each) { return total[each].ns; });
  std::vector<std::uint32_t> rankOfRow;
  for (const std::string& operation : operations) {
    for (const auto& [rank, sum] : sums[operation]) {
      table.rows.push_back({operation, across.ranks[rank].label, sum.calls, sum.time.ns, sum.wait.ns,
                            share(sum.wait.ns, sum.time.ns), sum.unsure.ns, sum.transfer.ns, sum.last,
                            clockError(across.ranks[rank])});
      rankOfRow.push_back(rank);
    }
  }
  addCaveats(across, rankOfRow, table);
  return table;
}

Table stragglerTable(const Across& across) {
  Table table = tableOf(kReports[1], {{"Rank"},
                                      {"Instances", ColumnKind::kCount},
                                      {"Came Last", ColumnKind::kCount},
                                      {"Came Last (%)", ColumnKind::kShare},
                                      {"Last Not Certain", ColumnKind::kCount},
                                      {"Wait Caused", ColumnKind::kTime},
                                      {"Wait Time", ColumnKind::kTime},
                                      {"Within Error", ColumnKind::kTime},
                                      {"Transfer Time", ColumnKind::kTime},
                                      {"Compute Before", ColumnKind::kTime},
                                      {"Clock Error", ColumnKind::kTime}});
  std::vector<Sum> sums(across.ranks.size());
  for (const AcrossCall& call : across.calls)
    for (const AcrossPart& part : across.partsOf(call)) {
      sums[part.rank].add(call, part);
      sums[call.last].caused += part.wait;
    }
  std::vector<std::uint32_t> order;
  for (std::uint32_t rank = 0; rank < sums.size(); ++rank)
    if (sums[rank].calls > 0) order.push_back(rank);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t rank) { return sums[rank].caused.ns; });
  for (const std::uint32_t rank : order) {
    const Sum& sum = sums[rank];
    table.rows.push_back({across.ranks[rank].label, sum.calls, sum.last, share(sum.last, sum.calls), sum.unclear,
                          sum.caused.ns, sum.wait.ns, sum.unsure.ns, sum.transfer.ns, sum.compute.ns,
                          clockError(across.ranks[rank])});
  }
  addCaveats(across, order, table);
  return table;
}

}  // namespace lanescope::together
