// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/analysis/checks.h"

namespace lanescope::analysis {

using trace::Ns;
using trace::TimeRange;

namespace {

std::vector<RankLoad> loadsOf(const std::vector<DeviceUse>& uses) {
  std::vector<RankLoad> loads;
  loads.reserve(uses.size());
  for (const DeviceUse& use : uses) loads.push_back({use.device.label, use.compute.total(), use.communication.total()});
  return loads;
}

}  // namespace

void checkCommunication(const Checking& all, Checks& checks) {
  for (const DeviceUse& use : all.uses) {
    const Ns total = use.communication.total();
    if (total == 0) {
      for (const char* id : {"comm_exposed", "comm_share"})
        checks.push_back(without(id, Verdict::kNone, use.device.label + ": no collectives or copies between GPUs"));
      continue;
    }
    Ns exposed = 0;
    Evidence longest;
    for (const TimeRange time : use.communication.merged()) {
      const Ns open = time.length() - use.compute.covered(time);
      exposed += open;
      if (open > longest.time.length()) longest.time = time;
    }
    Check check = judged("comm_exposed", use.device.label, percentOf(exposed, total));
    check.evidence =
        fmt::format("communicating {}, {} of it while no other kernel ran ({} of {})", formatDuration(total),
                    formatDuration(exposed), formatShare(exposed, use.device.window.length()),
                    windowText(all, use.device.window.length()));
    check.where.push_back(longest);
    if (check.verdict == Verdict::kImprove)
      check.advice =
          "start collectives as soon as their data is there, on a stream of their own, in buckets; compare the ranks: "
          "one that comes first waits inside the collective";
    checks.push_back(std::move(check));
    Check share = judged("comm_share", use.device.label, percentOf(total, total + use.compute.total()));
    share.evidence =
        fmt::format("communicating {}, computing {}", formatDuration(total), formatDuration(use.compute.total()));
    checks.push_back(std::move(share));
  }
}

std::vector<RankLoad> rankLoads(const ReportInput& input) { return loadsOf(deviceUses(input)); }

Check loadImbalance(std::span<const RankLoad> ranks) {
  if (ranks.size() < 2)
    return without("load_imbalance", Verdict::kNone, "one GPU only; give the reports of all ranks to compare them");
  const auto [least, most] = std::ranges::minmax_element(ranks, {}, &RankLoad::compute);
  if (most->compute == 0) return without("load_imbalance", Verdict::kNone, "no kernels");
  Check check =
      judged("load_imbalance", counted(ranks.size(), "rank"), percentOf(most->compute - least->compute, most->compute));
  check.evidence = fmt::format("most {} on {}, least {} on {}", formatDuration(most->compute), most->label,
                               formatDuration(least->compute), least->label);
  if (least->communication > 0 || most->communication > 0)
    check.evidence += fmt::format("; in collectives {} and {}", formatDuration(most->communication),
                                  formatDuration(least->communication));
  if (check.verdict == Verdict::kImprove)
    check.advice = "give every rank as much to do: the others wait for the slowest in their collectives";
  return check;
}

std::vector<Check> worstOf(std::span<const Check> all) {
  const auto isWorse = [](const Check& a, const Check& b) {
    if (a.figure.has_value() != b.figure.has_value()) return a.figure.has_value();
    if (a.figure && *a.figure != *b.figure) return a.kind->above == (*a.figure < *b.figure);
    return !a.figure && a.verdict != Verdict::kNone && b.verdict == Verdict::kNone;
  };
  std::vector<Check> worst;
  for (const CheckKind& kind : checkKinds()) {
    const Check* found = nullptr;
    for (const Check& check : all)
      if (check.kind == &kind && (found == nullptr || isWorse(check, *found))) found = &check;
    if (found != nullptr) worst.push_back(*found);
  }
  return worst;
}

void checkRanks(const Checking& all, Checks& checks) { checks.push_back(loadImbalance(loadsOf(all.uses))); }

}  // namespace lanescope::analysis
