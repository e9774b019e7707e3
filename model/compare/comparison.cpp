// SPDX-License-Identifier: Apache-2.0
#include "model/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/analysis/statistics.h"
#include "model/compare/match_names.h"

namespace lanescope::compare {
namespace {

using trace::Ns;

/// A name on one side: its series in the runs that have it.
struct Gathered {
  std::vector<std::pair<std::uint32_t, const Series*>> series;  // with the number of the run
  const Series& first() const { return *series.front().second; }
};

std::vector<Gathered> gather(std::span<const Run> runs, Subject subject) {
  std::vector<Gathered> names;
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::uint32_t run = 0; run < runs.size(); ++run)
    for (const Series& series : runs[run].series) {
      if (series.subject != subject) continue;
      const auto [at, isNew] = index.emplace(series.name, names.size());
      if (isNew) names.emplace_back();
      names[at->second].series.emplace_back(run, &series);
    }
  return names;
}

struct Side {
  std::optional<SideFigures> figures;
  Sample sample;
  std::vector<std::string> names;
};

/// The mean of `runs`, rounded half up.
std::uint64_t perRun(std::uint64_t sum, std::size_t runs) { return (sum + runs / 2) / runs; }

/// The runs of one side; their iterations go by process where all runs of both sides have as many.
struct Runs {
  std::span<const Run> all;
  bool byProcess;

  IterationId iteration(std::uint32_t run, std::uint32_t index) const {
    return {run, byProcess ? all[run].process[index] : 0, index};
  }
};

bool haveAsManyProcesses(std::span<const Run> a, std::span<const Run> b) {
  const auto processes = [](const Run& run) { return run.process.empty() ? 0 : std::ranges::max(run.process) + 1; };
  const auto asFirst = [&](const Run& run) { return processes(run) == processes(a.front()); };
  return std::ranges::all_of(a, asFirst) && std::ranges::all_of(b, asFirst) && processes(a.front()) > 0;
}

Side sideOf(const std::vector<Gathered>& all, std::span<const std::size_t> indices, const Runs& runs) {
  Side side;
  std::vector<Ns> times;
  for (const std::size_t i : indices) {
    side.names.push_back(all[i].first().name);
    for (const auto& [run, series] : all[i].series) {
      times.insert(times.end(), series->time.begin(), series->time.end());
      for (std::size_t k = 0; k < series->time.size(); ++k)
        if (series->iteration[k] != trace::kNone)
          side.sample.push_back({series->time[k], runs.iteration(run, series->iteration[k])});
    }
  }
  if (indices.empty()) return side;
  const analysis::Statistics of = analysis::statisticsOf(times);
  const std::size_t count = runs.all.size();
  side.figures = {perRun(of.count, count), static_cast<Ns>(perRun(static_cast<std::uint64_t>(of.total), count)),
                  of.mean, of.median};
  return side;
}

std::vector<NameToMatch> toMatch(const std::vector<Gathered>& names) {
  std::vector<NameToMatch> result;
  result.reserve(names.size());
  for (const Gathered& each : names)
    result.push_back({each.first().name, each.first().label, each.first().subject == Subject::kKernel});
  return result;
}

ComparedName compareName(Subject subject, Side a, Side b, std::size_t draws) {
  ComparedName result;
  result.subject = subject;
  result.name = a.names.empty() ? b.names.front() : a.names.front();
  result.a = a.figures;
  result.b = b.figures;
  if (!a.names.empty() && !b.names.empty() && (a.names != b.names || a.names.size() > 1)) {
    result.mergedA = std::move(a.names);
    result.mergedB = std::move(b.names);
  }
  result.difference = (b.figures ? b.figures->total : 0) - (a.figures ? a.figures->total : 0);
  if (!a.figures || !b.figures) return result;
  if (a.figures->median > 0) result.ratio = b.figures->median / a.figures->median;
  result.evidence = evidenceOf(std::move(a.sample), std::move(b.sample), draws);
  if (result.evidence.state == Evidence::State::kTested) result.ratio = result.evidence.ratio;
  return result;
}

std::vector<ComparedName> compareSubject(Subject subject, const Runs& a, const Runs& b, const Job& job,
                                         std::size_t draws) {
  const std::vector<Gathered> ofA = gather(a.all, subject), ofB = gather(b.all, subject);
  std::vector<ComparedName> names;
  Ns change = 0;
  std::vector<MatchedNames> matched;
  if (subject == Subject::kIteration) {  // the same thing, whatever they are called
    MatchedNames all;
    for (std::size_t i = 0; i < ofA.size(); ++i) all.a.push_back(i);
    for (std::size_t i = 0; i < ofB.size(); ++i) all.b.push_back(i);
    if (!ofA.empty() || !ofB.empty()) matched.push_back(std::move(all));
  } else {
    matched = matchNames(toMatch(ofA), toMatch(ofB));
  }
  for (const MatchedNames& each : matched) {
    if (job.cancelled()) break;
    names.push_back(compareName(subject, sideOf(ofA, each.a, a), sideOf(ofB, each.b, b), draws));
    change += std::abs(names.back().difference);
  }
  for (ComparedName& name : names)
    if (change != 0) name.share = static_cast<double>(name.difference) / static_cast<double>(change);
  std::ranges::stable_sort(names, [](const ComparedName& x, const ComparedName& y) {
    const auto key = [](const ComparedName& name) {
      return std::pair(std::abs(name.difference), std::max(name.a ? name.a->total : 0, name.b ? name.b->total : 0));
    };
    return key(x) > key(y);
  });
  return names;
}

/// Of several runs the mean.
std::vector<Figure> figuresOf(std::span<const Run> runs) {
  std::vector<Figure> figures;
  std::vector<std::size_t> counts;
  for (const Run& run : runs)
    for (const Figure& figure : run.figures) {
      const auto same = std::ranges::find_if(
          figures, [&](const Figure& f) { return f.id == figure.id && f.of == figure.of && f.unit == figure.unit; });
      if (same == figures.end()) {
        figures.push_back(figure);
        counts.push_back(1);
        continue;
      }
      ++counts[static_cast<std::size_t>(same - figures.begin())];
      if (Ns* time = std::get_if<Ns>(&same->value)) *time += std::get<Ns>(figure.value);
      else std::get<double>(same->value) += std::get<double>(figure.value);
    }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (Ns* time = std::get_if<Ns>(&figures[i].value)) *time /= static_cast<Ns>(counts[i]);
    else std::get<double>(figures[i].value) /= static_cast<double>(counts[i]);
  }
  return figures;
}

/// Figures of the same GPU or thread; where what they are of is called otherwise, in their order.
std::vector<ComparedFigure> compareFigures(std::span<const Run> a, std::span<const Run> b) {
  std::vector<Figure> left = figuresOf(b);
  std::vector<ComparedFigure> both;
  for (const Figure& figure : figuresOf(a)) {
    auto match = std::ranges::find_if(left, [&](const Figure& f) { return f.id == figure.id && f.of == figure.of; });
    if (match == left.end()) match = std::ranges::find(left, figure.id, &Figure::id);
    if (match == left.end() || match->value.index() != figure.value.index()) continue;
    both.push_back({figure, *match});
    left.erase(match);
  }
  return both;
}

std::string joined(std::vector<std::string> texts) {
  if (texts.empty()) return "none";
  std::map<std::string, int> counts;
  for (std::string& text : texts) ++counts[std::move(text)];
  std::string all;
  for (const auto& [text, count] : counts) all += fmt::format("{}{} × {}", all.empty() ? "" : ", ", count, text);
  return all;
}

std::vector<std::string> warningsOf(std::span<const Run> a, std::span<const Run> b) {
  std::vector<std::string> warnings;
  const Run& first = a.front();
  const Run& second = b.front();
  if (joined(first.gpus) != joined(second.gpus))
    warnings.push_back(fmt::format("other GPUs: {} against {}", joined(first.gpus), joined(second.gpus)));
  const auto onOne = [&](bool inA, bool inB, std::string_view what) {
    if (inA != inB) warnings.push_back(fmt::format("{} in {} only", what, inA ? "A" : "B"));
  };
  onOne(first.wholeGraphs, second.wholeGraphs,
        "CUDA graphs are recorded as a whole, so kernels in graphs are not compared:");
  onOne(first.hasCalls, second.hasCalls, "calls of the CUDA API are recorded");
  onOne(first.hasRanges, second.hasRanges, "NVTX ranges are recorded");
  if (first.iterationName.empty() || second.iterationName.empty())
    warnings.emplace_back(
        "without iterations on both sides nothing can be said of chance: push an NVTX range around each, or name it "
        "with --iteration");
  else if (first.iterationName != second.iterationName)
    warnings.push_back(
        fmt::format("iterations are “{}” in A and “{}” in B", first.iterationName, second.iterationName));
  for (const auto& [runs, side] : {std::pair(a, 'A'), std::pair(b, 'B')})
    for (const Run& run : runs)
      for (const std::string& loss : run.losses)
        warnings.push_back(runs.size() > 1 ? fmt::format("{} ({}): {}", side, run.file, loss)
                                           : fmt::format("{}: {}", side, loss));
  return warnings;
}

}  // namespace

Comparison compare(std::span<const Run> a, std::span<const Run> b, const Job& job, std::size_t draws) {
  Comparison result;
  for (const Run& run : a) result.filesA.push_back(run.file), result.iterationsA += run.iterations;
  for (const Run& run : b) result.filesB.push_back(run.file), result.iterationsB += run.iterations;
  result.iterationName = a.front().iterationName;
  const bool byProcess = haveAsManyProcesses(a, b);
  for (std::size_t i = 0; i < kSubjects; ++i)
    std::ranges::move(compareSubject(static_cast<Subject>(i), {a, byProcess}, {b, byProcess}, job, draws),
                      std::back_inserter(result.names));
  std::vector<Evidence*> evidence;
  for (ComparedName& name : result.names) {
    evidence.push_back(&name.evidence);
    result.tested += name.evidence.state == Evidence::State::kTested;
  }
  holm(evidence);
  result.figures = compareFigures(a, b);
  result.warnings = warningsOf(a, b);
  return result;
}

}  // namespace lanescope::compare
