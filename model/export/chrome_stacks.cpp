// SPDX-License-Identifier: Apache-2.0
#include "model/export/chrome_stacks.h"

#include <fmt/format.h>

#include <ranges>

#include "model/json.h"
#include "model/trace/sample_words.h"

namespace lanescope::exporting {

using report::SampleStacks;

namespace {

/// "clear_page [kernel]": what names() calls it, without the module, which stands beside it.
std::string functionOf(const SampleStacks& stacks, trace::NameId frame) {
  const trace::Name& name = stacks.names()[frame];
  const bool isOfKernel = name.text.substr(name.label.size()).starts_with(" [kernel]");
  return std::string(name.label) + (isOfKernel ? " [kernel]" : "");
}

}  // namespace

void ChromeStacks::read(const report::Database& database, const Job& job, report::StackSource source) {
  read_.push_back(SampleStacks::read(database, job, source));
  keys_.clear();
  cut_ |= read_.back()->cut();
  damaged_ |= read_.back()->damaged();
}

ChromeStacks::Place ChromeStacks::add(std::uint64_t row) {
  const SampleStacks& stacks = *read_.back();
  const auto frames = stacks.of(row);
  if (frames.empty()) return {};
  Place place{.function = functionOf(stacks, frames.front()), .isLone = stacks.notTaken(row)};
  for (const trace::NameId frame : frames | std::views::reverse) {
    const auto [known, isNew] = keys_.try_emplace({place.node, frame}, static_cast<std::uint32_t>(nodes_.size() + 1));
    if (isNew) {
      constexpr std::size_t kAround = 80;  // keys, quotes and commas
      bytes_ += kAround + stacks.names()[frame].label.size() + stacks.module(frame).size();
      if (bytes_ > kMostBytes) {
        keys_.erase(known);
        cut_ = true;
        place.node = 0;
        return place;
      }
      nodes_.push_back({place.node, frame, &stacks});
    }
    place.node = known->second;
  }
  return place;
}

void ChromeStacks::append(OutFile& out) const {
  if (nodes_.empty()) return;
  std::string& text = out.text();
  text += ",\"stackFrames\":{";
  for (std::size_t i = 0; i < nodes_.size() && out.flow(); ++i) {
    const auto& [parent, frame, stacks] = nodes_[i];
    fmt::format_to(std::back_inserter(text), "{}\n\"{}\":{{\"name\":", i == 0 ? "" : ",", i + 1);
    appendQuoted(text, functionOf(*stacks, frame));
    if (const std::string_view module = stacks->module(frame); !module.empty())
      appendQuoted(text += ",\"category\":", module);
    if (stacks->isPython(frame)) fmt::format_to(std::back_inserter(text), ",\"{}\":true", trace::kPythonMember);
    if (parent != 0) fmt::format_to(std::back_inserter(text), ",\"parent\":\"{}\"", parent);
    text += '}';
  }
  text += '}';
}

}  // namespace lanescope::exporting
