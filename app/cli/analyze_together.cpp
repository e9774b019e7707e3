// SPDX-License-Identifier: Apache-2.0
#include "app/cli/analyze_together.h"

#include <fmt/format.h>

#include <charconv>

#include "model/answers.h"

namespace lanescope::cli {
namespace {

using analysis::Check;
using analysis::RankLoad;

template <class T>
T numberIn(std::string_view text) {
  T number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string textOf(const Check& check) {
  std::vector<std::string> texts{std::string(check.kind->id),
                                 check.of,
                                 std::to_string(static_cast<int>(check.verdict)),
                                 check.figure ? fmt::format("{}", *check.figure) : "",
                                 check.evidence,
                                 check.advice,
                                 check.caveat};
  if (!check.where.empty())
    texts.insert(texts.end(),
                 {std::to_string(check.where.front().time.begin), std::to_string(check.where.front().time.end)});
  return packed(texts);
}

Check checkIn(const std::string& text) {
  std::vector<std::string> texts = unpacked(text).value_or(std::vector<std::string>());
  texts.resize(std::max<std::size_t>(texts.size(), 7));
  Check check;
  check.kind = analysis::findCheck(texts[0]);
  check.of = texts[1];
  check.verdict = static_cast<analysis::Verdict>(numberIn<int>(texts[2]));
  if (!texts[3].empty()) check.figure = numberIn<double>(texts[3]);
  check.evidence = texts[4];
  check.advice = texts[5];
  check.caveat = texts[6];
  if (texts.size() > 8)
    check.where.emplace_back().time = {numberIn<trace::Ns>(texts[7]), numberIn<trace::Ns>(texts[8])};
  return check;
}

}  // namespace

std::vector<std::string> textsOf(const RankChecks& rank) {
  std::vector<std::string> texts;
  texts.reserve(rank.loads.size() + 1 + rank.checks.size());
  for (const RankLoad& load : rank.loads)
    texts.push_back(packed({load.label, std::to_string(load.compute), std::to_string(load.communication)}));
  texts.emplace_back();  // between the two
  for (const Check& check : rank.checks) texts.push_back(textOf(check));
  return texts;
}

RankChecks rankChecksOf(const std::vector<std::string>& texts) {
  RankChecks rank;
  bool isLoad = true;
  for (const std::string& text : texts) {
    if (text.empty()) {
      isLoad = false;
    } else if (!isLoad) {
      if (Check check = checkIn(text); check.kind != nullptr) rank.checks.push_back(std::move(check));
    } else if (const auto parts = unpacked(text); parts && parts->size() == 3) {
      rank.loads.push_back({(*parts)[0], numberIn<trace::Ns>((*parts)[1]), numberIn<trace::Ns>((*parts)[2])});
    }
  }
  return rank;
}

std::vector<Check> checksOfAll(std::vector<RankChecks> ranks, const FileLabels& files) {
  std::vector<Check> all;
  std::vector<RankLoad> loads;
  for (const std::size_t i : files.order) {
    const std::string where = (files.title == "Rank" ? " of rank " : " in ") + files.labels[i];
    for (Check& check : ranks[i].checks) {
      if (check.kind->id == "load_imbalance") continue;
      if (check.figure || !check.of.empty()) check.of = check.of.empty() ? where.substr(1) : check.of + where;
      all.push_back(std::move(check));
    }
    for (RankLoad& load : ranks[i].loads) {
      load.label += where;
      loads.push_back(std::move(load));
    }
  }
  std::vector<Check> worst = analysis::worstOf(all);
  if (loads.size() > 1) worst.push_back(analysis::loadImbalance(loads));
  return worst;
}

}  // namespace lanescope::cli
