// SPDX-License-Identifier: Apache-2.0
// Where samples of the CPU and of Python were, by function.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "model/analysis/report_list.h"
#include "model/report/sample_stacks.h"
#include "model/trace/own_threads.h"

namespace lanescope::analysis {

using trace::EventKind;
using trace::LaneId;
using trace::NameId;

namespace {

constexpr std::size_t kSamplesALook = 4096;

struct Function {
  NameId name = 0;
  std::int64_t self = 0, total = 0;
};

struct Samples {
  std::int64_t all = 0;
  std::int64_t withStack = 0;  ///< but those of which only the innermost function was kept
};

/// Functions of all samples in scope, and how many there are, those without a stack too.
std::vector<Function> functionsOf(const ReportInput& input, const std::vector<LaneId>& lanes,
                                  const report::SampleStacks& stacks, Samples& samples) {
  std::vector<Function> functions(stacks.names().size());
  std::vector<std::int64_t> lastIn(functions.size(), 0);  // a function counts once a sample, however often it is in it
  for (const LaneId id : lanes) {
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      if (++samples.all % kSamplesALook == 0 && input.job.cancelled()) return {};
      const std::uint64_t row = input.trace.lanes[id]->sourceRow(i);
      const auto frames = stacks.of(row);
      if (!frames.empty()) ++functions[frames.front()].self;
      if (stacks.notTaken(row)) continue;
      ++samples.withStack;
      for (const NameId frame : frames)
        if (std::exchange(lastIn[frame], samples.all) != samples.all) ++functions[frame].total;
    }
  }
  for (NameId name = 0; name < functions.size(); ++name) functions[name].name = name;
  std::erase_if(functions, [](const Function& each) { return each.total == 0 && each.self == 0; });
  const auto text = [&](const Function& each) { return stacks.names()[each.name].text; };
  std::ranges::sort(functions, [&](const Function& a, const Function& b) {
    return std::tuple(-a.self, -a.total, text(a)) < std::tuple(-b.self, -b.total, text(b));
  });
  return functions;
}

}  // namespace

MadeTable cpuHot(const ReportInput& input) {
  Table table;
  table.columns = {{"Self", ColumnKind::kShare},  {"Self Samples", ColumnKind::kCount},
                   {"Total", ColumnKind::kShare}, {"Total Samples", ColumnKind::kCount},
                   {"Source", ColumnKind::kText}, {"Function", ColumnKind::kText},
                   {"Module", ColumnKind::kText}};
  struct Kind {
    EventKind kind;
    report::StackSource source;
    const char* word;
  };
  for (const Kind& each : {Kind{EventKind::kCpuSample, report::StackSource::kCpu, "CPU"},
                           Kind{EventKind::kPythonSample, report::StackSource::kPython, "Python"}}) {
    std::vector<LaneId> lanes = input.lanes(std::array{each.kind});
    std::erase_if(lanes, [&](LaneId lane) { return isOfOwnThread(input.trace, input.trace.laneInfo[lane]); });
    if (lanes.empty()) continue;
    const auto stacks = input.file.sampleStacks(each.source, input.job);
    Samples samples;
    std::vector<Function> functions = functionsOf(input, lanes, *stacks, samples);
    if (input.job.cancelled()) return std::nullopt;
    if (input.arguments.rows) functions.resize(std::min(functions.size(), *input.arguments.rows));
    const auto share = [&](std::int64_t count, std::int64_t of) {
      return of == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(of);
    };
    std::string caveat = stacks->cut() ? "the file has more stacks than are read" : "";
    if (samples.withStack < samples.all)
      caveat += fmt::format("{}Total is of the {} of {} samples whose stack was taken", caveat.empty() ? "" : "; ",
                            samples.withStack, samples.all);
    for (const Function& of : functions) {
      table.rows.push_back({share(of.self, samples.all), of.self, share(of.total, samples.withStack), of.total,
                            std::string(each.word), std::string(stacks->names()[of.name].label),
                            std::string(stacks->module(of.name))});
      table.caveats.push_back(caveat);
    }
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

}  // namespace lanescope::analysis
