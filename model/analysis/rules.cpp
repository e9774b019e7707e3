// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/analysis/idle_causes.h"
#include "model/analysis/losses.h"
#include "model/analysis/rule_list.h"
#include "model/analysis/scope.h"
#include "model/format.h"

namespace lanescope::analysis {

namespace {

using trace::EventKind;

std::vector<Rule> allRules() {
  using enum EventKind;
  using R = Rule;
  const char *cuda = "CUDA trace data", *gpu = "GPU work (kernels, copies, memsets)";
  const std::vector<EventKind> work{kKernel, kCopy, kMemset, kGraphLaunch},
      workAndOverhead{kKernel, kCopy, kMemset, kGraphLaunch, kOverhead};
  return {
      {.name = "checklist",
       .title = "What to look at first",
       .data = gpu,
       .about = "GPU busy, what hides behind what, host waits, small kernels, copies, load: each with a goal",
       .clean = "",
       .advice = "",
       .figure = "lines to improve",
       .limit = 0,
       .kinds = {},
       .needs = work,
       .arguments = 0,
       .usual = true,
       .make = checklistRule},
      {.name = "idle",
       .title = "Why GPUs were idle",
       .data = gpu,
       .about = kIdleAlgorithm,
       .clean = "No GPU was idle.",
       .advice = "Every gap has one cause; -r idle_gaps lists them. The parts add up to all idle time.",
       .figure = "% of GPU time idle",
       .limit = 15,
       .kinds = {},
       .needs = work,
       .arguments = R::kLeast,
       .usual = true,
       .make = idleSummary},
      {.name = "cuda_memcpy_async",
       .title = "CUDA Async Memcpy with Pageable Memory",
       .data = cuda,
       .about = "asynchronous copies from or to pageable memory, which the host has to wait for",
       .clean = "No asynchronous copy went from or to pageable memory.",
       .advice =
           "These copies were to be asynchronous, but one side is pageable memory, so the host waits. Allocate it "
           "with cudaMallocHost, or pin it with cudaHostRegister.",
       .figure = "findings",
       .limit = 0,
       .kinds = {kCudaApi, kCopy},
       .needs = {kCudaApi},
       .arguments = R::kRows,
       .usual = true,
       .make = pageableCopies},
      {.name = "cuda_memcpy_sync",
       .title = "CUDA Synchronous Memcpy",
       .data = cuda,
       .about = "copies by calls that block the host, without those to the GPU of up to 64 KB, which do not",
       .clean = "No copy blocked the host by being synchronous.",
       .advice = "The host waits for each of these copies. Use cudaMemcpyAsync from pinned memory.",
       .figure = "findings",
       .limit = 0,
       .kinds = {kCudaApi, kCopy},
       .needs = {kCudaApi},
       .arguments = R::kRows,
       .usual = true,
       .make = synchronousCopies},
      {.name = "cuda_memset_sync",
       .title = "CUDA Synchronous Memset",
       .data = cuda,
       .about = "memsets of memory that is not the device's own by calls that block the host",
       .clean = "No memset blocked the host.",
       .advice = "The host waits for each of these memsets. Use cudaMemsetAsync.",
       .figure = "findings",
       .limit = 0,
       .kinds = {kCudaApi, kMemset},
       .needs = {kCudaApi},
       .arguments = R::kRows,
       .usual = true,
       .make = synchronousMemsets},
      {.name = "cuda_api_sync",
       .title = "CUDA Synchronization APIs",
       .data = cuda,
       .about = "calls that block the host until work is done, without those that wait for an event",
       .clean = "No call synchronized.",
       .advice = "The host waits in these calls for all work issued before. See whether it has to, or whether an event "
                 "or a callback would do.",
       .figure = "findings",
       .limit = 0,
       .kinds = {kCudaApi},
       .needs = {kCudaApi},
       .arguments = R::kRows,
       .usual = true,
       .make = synchronizationCalls},
      {.name = "gpu_gaps",
       .title = "GPU Gaps",
       .data = gpu,
       .about =
           "time of more than gap=500 ms without GPU work, by process and device, between its first and last work; "
           "with a filter, within that time: where nothing ran in it at all it is one gap",
       .clean = "No GPU was without work for more than {}.",
       .advice = "The GPU had nothing to do in these times. -r idle_gaps says what the host did.",
       .figure = "findings",
       .limit = 0,
       .kinds = workAndOverhead,
       .needs = work,
       .arguments = R::kRows | R::kGap,
       .usual = true,
       .make = gpuGaps},
      {.name = "gpu_time_util",
       .title = "GPU Time Utilization",
       .data = gpu,
       .about = "parts (chunks=30) of the time of a process and device in which work took less than threshold=50 %; "
                "what runs at once adds up; neighbouring parts are one",
       .clean = "No part of the time was used less than {}.",
       .advice = "The GPU was used little in these times. See what the host did, or run more at once.",
       .figure = "findings",
       .limit = 0,
       .kinds = work,
       .needs = work,
       .arguments = R::kRows | R::kChunks,
       .usual = true,
       .make = gpuTimeUtilization},
      {.name = "idle_gaps",
       .title = "GPU gaps, each with its cause",
       .data = gpu,
       .about = "every gap of more than min=1us on a GPU, longest first; what a cause is: see idle",
       .clean = "No GPU was idle for more than {} without a break.",
       .advice = "",
       .figure = "findings",
       .limit = 0,
       .kinds = {},
       .needs = work,
       .arguments = R::kRows | R::kLeast,
       .usual = false,
       .make = idleGaps},
  };
}

const Rule* findRule(std::string_view name) {
  const auto found = std::ranges::find(rules(), name, &Rule::name);
  return found == rules().end() ? nullptr : &*found;
}

constexpr std::string_view kOptions[] = {"rows", "gap", "min", "threshold", "chunks", "start", "end", "nvtx"};

bool isOption(std::string_view text) {
  return std::ranges::any_of(kOptions, [&](std::string_view name) {
    return text.starts_with(name) && text.substr(name.size()).starts_with('=');
  });
}

template <class T>
bool parseNumber(std::string_view text, T least, T most, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
}

/// A duration with or without a unit; `plain` is what a number without one is in.
std::optional<trace::Ns> parseDuration(std::string_view text, std::string_view plain) {
  std::string whole(text);
  if (!text.empty() && ((text.back() >= '0' && text.back() <= '9') || text.back() == '.')) whole += plain;
  const auto parsed = parseTimeFilter(whole + "/");
  if (!parsed || parsed->begin->fromStart || parsed->begin->time < 0) return std::nullopt;
  return parsed->begin->time;
}

/// What is wrong with an option, if anything.
std::optional<std::string> take(const Rule& rule, std::string_view option, RuleArguments& arguments,
                                std::array<std::string, 2>& edges) {
  const std::string_view key = option.substr(0, option.find('=')), value = option.substr(key.size() + 1);
  const auto takes = [&](std::uint8_t what) { return (rule.arguments & what) != 0; };
  const auto check = [&](bool good) {
    return good ? std::nullopt : std::optional(fmt::format("{}: no such value", option));
  };
  const auto duration = [&](trace::Ns& into, std::string_view plain) {
    const auto parsed = parseDuration(value, plain);
    into = parsed.value_or(into);
    return check(parsed.has_value());
  };
  constexpr std::size_t kMostChunks = 100'000;
  if (key == "rows" && takes(Rule::kRows))
    return check(parseNumber(value, std::size_t{0}, std::numeric_limits<std::size_t>::max(), arguments.rows));
  if (key == "gap" && takes(Rule::kGap)) return duration(arguments.gap, "ms");
  if (key == "min" && takes(Rule::kLeast)) return duration(arguments.least, "ns");
  if (key == "threshold" && takes(Rule::kChunks)) return check(parseNumber(value, 0.0, 1e6, arguments.threshold));
  if (key == "chunks" && takes(Rule::kChunks))
    return check(parseNumber(value, std::size_t{1}, kMostChunks, arguments.chunks));
  if (key == "start" || key == "end") {
    edges[key == "end"] = value;
    return std::nullopt;
  }
  if (key == "nvtx") {
    auto parsed = parseNvtxFilter(value);
    if (!parsed) return sentence(parsed.error());
    arguments.nvtx = std::move(*parsed);
    return std::nullopt;
  }
  return fmt::format("{} takes no {}=", rule.name, key);
}

}  // namespace

const std::vector<Rule>& rules() {
  static const std::vector<Rule> kRules = allRules();
  return kRules;
}

tl::expected<std::vector<RuleCall>, std::string> findRules(std::string_view asked) {
  std::vector<RuleCall> calls;
  if (asked == "all") {
    for (const Rule& rule : rules()) calls.push_back({&rule, {}, std::string(rule.name)});
    return calls;
  }
  const std::string_view name = asked.substr(0, asked.find(':'));
  RuleCall call{findRule(name), {}, std::string(asked)};
  if (!call.rule && findCheck(name))
    return tl::unexpected(fmt::format("{}: a line of the checklist; write -r checklist", name));
  if (!call.rule) return tl::unexpected(fmt::format("{}: no such rule; see: lanescope analyze --help-rules", name));
  std::array<std::string, 2> edges;
  for (std::size_t at = name.size(); at < asked.size();) {
    std::size_t end = at;
    const bool range = asked.substr(at + 1).starts_with("nvtx=");  // its name may have colons
    do end = std::min(asked.find(':', end + 1), asked.size());
    while (range && end < asked.size() && !isOption(asked.substr(end + 1)));
    const std::string_view option = asked.substr(at + 1, end - at - 1);
    if (!isOption(option))
      return tl::unexpected(
          fmt::format("{}: no such option of a rule; there are: {}=", option, fmt::join(kOptions, "=, ")));
    if (auto wrong = take(*call.rule, option, call.arguments, edges)) return tl::unexpected(*wrong);
    at = end;
  }
  if (!edges[0].empty() || !edges[1].empty()) {
    const auto time = parseTimeFilter(edges[0] + "/" + edges[1]);
    if (!time) return tl::unexpected(sentence(time.error()));
    call.arguments.time = *time;
    call.arguments.nvtx.reset();
  }
  calls.push_back(std::move(call));
  return calls;
}

std::string cleanText(const RuleCall& call) {
  const RuleArguments& arguments = call.arguments;
  const std::string limit = call.rule->arguments & Rule::kChunks ? fmt::format("{} %", arguments.threshold)
                            : call.rule->arguments & Rule::kGap  ? formatDuration(arguments.gap, 3)
                                                                 : formatDuration(arguments.least, 3);
  return fmt::format(fmt::runtime(call.rule->clean), limit);
}

Result<std::optional<RuleResult>> apply(const RuleCall& call, const trace::Trace& trace, report::RowValues& file,
                                        const Scope& scope, const std::string& fileName, const Job& job) {
  const Rule& rule = *call.rule;
  Scope narrowed = scope;
  if (call.arguments.time || call.arguments.nvtx) {
    ScopeRequest own;
    own.time = call.arguments.time;
    own.nvtx = call.arguments.nvtx;
    const auto within = resolve(own, trace, file, fileName);
    if (!within) return tl::unexpected(within.error());
    narrowed.range = {std::max(scope.range.begin, within->range.begin), std::min(scope.range.end, within->range.end)};
    if (within->process) narrowed.process = within->process;
    if (narrowed.range.empty())
      return tl::unexpected(Error{ErrorCode::kFilteredOut, fileName, "the filters leave no time in common"});
  }
  ReportArguments arguments;
  arguments.iteration = call.arguments.iteration;
  const ReportInput input{trace, file, narrowed, arguments, job};
  if (input.lanes(rule.needs).empty()) return std::optional<RuleResult>();
  RuleResult result = rule.make({input, call.arguments});
  result.table.name = rule.name;
  result.table.title = rule.title;
  std::string caveat;
  for (const std::string& reason : reasons(trace, rule.kinds.empty() ? rule.needs : rule.kinds))
    caveat += (caveat.empty() ? "" : "; ") + reason;
  result.table.caveats.resize(result.table.rows.size());
  for (std::string& each : result.table.caveats)  // the checklist's lines have theirs
    if (result.checks.empty()) each += (each.empty() || caveat.empty() ? "" : "; ") + caveat;
  if (std::ranges::any_of(result.table.caveats, [](const std::string& each) { return !each.empty(); })) {
    result.table.columns.push_back({"Caveat", ColumnKind::kText});
    for (std::size_t i = 0; i < result.table.rows.size(); ++i)
      result.table.rows[i].emplace_back(std::move(result.table.caveats[i]));
  }
  result.table.caveats.clear();
  return result;
}

}  // namespace lanescope::analysis
