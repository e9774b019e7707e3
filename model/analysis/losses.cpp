// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/losses.h"

#include <algorithm>
#include <string_view>

namespace lanescope::analysis {
namespace {

using trace::EventKind;

enum class Reach {
  kOnPurpose,  ///< whoever cut the report left it out
  kNothing,   ///< odd, but every number is whole
  kReport,    ///< anything may be missing
  kKind,      ///< events of Issue::about
  kElsewhere  ///< curves and the like: no figure of events, yet worth a word
};

struct Rule {
  std::string_view issue;
  Reach reach;
};

/// In order of importance. An issue of a kind that is not here may have taken anything: better one mark too many.
constexpr Rule kRules[] = {
    {"journal", Reach::kReport},
    {"records-dropped", Reach::kReport},
    {"table-damaged", Reach::kReport},
    {"too-many-events", Reach::kReport},
    {"graphs-not-recorded", Reach::kKind},
    {"time-not-recorded", Reach::kKind},
    {"end-before-start", Reach::kKind},
    {"time-out-of-range", Reach::kKind},
    {"time-not-a-number", Reach::kReport},
    {"unreadable-table", Reach::kReport},
    {"newer-schema", Reach::kReport},
    {"unfinished", Reach::kKind},
    {"thread-missing", Reach::kKind},
    {"sample-unusable", Reach::kElsewhere},
    {"partial-overlap", Reach::kNothing},
    {"correlation-reused", Reach::kNothing},
    {"string-missing", Reach::kNothing},
    {"projection-cut", Reach::kNothing},
    {"young-children", Reach::kElsewhere},
    {"other-user", Reach::kElsewhere},
    {"became-unrecorded", Reach::kElsewhere},
    {"file-access-cut", Reach::kElsewhere},
    {"slice", Reach::kOnPurpose},
    {"slice-memory", Reach::kOnPurpose},
    {"sampler-killed", Reach::kElsewhere},
    {"lost-metric-samples", Reach::kElsewhere},
    {"no-python-samples", Reach::kElsewhere},
    {"python-samples-missing", Reach::kElsewhere},
    {"gpu-metrics", Reach::kElsewhere},
    // Of other tools' files.
    {"import-packed-damaged", Reach::kReport},
    {"import-cut-off", Reach::kReport},
    {"import-gave-up", Reach::kReport},
    {"import-skipped-damaged", Reach::kReport},
    {"import-skipped-text", Reach::kReport},
    {"import-skipped-deep", Reach::kReport},
    {"import-skipped-long", Reach::kReport},
    {"import-skipped-no-object", Reach::kReport},
    {"import-no-time", Reach::kReport},
    {"import-no-duration", Reach::kReport},
    {"import-unmatched", Reach::kReport},
    {"import-end-without-begin", Reach::kKind},
    {"import-async-end-without-begin", Reach::kKind},
    {"import-clocks-apart", Reach::kElsewhere},
    {"import-different-clocks", Reach::kElsewhere},
    {"import-stacks-cut", Reach::kElsewhere},
    {"import-counter-without-number", Reach::kElsewhere},
    {"import-not-shown", Reach::kNothing},
    {"import-skipped-beside", Reach::kElsewhere},
    {"import-skipped-member", Reach::kElsewhere},
    {"import-arrow-without-begin", Reach::kNothing},
    {"import-arrow-without-end", Reach::kNothing},
    {"import-arrow-without-event", Reach::kNothing},
    {"import-other-name-at-end", Reach::kNothing},
    {"import-repaired-control", Reach::kNothing},
    {"import-repaired-utf8", Reach::kNothing},
};

std::size_t rankOf(const trace::Issue& issue) {
  return static_cast<std::size_t>(std::ranges::find(kRules, issue.kind, &Rule::issue) - std::begin(kRules));
}

Reach reachOf(const trace::Issue& issue) {
  const std::size_t rank = rankOf(issue);
  const Reach reach = rank < std::size(kRules) ? kRules[rank].reach : issue.about ? Reach::kKind : Reach::kReport;
  return reach == Reach::kKind && !issue.about ? Reach::kReport : reach;
}

}  // namespace

std::vector<Loss> affected(const trace::Trace& trace) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < trace.issues.size(); ++i)
    if (reachOf(trace.issues[i]) > Reach::kNothing) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rankOf(trace.issues[i]); });

  std::vector<Loss> losses;
  for (const std::size_t i : order) {
    const trace::Issue& issue = trace.issues[i];
    const bool ofKind = reachOf(issue) == Reach::kKind;
    losses.push_back({i, ofKind ? issue.about : std::nullopt, reachOf(issue) != Reach::kElsewhere});
    // Both styles of ranges may be left open, and are counted together.
    if (issue.kind == "unfinished") losses.push_back({i, EventKind::kNvtxStartEnd});
    if (issue.kind == "graphs-not-recorded")
      for (const EventKind inside : {EventKind::kCopy, EventKind::kMemset}) losses.push_back({i, inside});
    if (issue.kind == "thread-missing") losses.push_back({i, EventKind::kCpuSample});
  }
  return losses;
}

std::vector<std::string> reasons(const trace::Trace& trace, std::span<const EventKind> kinds) {
  std::vector<std::string> found;
  for (const Loss& loss : affected(trace)) {
    if (std::ranges::none_of(kinds, [&](EventKind kind) { return loss.touches(kind); })) continue;
    const trace::Issue& issue = trace.issues[loss.issue];
    const bool leftOut = issue.kind.starts_with("time-") || issue.kind == "end-before-start";
    std::string reason = leftOut ? issue.text + ": not in these figures" : issue.text;
    if (std::ranges::find(found, reason) == found.end()) found.push_back(std::move(reason));
  }
  return found;
}

std::string affectedText(const trace::Trace& trace, EventKind kind) {
  std::string text;
  for (const std::string& reason : reasons(trace, {&kind, 1})) text += (text.empty() ? "" : "\n") + reason;
  return text;
}

bool isOnPurpose(const trace::Issue& issue) { return reachOf(issue) == Reach::kOnPurpose; }

bool isKnownIssue(std::string_view kind) { return std::ranges::find(kRules, kind, &Rule::issue) != std::end(kRules); }

}  // namespace lanescope::analysis
