// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/twin_fields.h"

#include <fmt/format.h>

#include "model/format.h"

namespace lanescope::views {

std::vector<report::Field> twinFields(const LinkedViews& links, Side side, trace::EventRef event) {
  const auto field = [](std::string label, std::string value) {
    report::Field made;
    made.label = std::move(label);
    made.value = std::move(value);
    made.main = true;
    return made;
  };
  const std::string other = side == kA ? "B" : "A";
  const auto& matched = links.matched();
  if (!links.knows()) return {};
  const trace::EventId id = matched->traces[side]->id(event);
  const auto& changes = matched->changes[side]->ofEvent;
  if (id >= changes.size() || changes[id] == Change::kNotCompared) return {};
  const auto twin = matched->twinOf(side, event);
  if (!twin) return {field("In " + other, "no such event")};
  const trace::Ns here = matched->traces[side]->time(event).length();
  const trace::Ns there = matched->traces[otherThan(side)]->time(*twin).length();
  const trace::Ns a = side == kA ? here : there, b = side == kA ? there : here, difference = b - a;
  std::vector<report::Field> fields{field("Duration in " + other, formatExact(there)),
                                    field("Difference", (difference > 0 ? "+" : "") + formatExact(difference))};
  if (a > 0)
    fields.push_back(field("Ratio B / A", fmt::format("{:.3f}", static_cast<double>(b) / static_cast<double>(a))));
  return fields;
}

}  // namespace lanescope::views
