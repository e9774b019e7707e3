// SPDX-License-Identifier: Apache-2.0
#include "model/compare/comparison_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/format.h"
#include "model/json.h"

namespace lanescope::compare {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using trace::Ns;

bool isTested(const ComparedName& name) { return name.evidence.state == Evidence::State::kTested; }

/// A figure of a side that may not be there.
template <class T>
Cell of(const std::optional<SideFigures>& side, T SideFigures::* figure) {
  if (!side) return {};
  if constexpr (std::is_same_v<T, std::uint64_t>) return static_cast<std::int64_t>((*side).*figure);
  else return (*side).*figure;
}

Cell tested(const ComparedName& name, double Evidence::* figure) {
  return isTested(name) ? Cell(name.evidence.*figure) : Cell();
}

std::string signedDuration(Ns time) { return (time < 0 ? "−" : time > 0 ? "+" : "") + formatDuration(std::abs(time)); }

std::string valueText(const Figure& figure) {
  if (const Ns* time = std::get_if<Ns>(&figure.value)) return formatDuration(*time);
  return fmt::format("{:.1f} {}", std::get<double>(figure.value), figure.unit);
}

std::string differenceText(const ComparedFigure& figure) {
  if (const Ns* time = std::get_if<Ns>(&figure.a.value)) return signedDuration(std::get<Ns>(figure.b.value) - *time);
  const double difference = std::get<double>(figure.b.value) - std::get<double>(figure.a.value);
  const std::string_view unit = figure.a.unit == "%" ? "points" : std::string_view(figure.a.unit);
  return fmt::format("{}{:.1f} {}", std::signbit(difference) ? "−" : "+", std::abs(difference), unit);
}

void writeNumber(JsonWriter& json, const Figure& figure) {
  if (const Ns* time = std::get_if<Ns>(&figure.value)) json.value(*time);
  else json.number(fmt::format("{}", std::get<double>(figure.value)));
}

void writeSide(JsonWriter& json, std::string_view key, const std::optional<SideFigures>& side) {
  json.key(key);
  if (!side) {
    json.null();
    return;
  }
  json.beginObject().member("count", side->count).member("total_ns", side->total);
  json.key("mean_ns").number(fmt::format("{:.1f}", side->mean));
  json.key("median_ns").number(fmt::format("{:.1f}", side->median)).endObject();
}

void writeReal(JsonWriter& json, std::string_view key, std::optional<double> number) {
  json.key(key);
  if (number && std::isfinite(*number)) json.number(fmt::format("{:.6g}", *number));
  else json.null();
}

void writeTexts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.key(key).beginArray();
  for (const std::string& text : texts) json.value(text);
  json.endArray();
}

void writeName(JsonWriter& json, const ComparedName& name) {
  json.beginObject().member("kind", wordOf(name.subject)).member("name", std::string_view(name.name));
  json.member("verdict", verdictOf(name));
  writeSide(json, "a", name.a);
  writeSide(json, "b", name.b);
  json.member("difference_ns", name.difference);
  writeReal(json, "share", name.share);
  writeReal(json, "ratio", name.ratio);
  const Evidence& evidence = name.evidence;
  const auto known = [&](double value) { return isTested(name) ? std::optional(value) : std::nullopt; };
  writeReal(json, "ratio_low", known(evidence.low));
  writeReal(json, "ratio_high", known(evidence.high));
  writeReal(json, "p", known(evidence.p));
  writeReal(json, "p_holm", known(evidence.corrected));
  json.member("iterations_a", std::uint64_t{evidence.iterationsA});
  json.member("iterations_b", std::uint64_t{evidence.iterationsB});
  if (!name.mergedA.empty()) {
    writeTexts(json, "merged_a", name.mergedA);
    writeTexts(json, "merged_b", name.mergedB);
  }
  json.endObject();
}

}  // namespace

std::string_view verdictOf(const ComparedName& name) {
  if (!name.a) return "new";
  if (!name.b) return "gone";
  if (!isTested(name)) return whyNot(name.evidence.state);
  if (name.evidence.corrected >= kSignificant) return "no change shown";
  const bool isMixed = name.evidence.slower ? name.evidence.ratio < 1 : name.evidence.ratio > 1;
  if (isMixed) return "changed";
  return name.evidence.slower ? "slower" : "faster";
}

analysis::Table namesTable(const Comparison& comparison, Subject subject) {
  analysis::Table table;
  table.name = std::string("diff_").append(wordOf(subject));
  table.title = std::string(nameOf(subject));
  table.columns = {{"Share", ColumnKind::kShare},   {"Difference", ColumnKind::kTime}, {"Total A", ColumnKind::kTime},
                   {"Total B", ColumnKind::kTime},  {"Count A", ColumnKind::kCount},   {"Count B", ColumnKind::kCount},
                   {"Ratio", ColumnKind::kRatio},   {"from", ColumnKind::kRatio},      {"to", ColumnKind::kRatio},
                   {"p", ColumnKind::kProbability}, {"Change", ColumnKind::kText},     {"Name", ColumnKind::kText}};
  for (const ComparedName& name : comparison.names) {
    if (name.subject != subject) continue;
    table.rows.push_back(
        {name.share ? Cell(100 * *name.share) : Cell(), name.difference, of(name.a, &SideFigures::total),
         of(name.b, &SideFigures::total), of(name.a, &SideFigures::count), of(name.b, &SideFigures::count),
         name.ratio ? Cell(*name.ratio) : Cell(), tested(name, &Evidence::low), tested(name, &Evidence::high),
         tested(name, &Evidence::corrected), std::string(verdictOf(name)), name.name});
  }
  return table;
}

analysis::Table allNamesTable(const Comparison& comparison) {
  analysis::Table table;
  table.name = "diff";
  table.title = "Comparison";
  table.columns = {
      {"Kind", ColumnKind::kText},           {"Change", ColumnKind::kText},      {"Share", ColumnKind::kShare},
      {"Difference", ColumnKind::kTime},     {"Count A", ColumnKind::kCount},    {"Count B", ColumnKind::kCount},
      {"Total A", ColumnKind::kTime},        {"Total B", ColumnKind::kTime},     {"Mean A", ColumnKind::kTime},
      {"Mean B", ColumnKind::kTime},         {"Median A", ColumnKind::kTime},    {"Median B", ColumnKind::kTime},
      {"Ratio", ColumnKind::kRatio},         {"Ratio from", ColumnKind::kRatio}, {"Ratio to", ColumnKind::kRatio},
      {"p alone", ColumnKind::kProbability}, {"p", ColumnKind::kProbability},    {"Iterations A", ColumnKind::kCount},
      {"Iterations B", ColumnKind::kCount},  {"Name", ColumnKind::kText}};
  for (const ComparedName& name : comparison.names)
    table.rows.push_back({std::string(wordOf(name.subject)),
                          std::string(verdictOf(name)),
                          name.share ? Cell(100 * *name.share) : Cell(),
                          name.difference,
                          of(name.a, &SideFigures::count),
                          of(name.b, &SideFigures::count),
                          of(name.a, &SideFigures::total),
                          of(name.b, &SideFigures::total),
                          of(name.a, &SideFigures::mean),
                          of(name.b, &SideFigures::mean),
                          of(name.a, &SideFigures::median),
                          of(name.b, &SideFigures::median),
                          name.ratio ? Cell(*name.ratio) : Cell(),
                          tested(name, &Evidence::low),
                          tested(name, &Evidence::high),
                          tested(name, &Evidence::p),
                          tested(name, &Evidence::corrected),
                          std::int64_t{name.evidence.iterationsA},
                          std::int64_t{name.evidence.iterationsB},
                          name.name});
  return table;
}

analysis::Table figuresTable(const Comparison& comparison) {
  analysis::Table table;
  table.name = "diff_figures";
  table.title = "Figures of the whole";
  table.columns = {{"Figure", ColumnKind::kText},     {"A", ColumnKind::kText},  {"B", ColumnKind::kText},
                   {"Difference", ColumnKind::kText}, {"Of", ColumnKind::kText}, {"Name", ColumnKind::kText}};
  for (const ComparedFigure& each : comparison.figures)
    table.rows.push_back({each.a.title, valueText(each.a), valueText(each.b), differenceText(each),
                          each.a.of == each.b.of ? each.a.of : each.a.of + " / " + each.b.of, each.a.id});
  return table;
}

std::string toJson(const Comparison& comparison) {
  JsonWriter json;
  json.beginObject();
  writeTexts(json, "a", comparison.filesA);
  writeTexts(json, "b", comparison.filesB);
  json.key("iterations").beginObject().member("name", std::string_view(comparison.iterationName));
  json.member("a", std::uint64_t{comparison.iterationsA})
      .member("b", std::uint64_t{comparison.iterationsB})
      .endObject();
  writeTexts(json, "warnings", comparison.warnings);
  json.key("figures").beginArray();
  for (const ComparedFigure& each : comparison.figures) {
    json.beginObject().member("name", std::string_view(each.a.id)).member("of", std::string_view(each.a.of));
    json.member("unit", std::string_view(each.a.unit)).key("a");
    writeNumber(json, each.a);
    json.key("b");
    writeNumber(json, each.b);
    json.endObject();
  }
  json.endArray().key("names").beginArray();
  for (const ComparedName& name : comparison.names) writeName(json, name);
  json.endArray().endObject();
  return json.text() + '\n';
}

std::string evidenceText(const Comparison& comparison) {
  if (comparison.tested == 0 && comparison.iterationName.empty()) return {};
  if (comparison.tested == 0)
    return fmt::format(
        "Whether it is more than chance cannot be told: that takes at least {} iterations on both sides.",
        kFewestIterations);
  const bool severalRuns = comparison.filesA.size() > 1 && comparison.filesB.size() > 1;
  return fmt::format(
      "p: how likely a difference as great is by chance alone, if nothing changed; by iterations ({} in A, {} in B), "
      "corrected for {} names. A change is one below {}. {}",
      comparison.iterationsA, comparison.iterationsB, comparison.tested, kSignificant,
      severalRuns ? "It stands out from how the runs of one side differ."
                  : "One run a side does not tell how runs differ: several do (diff A1 A2 A3 -- B1 B2 B3).");
}

std::vector<std::string> mergedTexts(const Comparison& comparison) {
  std::vector<std::string> texts;
  for (const ComparedName& name : comparison.names)
    if (!name.mergedA.empty() && name.subject != Subject::kIteration)
      texts.push_back(fmt::format("{} = {}", fmt::join(name.mergedA, " + "), fmt::join(name.mergedB, " + ")));
  return texts;
}

}  // namespace lanescope::compare
