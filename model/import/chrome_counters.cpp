// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_counters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "model/report/memory_kinds.h"
#include "model/trace/curve_category.h"

namespace lanescope::imported {

using trace::Counter;

namespace {

std::optional<double> numberOf(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

/// Of changes, what there was after each; in the order of time.
void addUp(Curve& curve) {
  std::vector<std::size_t> order(curve.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return curve.times[i]; });
  Curve sums = curve;
  double inUse = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    inUse =
        std::max(0.0, inUse + curve.values[order[i]]);  // what was taken before the recording may be given back in it
    sums.times[i] = curve.times[order[i]];
    sums.values[i] = inUse;
  }
  curve = std::move(sums);
}

/// What Lanescope's own export says of a curve besides its name.
struct CurveFacts {
  Counter::Unit unit = Counter::Unit::kCount;
  std::int64_t device = -1;
};
CurveFacts factsIn(std::string_view category) {
  CurveFacts facts;
  if (!category.starts_with(trace::kCurveCategory)) return facts;
  category.remove_prefix(trace::kCurveCategory.size());
  std::int64_t unit = 0, device = 0;
  const char *const begin = category.data(), *const end = begin + category.size();
  const auto [stop, error] = std::from_chars(begin, end, unit);
  if (error != std::errc() || unit < 0 || unit > static_cast<std::int64_t>(Counter::Unit::kCount)) return facts;
  facts.unit = static_cast<Counter::Unit>(unit);
  if (stop != end && *stop == ',' && std::from_chars(stop + 1, end, device).ec == std::errc() && device >= 0)
    facts.device = device;
  return facts;
}

std::string textOf(const JsonId& id) {
  return id.kind == JsonId::Kind::kText ? std::string(id.text) : std::to_string(id.number);
}

}  // namespace

Counters::Series& Counters::series(const JsonEvent& entry, std::string_view name, std::string_view key,
                                   std::int64_t device, Counter::Unit unit) {
  key_.assign(textOf(entry.pid)).append(1, '\0').append(name).append(1, '\0').append(key);
  key_.append(1, '\0').append(std::to_string(device));
  if (entry.id.kind != JsonId::Kind::kNone) key_.append(1, '\0').append(textOf(entry.id));
  const auto [known, isNew] = known_.try_emplace(key_, static_cast<std::uint32_t>(series_.size()));
  if (isNew) {
    Series& made = series_.emplace_back();
    made.process = identityOf(entry.pid);
    made.device = device;
    made.curve.unit = unit;
    made.curve.name = name;
    if (entry.id.kind != JsonId::Kind::kNone) made.curve.name += " [" + textOf(entry.id) + "]";
    if (!key.empty()) made.curve.name += " · " + std::string(key);
  }
  return series_[known->second];
}

void Counters::counter(const JsonEvent& entry) {
  const JsonArguments args(entry.args);
  const bool isPlain = args.all().size() == 1 && args.all()[0].first == "value";
  const CurveFacts facts = factsIn(entry.category);
  bool any = false;
  for (const auto& [key, text] : args.all()) {
    const std::optional<double> value = numberOf(text);
    if (!value) continue;
    Curve& curve = series(entry, entry.name, isPlain ? std::string_view() : key, facts.device, facts.unit).curve;
    curve.times.push_back(*entry.ts);
    curve.values.push_back(*value);
    any = true;
  }
  if (!any) noNumbers_.add(entry.ordinal);
}

void Counters::memory(const JsonEvent& entry) {
  constexpr std::int64_t kOfHost = 0;
  const JsonArguments args(entry.args);
  const bool isOfHost = args.integer("Device Type").value_or(kOfHost) == kOfHost;
  const std::int64_t device = isOfHost ? -1 : std::max<std::int64_t>(0, args.integer("Device Id").value_or(0));
  if (const auto operation = args.integer("memoryOperationType"), bytes = args.integer("bytes"); operation && bytes) {
    const char* name = report::memoryCurve(args.integer("memKind").value_or(-1));
    if (name == nullptr) return;
    Series& changes =
        series(entry, name, {}, std::max<std::int64_t>(0, args.integer("device").value_or(0)), Counter::Unit::kBytes);
    changes.isChanges = true;
    changes.curve.times.push_back(*entry.ts);
    changes.curve.values.push_back(static_cast<double>(*operation == 0 ? *bytes : -*bytes));
    return;
  }
  for (const auto& [key, name] :
       {std::pair("Total Allocated", "Memory allocated"), std::pair("Total Reserved", "Memory reserved")}) {
    const std::optional<double> value = args.real(key);
    if (!value || !std::isfinite(*value)) continue;
    Curve& curve = series(entry, name, {}, device, Counter::Unit::kBytes).curve;
    curve.times.push_back(*entry.ts);
    curve.values.push_back(*value);
  }
}

void Counters::finish(Recording& recording, Owners& owners) {
  for (Series& series : series_) {
    if (series.isChanges) addUp(series.curve);
    series.curve.process = owners.process(series.process);
    if (series.device >= 0) series.curve.gpu = owners.gpu(series.curve.process, series.device);
    recording.curves.push_back(std::move(series.curve));
  }
  series_.clear();
  known_.clear();
}

}  // namespace lanescope::imported
