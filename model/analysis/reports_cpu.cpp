// SPDX-License-Identifier: Apache-2.0
// Where samples of the CPU and of Python were, by function.
#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "model/analysis/report_list.h"
#include "model/report/sample_stacks.h"

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

/// Functions of all samples in scope; `samples` becomes how many there are, those without a stack too.
std::vector<Function> functionsOf(const ReportInput& input, const std::vector<LaneId>& lanes,
                                  const report::SampleStacks& stacks, std::int64_t& samples) {
  std::vector<Function> functions(stacks.names().size());
  std::vector<std::int64_t> lastIn(functions.size(), 0);  // a function counts once a sample, however often it is in it
  for (const LaneId id : lanes) {
    const auto [first, last] = input.events(id);
    for (std::size_t i = first; i < last; ++i) {
      if (++samples % kSamplesALook == 0 && input.job.cancelled()) return {};
      const auto frames = stacks.of(input.trace.lanes[id]->sourceRow(i));
      if (!frames.empty()) ++functions[frames.front()].self;
      for (const NameId frame : frames)
        if (std::exchange(lastIn[frame], samples) != samples) ++functions[frame].total;
    }
  }
  for (NameId name = 0; name < functions.size(); ++name) functions[name].name = name;
  std::erase_if(functions, [](const Function& each) { return each.total == 0; });
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
    const std::vector<LaneId> lanes = input.lanes(std::array{each.kind});
    if (lanes.empty()) continue;
    const auto stacks = input.file.sampleStacks(each.source, input.job);
    std::int64_t samples = 0;
    std::vector<Function> functions = functionsOf(input, lanes, *stacks, samples);
    if (input.job.cancelled()) return std::nullopt;
    if (input.arguments.rows) functions.resize(std::min(functions.size(), *input.arguments.rows));
    const auto share = [&](std::int64_t count) {
      return 100.0 * static_cast<double>(count) / static_cast<double>(samples);
    };
    for (const Function& of : functions) {
      table.rows.push_back({share(of.self), of.self, share(of.total), of.total, std::string(each.word),
                            std::string(stacks->names()[of.name].label), std::string(stacks->module(of.name))});
      table.caveats.emplace_back(stacks->cut() ? "the file has more stacks than are read" : "");
    }
  }
  if (table.rows.empty()) return std::nullopt;
  return table;
}

}  // namespace lanescope::analysis
