// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/calls.h"

#include <algorithm>

namespace lanescope::views {

using analysis::CallOrder;
using analysis::CallSource;

namespace {

bool hasKind(const trace::Trace& trace, trace::EventKind kind) {
  return std::ranges::find(trace.laneInfo, kind, &trace::LaneInfo::kind) != trace.laneInfo.end();
}

}  // namespace

CallsFile::Stacks CallsFile::stacks(report::StackSource source, const Job& job) {
  std::optional<Stacks>& known = stacks_[static_cast<std::size_t>(source)];
  if (known) return *known;
  Stacks read = report::SampleStacks::read(file_.path(), job, source);
  if (!job.cancelled()) known = read;
  return read;
}

const analysis::RangeThreads* CallsFile::threads(const trace::TracePtr& trace) {
  Result<report::RowValues>& values = file_.values();
  if (!values) return nullptr;
  if (trace_ != trace) threads_.emplace(*trace, *values);
  trace_ = trace;
  return &*threads_;
}

CallsAnswer answer(CallsQuestion question, const Job& job) {
  CallsAnswer answer;
  answer.trace = question.tree.trace;
  if (analysis::countsSamples(question.tree.source)) {
    const bool ofPython = question.tree.source == CallSource::kPython;
    const CallsFile::Stacks stacks =
        question.file->stacks(ofPython ? report::StackSource::kPython : report::StackSource::kCpu, job);
    if (!stacks) {
      answer.missing = QString::fromStdString(sentence(stacks.error()));
      return answer;
    }
    question.tree.stacks = *stacks;
    answer.stacksCut = (*stacks)->cut();
  } else if (hasKind(*question.tree.trace, trace::EventKind::kNvtxStartEnd)) {
    question.tree.threads = question.file->threads(question.tree.trace);
  }
  const auto topDown = std::make_shared<const analysis::CallTree>(callTree(question.tree, job));
  answer.ordered = question.order == CallOrder::kTopDown
                       ? topDown
                       : std::make_shared<const analysis::CallTree>(inOrder(*topDown, question.order, job));
  answer.flame = question.order == CallOrder::kFlat ? topDown : answer.ordered;
  return answer;
}

bool hasCalls(const trace::Trace& trace, CallSource source) {
  using enum trace::EventKind;
  switch (source) {
    case CallSource::kSamples:
      return hasKind(trace, kCpuSample);
    case CallSource::kPython:
      return hasKind(trace, kPythonSample);
    case CallSource::kNvtx:
      break;
  }
  return hasKind(trace, kNvtxRange) || hasKind(trace, kNvtxStartEnd);
}

}  // namespace lanescope::views
