// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "model/analysis/idle_causes.h"
#include "model/analysis/rule_list.h"

namespace lanescope::analysis {

using trace::Ns;

namespace {

/// The gaps of one cause on one GPU.
struct Part {
  Ns time = 0;
  std::uint64_t gaps = 0;
  const IdleGap* longest = nullptr;
  std::map<std::pair<std::string, std::uint32_t>, Ns> culprits;  // by name and thread
  std::map<std::string_view, Ns> host;  // by where it was, where that is known
};

/// What helps, and where most of the time was that is known of.
std::string adviceOn(std::string_view advice, const Part& part) {
  const auto most = std::ranges::max_element(part.host, {}, [](const auto& each) { return each.second; });
  if (most == part.host.end()) return std::string(advice);
  return fmt::format("{}{}mostly in {}", advice, advice.empty() ? "" : "; ", most->first);
}

std::string eventName(const trace::Trace& trace, trace::EventRef event) {
  if (trace.info(event).kind == trace::EventKind::kNvtxRange) {
    std::string name = rangeName(trace, event);
    if (name.starts_with(':')) name.erase(0, 1);  // of the default domain, as everywhere else
    return name;
  }
  return std::string(withoutApiVersion((*trace.names)[trace.name(event)]));
}

std::string culpritName(const trace::Trace& trace, const IdleGap& gap) {
  return gap.culprit ? eventName(trace, *gap.culprit) : std::string();
}

/// What there is to say of host code that nothing fills most of.
std::string unnamedHostCode(const trace::Trace& trace, const IdleGap& gap) {
  return gap.longest ? "several, the longest " + eventName(trace, *gap.longest) : "no call or range recorded";
}

Cell threadCell(const trace::Trace& trace, std::uint32_t thread) {
  return thread == trace::kNone ? Cell() : Cell(trace.threads[thread].tid);
}

double percent(Ns part, Ns whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

Table checklistTable(std::span<const Check> checks) {
  Table table;
  table.columns = {{"Check", ColumnKind::kText},    {"Where", ColumnKind::kText},       {"Verdict", ColumnKind::kText},
                   {"Figure", ColumnKind::kMean},   {"Unit", ColumnKind::kText},        {"Goal", ColumnKind::kText},
                   {"Evidence", ColumnKind::kText}, {"What to try", ColumnKind::kText}, {"Start", ColumnKind::kTime},
                   {"Duration", ColumnKind::kTime}};
  for (const Check& check : checks) {
    const bool somewhere = !check.where.empty();
    table.rows.push_back({std::string(check.kind->id), check.of, std::string(nameOf(check.verdict)),
                          check.figure ? Cell(*check.figure) : Cell(), std::string(check.kind->unit),
                          check.kind->goalText(), check.evidence, check.advice,
                          somewhere ? Cell(check.where.front().time.begin) : Cell(),
                          somewhere ? Cell(check.where.front().time.length()) : Cell()});
    table.caveats.push_back(check.caveat);
  }
  return table;
}

RuleResult checklistRule(const RuleInput& input) {
  RuleResult result;
  result.checks = checklist(input.events);
  result.table = checklistTable(result.checks);
  for (const Check& check : result.checks) {
    result.evidence.push_back(check.where.empty() ? Evidence{} : check.where.front());
    result.figure += check.verdict == Verdict::kImprove;
  }
  result.found = result.checks.size();
  return result;
}

RuleResult idleSummary(const RuleInput& input) {
  const trace::Trace& trace = input.events.trace;
  RuleResult result;
  result.table.columns = {{"Device", ColumnKind::kText},       {"Cause", ColumnKind::kText},
                          {"Time", ColumnKind::kTime},         {"Of Idle", ColumnKind::kShare},
                          {"Of GPU Time", ColumnKind::kShare}, {"Gaps", ColumnKind::kCount},
                          {"Longest", ColumnKind::kTime},      {"Start of longest", ColumnKind::kTime},
                          {"Culprit", ColumnKind::kText},      {"TID", ColumnKind::kId},
                          {"What to try", ColumnKind::kText}};
  Ns idleTime = 0, available = 0;
  for (const DeviceIdle& idle : idleCauses(input.events, input.arguments.least)) {
    std::array<Part, kIdleCauses> parts;
    Part whole;
    for (const IdleGap& gap : idle.gaps) {
      Part& part = parts[static_cast<std::size_t>(gap.cause)];
      for (Part* each : {&part, &whole}) {
        each->time += gap.time.length();
        ++each->gaps;
        if (!each->longest || gap.time.length() > each->longest->time.length()) each->longest = &gap;
      }
      if (!gap.host.empty()) part.host[gap.host] += gap.time.length();
      const bool unnamed = !gap.culprit && gap.cause == IdleCause::kHostCode;
      part.culprits[{unnamed ? unnamedHostCode(trace, gap) : culpritName(trace, gap), gap.thread}] += gap.time.length();
    }
    Part& tooShort = parts[static_cast<std::size_t>(IdleCause::kShort)];
    tooShort.time = idle.shortIdle;
    tooShort.gaps = idle.shortGaps;
    const Ns window = idle.window.length();
    const auto row = [&](const Part& part, std::string_view name, std::string_view advice) {
      const auto worst = std::ranges::max_element(part.culprits, {}, [](const auto& each) { return each.second; });
      const bool known = worst != part.culprits.end();
      result.table.rows.push_back(
          {idle.device, std::string(name), part.time, percent(part.time, idle.idle), percent(part.time, window),
           static_cast<std::int64_t>(part.gaps), part.longest ? Cell(part.longest->time.length()) : Cell(),
           part.longest ? Cell(part.longest->time.begin) : Cell(), known ? worst->first.first : std::string(),
           known ? threadCell(trace, worst->first.second) : Cell(), adviceOn(advice, part)});
      result.evidence.push_back(part.longest ? Evidence{part.longest->time, part.longest->culprit} : Evidence{});
      result.table.caveats.emplace_back(idle.cut ? "more calls than are looked at: some causes are unknown for that"
                                                 : "");
    };
    whole.time = idle.idle;
    whole.gaps += idle.shortGaps;
    row(whole, "all idle time", "");
    std::array<std::size_t, kIdleCauses> order;
    for (std::size_t i = 0; i < kIdleCauses; ++i) order[i] = i;
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t i) { return parts[i].time; });
    for (const std::size_t i : order)
      if (parts[i].gaps > 0) {
        const auto cause = static_cast<IdleCause>(i);
        row(parts[i], nameOf(cause), adviceOn(idle, cause));
      }
    idleTime += idle.idle;
    available += window;
  }
  result.found = result.table.rows.size();
  result.figure = percent(idleTime, available);
  return result;
}

RuleResult idleGaps(const RuleInput& input) {
  const trace::Trace& trace = input.events.trace;
  const std::vector<DeviceIdle> devices = idleCauses(input.events, input.arguments.least);
  struct Found {
    const DeviceIdle* device;
    const IdleGap* gap;
  };
  std::vector<Found> gaps;
  for (const DeviceIdle& device : devices)
    for (const IdleGap& gap : device.gaps) gaps.push_back({&device, &gap});
  std::ranges::stable_sort(gaps, std::greater<>{}, [](const Found& each) { return each.gap->time.length(); });

  RuleResult result;
  result.found = gaps.size();
  result.figure = static_cast<double>(gaps.size());
  result.table.columns = {{"Row#", ColumnKind::kCount},   {"Duration", ColumnKind::kTime},
                          {"Start", ColumnKind::kTime},   {"Device", ColumnKind::kText},
                          {"Cause", ColumnKind::kText},   {"Culprit", ColumnKind::kText},
                          {"Of Gap", ColumnKind::kShare}, {"PID", ColumnKind::kId},
                          {"TID", ColumnKind::kId},       {"Next work", ColumnKind::kText}};
  const bool tellsHost = std::ranges::any_of(gaps, [](const Found& each) { return !each.gap->host.empty(); });
  if (tellsHost) result.table.columns.push_back({"Host code", ColumnKind::kText});
  gaps.resize(std::min(gaps.size(), input.arguments.rows));
  for (const auto& [device, gap] : gaps) {
    const bool known = gap->thread != trace::kNone;
    result.table.rows.push_back(
        {static_cast<std::int64_t>(result.table.rows.size() + 1), gap->time.length(), gap->time.begin, device->device,
         std::string(nameOf(gap->cause)), culpritName(trace, *gap),
         gap->culprit ? Cell(100.0 * static_cast<double>(coveredBy(trace, *gap, *gap->culprit)) /
                             static_cast<double>(gap->time.length()))
                      : Cell(),
         known ? Cell(trace.processes[trace.threads[gap->thread].process].pid) : Cell(), threadCell(trace, gap->thread),
         gap->next ? Cell(KeptText(input.events.text(*gap->next))) : Cell()});
    if (tellsHost) result.table.rows.back().emplace_back(gap->host);
    result.evidence.push_back({gap->time, gap->culprit});
  }
  return result;
}

}  // namespace lanescope::analysis
