// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/analysis/find_query.h"

namespace lanescope::analysis {
namespace {

bool isOneOf(const std::vector<std::int64_t>& wanted, std::int64_t value) {
  return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool matches(const re2::RE2& expression, std::string_view text) {
  return expression.Match({text.data(), text.size()}, 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

/// Which of a list satisfy all terms; empty where there is none.
template <class T>
std::vector<bool> thatAre(const std::vector<Query::Parts::Named>& terms, const std::vector<T>& list,
                          std::int64_t T::* number) {
  std::vector<bool> found;
  for (std::size_t i = 0; !terms.empty() && i < list.size(); ++i)
    found.push_back(std::all_of(terms.begin(), terms.end(), [&](const auto& term) {
      return isOneOf(term.numbers, list[i].*number) ||
             std::any_of(term.names.begin(), term.names.end(),
                         [&](const auto& name) { return matches(*name, list[i].name); });
    }));
  return found;
}

}  // namespace

Matching::Matching(const trace::Trace& trace, const Query& query, const Job& job)
    : trace_(trace),
      parts_(*query.parts_),
      isStream_(thatAre(parts_.streams, trace.streams, &trace::Stream::stream)),
      isThread_(thatAre(parts_.threads, trace.threads, &trace::Thread::tid)) {
  if (parts_.text) matchNames(job);
}

void Matching::matchNames(const Job& job) {
  const std::uint32_t count = trace_.names->size();
  isWanted_.resize(count);
  for (trace::NameId id = 0; id < count; ++id) {
    if (id % 256 == 0 && job.cancelled()) return;
    const trace::Name& name = (*trace_.names)[id];
    isWanted_[id] = matches(*parts_.text, name.text) ||
                    (parts_.labelsToo && name.label != name.text && matches(*parts_.text, name.label));
  }
}

bool Matching::asksFor(const trace::LaneInfo& lane, bool withBackground) const {
  if (parts_.kinds ? !(*parts_.kinds)[static_cast<std::size_t>(lane.kind)]
                   : !withBackground && trace::isBackground(lane.kind))
    return false;
  if (!parts_.streams.empty() && (lane.stream == trace::kNone || !isStream_[lane.stream])) return false;
  if (!parts_.threads.empty() && (lane.thread == trace::kNone || !isThread_[lane.thread])) return false;
  const auto holds = [](const std::vector<Query::Parts::Numbers>& terms, const auto& list, std::uint32_t index,
                        auto member) {
    return terms.empty() || (index != trace::kNone && std::all_of(terms.begin(), terms.end(), [&](const auto& wanted) {
                               return isOneOf(wanted, list[index].*member);
                             }));
  };
  return holds(parts_.tids, trace_.threads, lane.thread, &trace::Thread::tid) &&
         holds(parts_.pids, trace_.processes, lane.process, &trace::Process::pid) &&
         holds(parts_.gpus, trace_.gpus, lane.gpu, &trace::Gpu::device);
}

}  // namespace lanescope::analysis
