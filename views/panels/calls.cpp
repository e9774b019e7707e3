// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/calls.h"

#include <algorithm>

namespace lanescope::views {

using analysis::CallOrder;
using analysis::CallSource;

SampleFile::Stacks SampleFile::stacks(const Job& job) {
  if (stacks_) return *stacks_;
  Stacks read = report::SampleStacks::read(path_, job);
  if (!job.cancelled()) stacks_ = read;
  return read;
}

CallsAnswer answer(CallsQuestion question, const Job& job) {
  CallsAnswer answer;
  answer.trace = question.tree.trace;
  if (question.tree.source == CallSource::kSamples) {
    const SampleFile::Stacks stacks = question.file->stacks(job);
    if (!stacks) {
      answer.missing = QString::fromStdString(sentence(stacks.error()));
      return answer;
    }
    question.tree.stacks = *stacks;
    answer.stacksCut = (*stacks)->cut();
  }
  const auto topDown = std::make_shared<const analysis::CallTree>(callTree(question.tree, job));
  answer.ordered = question.order == CallOrder::kTopDown
                       ? topDown
                       : std::make_shared<const analysis::CallTree>(inOrder(*topDown, question.order, job));
  answer.flame = question.order == CallOrder::kFlat ? topDown : answer.ordered;
  return answer;
}

bool hasCalls(const trace::Trace& trace, CallSource source) {
  using trace::EventKind;
  return std::ranges::any_of(trace.laneInfo, [&](const trace::LaneInfo& lane) {
    return source == CallSource::kSamples ? lane.kind == EventKind::kCpuSample
                                          : lane.kind == EventKind::kNvtxRange || lane.kind == EventKind::kNvtxStartEnd;
  });
}

}  // namespace lanescope::views
