// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_samples.h"

#include "model/import/placement.h"
#include "model/trace/sample_words.h"

namespace lanescope::imported {

EventAt ThreadSamples::push(PlaceId place, Subject subject, const trace::Event& event) {
  const std::uint32_t track = places_.track({.place = place, .kind = kindOf(subject), .subject = subject});
  trace::EventList& events = places_.events(track);
  events.push_back(event);
  return {track, static_cast<std::uint32_t>(events.size() - 1)};
}

void ThreadSamples::add(const JsonEvent& entry, Subject subject) {
  const bool isNameless = entry.name == fixedName(kindOf(subject), 0).first;  // as Lanescope exports it
  const EventAt sample = push(
      places_.of(entry.pid, entry.tid), subject,
      {.start = *entry.ts, .end = *entry.ts, .name = isNameless ? 0 : nameOf(entry.name), .sourceRow = entry.ordinal});
  if (entry.stackFrame.empty()) return;
  const bool isLone = entry.args.find(trace::kStackNotTaken) != std::string_view::npos &&
                      JsonArguments(entry.args).text(trace::kStackArgument) == trace::kStackNotTaken;
  later_.push_back({sample, std::string(entry.stackFrame), isLone});
}

/// Calls a sample by its innermost frame.
void ThreadSamples::setStack(const Named& named, const StackFrames& frames) {
  const auto leaf = frames.find(named.frame);
  if (leaf == frames.end()) return;
  Track& track = recording_.tracks[named.sample.track];
  trace::Event& event = track.events[named.sample.index];
  event.name = nameOf(leaf->second.name);
  if (frameRows_ > kMostFrameRows) return stacksCut_.add(event.sourceRow);
  const auto [known, isNew] = stacks_.try_emplace({named.frame, named.isLone});
  if (isNew) {
    const std::vector<const StackFrame*> found = stackAt(frames, named.frame);
    known->second = {static_cast<std::uint32_t>(recording_.stacks.size()), frames.contains(found.back()->parent)};
    std::vector<Frame>& stack = recording_.stacks.emplace_back();
    for (const StackFrame* frame : found)
      stack.push_back(
          {nameOf(frame->name), frame->module.empty() ? 0 : nameOf(frame->module), frame->isPython, !named.isLone});
  }
  const auto [stack, isCut] = known->second;
  if (isCut) stacksCut_.add(event.sourceRow);
  frameRows_ += recording_.stacks[stack].size();
  track.stacks.resize(track.events.size(), trace::kNone);
  track.stacks[named.sample.index] = stack;
}

void ThreadSamples::finish(const JsonDocument& document, bool timesAreNanoseconds) {
  const StackFrames frames = stackFramesOf(document);
  forEachSample(document, timesAreNanoseconds, [&](const JsonSample& each) {
    const EventAt sample =
        push(places_.of(each.pid, each.tid), Subject::kSample,
             {.start = each.ts, .end = each.ts, .name = nameOf(each.name), .sourceRow = kBeside + beside_++});
    later_.push_back({sample, std::string(each.stackFrame), false});
  });
  stacks_.clear();
  for (const Named& named : later_) setStack(named, frames);
  later_.clear();
}

}  // namespace lanescope::imported
