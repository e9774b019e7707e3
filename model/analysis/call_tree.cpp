// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/call_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <span>
#include <tuple>

#include "model/analysis/call_tree_builder.h"
#include "model/analysis/grouping.h"
#include "model/trace/own_threads.h"

namespace lanescope::analysis {
namespace {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;
using trace::Ns;

constexpr std::size_t kStepsALook = 4096;

/// What a tree's names lie in, kept alive with it.
struct Texts {
  trace::TracePtr trace;
  std::shared_ptr<const report::SampleStacks> stacks;
  std::deque<std::string> own;
};

/// Names as a tree numbers them. Keys are NameIds, or what own() gave.
class TreeNames {
 public:
  explicit TreeNames(const CallQuestion& question)
      : texts_(std::make_shared<Texts>(Texts{question.trace, question.stacks, {}})) {}

  std::uint32_t of(const trace::NameTable& table, trace::NameId name) {
    const auto [known, isNew] = numbers_.try_emplace(table[name].same, static_cast<std::uint32_t>(names_.size()));
    if (isNew) names_.push_back(table[name].text);
    return known->second;
  }
  std::uint32_t own(std::string text) {
    names_.push_back(texts_->own.emplace_back(std::move(text)));
    return static_cast<std::uint32_t>(names_.size() - 1);
  }
  void give(CallTree& tree) {
    tree.names = std::move(names_);
    tree.texts = std::move(texts_);
  }

 private:
  std::shared_ptr<Texts> texts_;
  std::unordered_map<trace::NameId, std::uint32_t> numbers_;
  std::vector<std::string_view> names_;
};

/// Who has a stack: a thread, or for start/end ranges a process.
struct Owner {
  std::uint32_t process = trace::kNone, thread = trace::kNone;
  bool startEnd = false;
  auto operator<=>(const Owner&) const = default;
};

std::string ownerName(const trace::Trace& trace, const Owner& owner) {
  const bool several = trace.processes.size() > 1 && owner.process < trace.processes.size();
  const std::string process =
      several ? fmt::format("{} (pid {}) · ", trace.processes[owner.process].name, trace.processes[owner.process].pid)
              : std::string();
  if (owner.startEnd) return process + "Start/end ranges";
  if (owner.thread >= trace.threads.size()) return process + "Unknown thread";
  const trace::Thread& thread = trace.threads[owner.thread];
  return process +
         (thread.name.empty() ? fmt::format("Thread {}", thread.tid) : fmt::format("{} ({})", thread.name, thread.tid));
}

struct Span {
  Ns start = 0, end = 0;  // whole
  EventRef event;
};

/// Calls visit(event) for what of a lane touches the range and passes; false once the job is cancelled.
template <class Visit>
bool forEachEvent(const CallQuestion& question, LaneId lane, const Job& job, Visit visit) {
  const trace::LaneView view = laneOf(*question.trace, lane, question.passing.get());
  const Touching touched = touching(*question.trace->lanes[lane], question.range);
  for (std::size_t i = view.next(touched.first); i < touched.last; i = view.next(i + 1)) {
    if (i % kStepsALook == 0 && job.cancelled()) return false;
    visit(EventRef{lane, static_cast<std::uint32_t>(i)});
  }
  return true;
}

/// What an owner's stacks are made of.
struct Owned {
  std::vector<LaneId> lanes;  // of ranges that nest, or samples
  std::vector<EventRef> startEnd;
};

EventKind kindOf(CallSource source) {
  switch (source) {
    case CallSource::kSamples:
      return EventKind::kCpuSample;
    case CallSource::kPython:
      return EventKind::kPythonSample;
    case CallSource::kNvtx:
      break;
  }
  return EventKind::kNvtxRange;
}

std::map<Owner, Owned> eventsByOwner(const CallQuestion& question, const Job& job) {
  const trace::Trace& trace = *question.trace;
  std::map<Owner, Owned> owners;
  for (LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    const trace::LaneInfo& info = trace.laneInfo[lane];
    if (touching(*trace.lanes[lane], question.range).size() == 0 || isOfOwnThread(trace, info)) continue;
    if (info.kind == kindOf(question.source)) {
      owners[{info.process, info.thread, false}].lanes.push_back(lane);
    } else if (question.source == CallSource::kNvtx && info.kind == EventKind::kNvtxStartEnd) {
      const bool whole = forEachEvent(question, lane, job, [&](EventRef range) {
        const auto thread = question.threads ? question.threads->of(trace, range) : std::nullopt;
        owners[{info.process, thread.value_or(trace::kNone), !thread}].startEnd.push_back(range);
      });
      if (!whole) break;
    }
  }
  return owners;
}

/// The ranges of one owner, as time passes.
class Sweep {
 public:
  Sweep(const CallQuestion& question, CallTreeBuilder& builder, TreeNames& names, std::uint32_t top, CallTree& tree)
      : question_(question), builder_(builder), names_(names), top_(top), tree_(tree) {}

  bool run(const Owned& owned, const Job& job) {
    const auto take = [&](EventRef range) {
      const trace::TimeRange time = question_.trace->time(range);
      spans_.push_back({time.begin, time.end, range});
    };
    for (const LaneId lane : owned.lanes)
      if (!forEachEvent(question_, lane, job, take)) return false;
    std::ranges::for_each(owned.startEnd, take);
    std::ranges::sort(spans_, [](const Span& a, const Span& b) {
      return std::tuple(a.start, -a.end, a.event.lane, a.event.index) <
             std::tuple(b.start, -b.end, b.event.lane, b.event.index);
    });
    for (std::uint32_t i = 0; i < spans_.size(); ++i) {
      if (i % kStepsALook == 0 && job.cancelled()) return false;
      closeUntil(clipped(spans_[i].start));
      passTo(clipped(spans_[i].start));
      open(i);
    }
    closeUntil(trace::kMaxTime);
    return true;
  }

 private:
  struct Level {
    std::uint32_t span;
    std::uint32_t node;
  };

  Ns clipped(Ns time) const { return std::clamp(time, question_.range.begin, question_.range.end); }
  std::uint32_t innermost() const { return stack_.empty() ? top_ : stack_.back().node; }

  void passTo(Ns time) {
    if (!stack_.empty()) {
      builder_.node(stack_.back().node).self += time - now_;
      builder_.node(stack_.back().node).total += time - now_;
    }
    now_ = time;
  }

  void open(std::uint32_t span) {
    ends_.emplace(clipped(spans_[span].end), span);
    if (stack_.size() < CallQuestion::kMostLevels) return push(span);
    ++tree_.cut;
    waiting_.insert(span);
  }

  std::uint32_t nodeOf(std::uint32_t span) {
    const trace::Trace& trace = *question_.trace;
    return builder_.child(innermost(), names_.of(*trace.names, trace.name(spans_[span].event))).value_or(innermost());
  }

  void push(std::uint32_t span) {
    const std::uint32_t around = innermost();
    stack_.push_back({span, nodeOf(span)});
    if (stack_.back().node == around) {
      ++tree_.cut;
      return;
    }
    ++builder_.node(stack_.back().node).count;
    meet(stack_.back());
  }

  void meet(const Level& level) {
    CallNode& node = builder_.node(level.node);
    const Ns length = spans_[level.span].end - spans_[level.span].start;
    if (length <= node.longestLength) return;
    node.longest = spans_[level.span].event;
    node.longestLength = length;
  }

  void closeUntil(Ns time) {
    for (; !ends_.empty() && ends_.top().first <= time; ends_.pop()) {
      passTo(ends_.top().first);
      close(ends_.top().second);
    }
  }

  /// What stood inside one that ends before it stands without it from then on.
  void close(std::uint32_t span) {
    const auto level = std::ranges::find(stack_.rbegin(), stack_.rend(), span, &Level::span);
    if (level == stack_.rend()) {
      waiting_.erase(span);
      return;
    }
    const std::vector<Level> inside(level.base(), stack_.end());
    stack_.erase(level.base() - 1, stack_.end());
    for (const Level& each : inside) {
      const std::uint32_t around = innermost();
      stack_.push_back({each.span, nodeOf(each.span)});
      if (stack_.back().node != around) meet(stack_.back());
    }
    if (waiting_.empty()) return;
    push(*waiting_.begin());
    waiting_.erase(waiting_.begin());
  }

  const CallQuestion& question_;
  CallTreeBuilder& builder_;
  TreeNames& names_;
  const std::uint32_t top_;
  CallTree& tree_;
  std::vector<Span> spans_;  // by start, outer before inner
  std::vector<Level> stack_;
  std::set<std::uint32_t> waiting_;  // open, deeper than the stack is kept
  using End = std::pair<Ns, std::uint32_t>;
  struct Later {  // of two that end together the inner one ends first
    bool operator()(const End& a, const End& b) const {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    }
  };
  std::priority_queue<End, std::vector<End>, Later> ends_;
  Ns now_ = 0;
};

/// Adds a sample to the node of its stack and to all around it.
void addSample(CallTreeBuilder& builder, CallTree& tree, std::uint32_t top, EventRef sample,
               std::span<const std::uint32_t> names) {
  const auto meet = [&](std::uint32_t node) {
    CallNode& met = builder.node(node);
    ++met.count;
    if (met.longestLength >= 0) return;
    met.longest = sample;
    met.longestLength = 0;
  };
  std::uint32_t at = top;
  bool cut = names.size() > CallQuestion::kMostLevels;
  for (const std::uint32_t name : names.first(std::min(names.size(), CallQuestion::kMostLevels))) {
    const auto next = builder.child(at, name);
    if (!next) {
      cut = true;
      break;
    }
    meet(at = *next);
  }
  ++builder.node(at).self;
  ++builder.node(at).total;
  tree.cut += cut;
}

using LoneByName = std::map<std::pair<std::uint32_t, std::uint32_t>, CallTree::Lone>;  // by top and name

bool addSamples(const CallQuestion& question, CallTreeBuilder& builder, TreeNames& names, std::uint32_t without,
                std::uint32_t top, LaneId lane, CallTree& tree, LoneByName& lone, const Job& job) {
  std::vector<std::uint32_t> stack;
  return forEachEvent(question, lane, job, [&](EventRef sample) {
    stack.clear();
    if (question.stacks) {
      const std::uint64_t row = question.trace->lanes[lane]->sourceRow(sample.index);
      const auto frames = question.stacks->of(row);
      if (question.stacks->notTaken(row) && !frames.empty()) {
        const std::uint32_t of = builder.node(top).name, name = names.of(question.stacks->names(), frames.front());
        ++lone.try_emplace({of, name}, CallTree::Lone{of, name, 0, sample}).first->second.count;
        return;
      }
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
        stack.push_back(names.of(question.stacks->names(), *frame));
    }
    if (stack.empty()) stack.push_back(without);
    addSample(builder, tree, top, sample, stack);
  });
}

/// Visits all below a node, those around before those inside; leave(node) after what is inside.
template <class Enter, class Leave>
void walk(const CallTree& tree, std::uint32_t top, Enter enter, Leave leave) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{top, 0}};  // a node, and how many children were visited
  while (!open.empty()) {
    auto& [node, visited] = open.back();
    if (visited == tree.nodes[node].children) {
      if (node != top) leave(node);
      open.pop_back();
      continue;
    }
    const std::uint32_t child = tree.nodes[node].firstChild + visited++;
    enter(child);
    open.emplace_back(child, 0);
  }
}

void add(CallNode& to, const CallNode& from) {
  to.count += from.count;
  if (from.longestLength <= to.longestLength) return;
  to.longest = from.longest;
  to.longestLength = from.longestLength;
}

/// What a node was in itself goes to its name, and below that to each of its callers.
void addBottomUp(const CallTree& tree, std::uint32_t node, std::uint32_t group, CallTreeBuilder& builder,
                 std::uint32_t top) {
  const CallNode& from = tree.nodes[node];
  // Every sample passes all around it: those alone count that ended here.
  const bool samples = tree.source == CallSource::kSamples;
  if (samples && from.self == 0) return;
  CallNode part = from;
  if (samples) part.count = static_cast<std::uint64_t>(from.self);
  std::uint32_t at = top;
  for (std::uint32_t caller = node; caller != group; caller = tree.nodes[caller].parent) {
    const auto next = builder.child(at, tree.nodes[caller].name);
    if (!next) return;
    CallNode& to = builder.node(*next);
    to.total += from.self;
    if (at == top) to.self += from.self;
    add(to, part);
    at = *next;
  }
}

void addFlat(const CallTree& tree, std::uint32_t group, CallTreeBuilder& builder, std::uint32_t top) {
  std::vector<std::uint32_t> around(tree.names.size(), 0);  // how often a name is on the way down
  walk(
      tree, group,
      [&](std::uint32_t node) {
        const CallNode& from = tree.nodes[node];
        const bool inItself = around[from.name]++ > 0;
        const auto flat = builder.child(top, from.name);
        if (!flat) return;
        CallNode& to = builder.node(*flat);
        to.self += from.self;
        if (!inItself) to.total += from.total;
        if (tree.source == CallSource::kNvtx || !inItself) add(to, from);
      },
      [&](std::uint32_t node) { --around[tree.nodes[node].name]; });
  for (const CallTree::Lone& each : tree.lone) {
    if (each.top != tree.nodes[group].name) continue;
    const auto flat = builder.child(top, each.name);
    if (!flat) continue;
    CallNode& to = builder.node(*flat);
    to.self += each.count;
    to.count += static_cast<std::uint64_t>(each.count);
    if (to.longestLength < 0) to.longest = each.first, to.longestLength = 0;
  }
}

}  // namespace

RangeThreads::RangeThreads(const trace::Trace& trace, report::RowValues& values)
    : tids_(values.columns("NVTX_EVENTS", {"globalTid", "endGlobalTid"})) {
  for (std::uint32_t i = 0; i < trace.threads.size(); ++i) threads_.emplace(trace.threads[i].globalTid, i);
}

std::optional<std::uint32_t> RangeThreads::of(const trace::Trace& trace, trace::EventRef range) const {
  const std::uint64_t row = trace.lanes[range.lane]->sourceRow(range.index);
  const auto begins = tids_[0]->at(row), ends = tids_[1]->at(row);
  if (!begins || begins != ends) return std::nullopt;
  const auto thread = threads_.find(*begins);
  return thread == threads_.end() ? std::nullopt : std::optional(thread->second);
}

CallTree callTree(const CallQuestion& question, const Job& job) {
  CallTree tree;
  tree.source = question.source;
  tree.byThread = question.byThread;
  CallTreeBuilder builder(question.mostNodes);
  TreeNames names(question);
  builder.node(0).name = names.own("All");
  const std::uint32_t without = names.own("(no call stack)");
  LoneByName lone;
  for (const auto& [owner, owned] : eventsByOwner(question, job)) {
    const std::uint32_t top =
        question.byThread ? builder.child(0, names.own(ownerName(*question.trace, owner))).value_or(0) : 0;
    if (question.source == CallSource::kNvtx) {
      if (!Sweep(question, builder, names, top, tree).run(owned, job)) break;
    } else {
      for (const LaneId lane : owned.lanes)
        if (!addSamples(question, builder, names, without, top, lane, tree, lone, job)) break;
    }
  }
  for (const auto& [of, each] : lone) tree.lone.push_back(each);
  builder.sumUp();
  tree.nodes = builder.finish();
  names.give(tree);
  return tree;
}

std::int64_t CallTree::withoutStack() const {
  std::int64_t all = 0;
  for (const Lone& each : lone) all += each.count;
  return all;
}

CallTree inOrder(const CallTree& topDown, CallOrder order, const Job& job) {
  if (order == CallOrder::kTopDown) return topDown;
  CallTree tree{.source = topDown.source,
                .byThread = topDown.byThread,
                .nodes = {},
                .names = topDown.names,
                .cut = topDown.cut,
                .lone = topDown.lone,
                .texts = topDown.texts};
  CallTreeBuilder builder(CallQuestion::kMostNodes);
  const auto addGroup = [&](std::uint32_t group, std::uint32_t top) {
    builder.node(top).name = topDown.nodes[group].name;
    if (order == CallOrder::kFlat) return addFlat(topDown, group, builder, top);
    walk(
        topDown, group,
        [&](std::uint32_t node) {
          if (!job.cancelled()) addBottomUp(topDown, node, group, builder, top);
        },
        [](std::uint32_t) {});
  };
  const CallNode& all = topDown.nodes[0];
  if (topDown.byThread) {
    for (std::uint32_t i = 0; i < all.children && !job.cancelled(); ++i) {
      const std::uint32_t group = all.firstChild + i;
      if (const auto top = builder.child(0, topDown.nodes[group].name)) {
        addGroup(group, *top);
        builder.node(*top).total = topDown.nodes[group].total;
      }
    }
  } else {
    addGroup(0, 0);
  }
  builder.node(0).name = all.name;
  builder.node(0).total = all.total;
  tree.nodes = builder.finish();
  return tree;
}

}  // namespace lanescope::analysis
