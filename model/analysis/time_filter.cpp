// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/time_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "model/wide.h"

namespace lanescope::analysis {
namespace {

using trace::Ns;
using trace::TimeRange;

constexpr std::pair<std::string_view, Ns> kUnits[] = {
    {"ns", 1},         {"us", 1'000},        {"µs", 1'000},           {"μs", 1'000},  // the Greek letter
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}, {"h", 3'600'000'000'000},
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the leading digits off `text`.
std::string_view takeDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), isDigit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// digits × 10^exponent × unit, rounded down; nothing if that is more than a clock can show.
std::optional<Wide> scaled(std::string_view digits, int exponent, Ns unit) {
  constexpr Wide kMost = trace::kMaxTime;
  Wide value = 0;
  for (const char c : digits) {
    if (value > kMost * 1'000'000) ++exponent;  // what follows is less than a millionth, or too much
    else value = value * 10 + (c - '0');
  }
  value *= unit;
  for (; exponent > 0 && value != 0 && value <= kMost; --exponent) value *= 10;
  for (; exponent < 0 && value != 0; ++exponent) value /= 10;
  return value <= kMost ? std::optional(value) : std::nullopt;
}

using Why = tl::unexpected<std::string>;

/// One number and its unit, off the front of `text`.
tl::expected<Wide, std::string> takeTime(std::string_view& text) {
  const std::string_view all = text;
  std::string digits(takeDigits(text));
  int exponent = 0;
  if (take(text, '.')) {
    const std::string_view decimals = takeDigits(text);
    digits += decimals;
    exponent = -static_cast<int>(std::min<std::size_t>(decimals.size(), 1000));
    digits.resize(digits.size() - (decimals.size() - static_cast<std::size_t>(-exponent)));
  }
  if (digits.empty()) return Why(fmt::format("no number: {}", all.empty() ? "nothing" : all.substr(0, 60)));
  if (text.size() > 1 && (text[0] == 'e' || text[0] == 'E')) {
    std::string_view rest = text.substr(1);
    const bool negative = take(rest, '-');
    if (!negative) take(rest, '+');
    if (const std::string_view power = takeDigits(rest); !power.empty()) {
      int value = 0;
      if (power.size() > 3) return Why(fmt::format("too large a number: {}", all.substr(0, 60)));
      std::from_chars(power.data(), power.data() + power.size(), value);
      exponent += negative ? -value : value;
      text = rest;
    }
  }
  const auto unitEnd = std::find_if(text.begin(), text.end(), [](char c) { return isDigit(c) || c == '.'; });
  const std::string_view name = text.substr(0, static_cast<std::size_t>(unitEnd - text.begin()));
  text.remove_prefix(name.size());
  const auto* unit = std::find_if(std::begin(kUnits), std::end(kUnits),
                                  [&](const auto& u) { return name.empty() || u.first == name; });
  if (unit == std::end(kUnits)) return Why(fmt::format("no unit of time: {}", name.substr(0, 60)));
  const auto value = scaled(digits, exponent, unit->second);
  if (!value) return Why(fmt::format("too large a number: {}", all.substr(0, 60)));
  return *value;
}

tl::expected<std::optional<TimeFilter::Edge>, std::string> parseEdge(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool fromStart = take(text, '+');
  const bool negative = !fromStart && take(text, '-');
  Wide sum = 0;
  do {
    const auto time = takeTime(text);
    if (!time) return Why(time.error());
    sum += *time;
  } while (!text.empty());
  if (sum > trace::kMaxTime) return Why("too large a number");
  return TimeFilter::Edge{static_cast<Ns>(negative ? -sum : sum), fromStart};
}

Ns timeOf(const TimeFilter::Edge& edge, TimeRange recorded) {
  return std::min(edge.fromStart ? edge.time + recorded.begin : edge.time, trace::kMaxTime);
}

std::string textOf(TimeRange range) { return fmt::format("{}/{} ns", range.begin, range.end); }

/// The text without its escapes; `at` is where an unescaped `c` stands.
struct Unescaped {
  std::string text;
  std::optional<std::size_t> at;
};

Unescaped unescape(std::string_view text) {
  Unescaped result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '@' || text[i + 1] == '/');
    if (escaped) ++i;
    else if (text[i] == '@' && !result.at) result.at = result.text.size();
    result.text += text[i];
  }
  return result;
}

}  // namespace

Result<TimeFilter> parseTimeFilter(std::string_view text) {
  const auto refuse = [&](std::string why) {
    return tl::unexpected(Error{ErrorCode::kBadTimeFilter, std::string(text.substr(0, 200)), std::move(why)});
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return refuse("there is no / in it");
  TimeFilter filter;
  for (auto& [edge, part] : {std::pair(&filter.begin, text.substr(0, slash)), {&filter.end, text.substr(slash + 1)}}) {
    auto parsed = parseEdge(part);
    if (!parsed) return refuse(std::move(parsed.error()));
    *edge = *parsed;
  }
  if (!filter.begin && !filter.end) return refuse("neither side of the / is given");
  return filter;
}

Result<NvtxFilter> parseNvtxFilter(std::string_view text) {
  const auto refuse = [&](const char* why) {
    return tl::unexpected(Error{ErrorCode::kBadNvtxFilter, std::string(text.substr(0, 200)), why});
  };
  NvtxFilter filter;
  std::string_view name = text;
  if (const std::size_t slash = text.rfind('/');
      slash != std::string_view::npos && (slash == 0 || text[slash - 1] != '\\')) {
    const std::string_view digits = text.substr(slash + 1);
    if (!digits.empty() && std::all_of(digits.begin(), digits.end(), isDigit)) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), filter.index);
      if (error != std::errc()) return refuse("its index is too large");
      name = text.substr(0, slash);
    }
  }
  Unescaped unescaped = unescape(name);
  if (unescaped.at) filter.domain = unescaped.text.substr(*unescaped.at + 1);
  filter.range = unescaped.text.substr(0, unescaped.at.value_or(std::string::npos));
  if (filter.range.empty()) return refuse("it names no range");
  return filter;
}

Result<TimeRange> resolve(const TimeFilter& filter, std::optional<TimeRange> recorded,
                          std::optional<TimeRange> timeline, const std::string& file) {
  const TimeRange all = timeline.value_or(TimeRange{}), countedFrom = recorded.value_or(all);
  TimeRange range{trace::kMinTime, trace::kMaxTime};
  if (filter.begin) range.begin = timeOf(*filter.begin, countedFrom);
  if (filter.end) range.end = timeOf(*filter.end, countedFrom);
  const auto refuse = [&](const std::string& why) {
    return tl::unexpected(Error{ErrorCode::kFilteredOut, file, why + ": it was recorded in " + textOf(all)});
  };
  if (range.empty()) return refuse("the filter ends before it begins");
  if (range.end <= all.begin || range.begin > all.end) return refuse("nothing was recorded in that time");
  return range;
}

Result<trace::EventRef> findRange(const NvtxFilter& filter, const trace::Trace& trace, const std::string& file) {
  std::vector<trace::EventRef> found;
  std::set<std::string> elsewhere;  // domains that have such a range, where the one asked for has none
  for (trace::LaneId id = 0; id < trace.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (info.kind != trace::EventKind::kNvtxRange && info.kind != trace::EventKind::kNvtxStartEnd) continue;
    const trace::Domain& domain = trace.domains[info.domain];
    const bool wanted = !filter.domain ? domain.id == 0 : *filter.domain == "*" ? true : domain.name == *filter.domain;
    const trace::Lane& lane = *trace.lanes[id];
    for (std::size_t i = 0; i < lane.size(); ++i) {
      if ((*trace.names)[lane.name(i)].text != filter.range) continue;
      if (wanted) found.push_back({id, static_cast<std::uint32_t>(i)});
      else elsewhere.insert(domain.id == 0 ? std::string("the default one") : "“" + domain.name + "”");
    }
  }
  if (filter.index < found.size()) {
    std::stable_sort(found.begin(), found.end(),
                     [&](trace::EventRef a, trace::EventRef b) { return trace.time(a).begin < trace.time(b).begin; });
    return found[filter.index];
  }
  std::string why;
  if (!found.empty())
    why = fmt::format("has {} NVTX range{} “{}”, and they count from 0", found.size(), found.size() == 1 ? "" : "s",
                      filter.range);
  else if (elsewhere.empty()) why = fmt::format("has no NVTX range “{}”", filter.range);
  else why = fmt::format("has an NVTX range “{}” in another domain ({})", filter.range, fmt::join(elsewhere, ", "));
  return tl::unexpected(Error{ErrorCode::kNoSuchRange, file, std::move(why)});
}

Result<TimeRange> resolve(const NvtxFilter& filter, const trace::Trace& trace, const std::string& file) {
  const auto range = findRange(filter, trace, file);
  if (!range) return tl::unexpected(range.error());
  const bool unfinished = trace.lanes[range->lane]->unfinished(range->index);
  return TimeRange{trace.time(*range).begin, unfinished ? trace::kMaxTime : trace.time(*range).end};
}

}  // namespace lanescope::analysis
