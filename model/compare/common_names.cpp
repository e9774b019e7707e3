// SPDX-License-Identifier: Apache-2.0
#include "model/compare/common_names.h"

#include <functional>
#include <string_view>
#include <unordered_map>

#include "model/analysis/iterations.h"
#include "model/analysis/report_input.h"
#include "model/compare/match_names.h"

namespace lanescope::compare {
namespace {

using trace::EventKind;
using trace::NameId;

/// What the names of one trace are names of, and the text that counts of each.
struct Side {
  explicit Side(const trace::Trace& of) : trace(of), size(of.names->size()), isKernel(size), isCall(size) {
    for (trace::LaneId lane = 0; lane < of.lanes.size(); ++lane) {
      if (!of.lanes[lane]) continue;
      const EventKind kind = of.laneInfo[lane].kind;
      std::vector<bool>* marks = kind == EventKind::kKernel    ? &isKernel
                                 : kind == EventKind::kCudaApi ? &isCall
                                                               : nullptr;
      if (marks)
        for (const NameId id : of.lanes[lane]->names()) (*marks)[id] = true;
    }
  }

  std::string_view text(NameId id) const {
    const trace::Name& name = (*trace.names)[id];
    return isCall[id] ? analysis::withoutApiVersion(name) : name.text;
  }

  std::uint64_t loose(NameId id) const {
    const trace::Name& name = (*trace.names)[id];
    const std::string plain = isKernel[id] ? withoutBuildNoise(name.label) : analysis::withoutNumbers(text(id));
    return std::hash<std::string>()(plain) | 1;
  }

  const trace::Trace& trace;
  std::uint32_t size;
  std::vector<bool> isKernel, isCall;
};

NameNumbers numbersOf(const Side& side, std::unordered_map<std::string_view, std::uint64_t>& known) {
  NameNumbers numbers;
  numbers.strict.reserve(side.size);
  numbers.loose.reserve(side.size);
  for (NameId id = 0; id < side.size; ++id) {
    numbers.strict.push_back(known.try_emplace(side.text(id), known.size() + 1).first->second);
    numbers.loose.push_back(side.loose(id));
  }
  return numbers;
}

}  // namespace

CommonNames commonNames(const trace::Trace& a, const trace::Trace& b) {
  const Side sideA(a), sideB(b);
  std::unordered_map<std::string_view, std::uint64_t> known;
  CommonNames names;
  names.a = numbersOf(sideA, known);
  const std::size_t ofA = known.size();
  names.b = numbersOf(sideB, known);

  // What is left over of kernels is one where builds differ.
  std::vector<bool> isInB(known.size() + 1);
  for (const std::uint64_t number : names.b.strict) isInB[number] = true;
  std::vector<NameToMatch> leftA, leftB;
  std::vector<NameId> idA, idB;
  const auto leave = [](const Side& side, NameId id, std::vector<NameToMatch>& left, std::vector<NameId>& ids) {
    const trace::Name& name = (*side.trace.names)[id];
    left.push_back({name.text, name.label, true});
    ids.push_back(id);
  };
  for (NameId id = 0; id < sideA.size; ++id)
    if (sideA.isKernel[id] && !isInB[names.a.strict[id]]) leave(sideA, id, leftA, idA);
  for (NameId id = 0; id < sideB.size; ++id)
    if (sideB.isKernel[id] && names.b.strict[id] > ofA) leave(sideB, id, leftB, idB);
  for (const MatchedNames& match : matchNames(leftA, leftB)) {
    if (match.a.empty() || match.b.empty()) continue;
    const std::uint64_t number = names.a.strict[idA[match.a.front()]];
    for (const std::size_t i : match.a) names.a.strict[idA[i]] = number;
    for (const std::size_t i : match.b) names.b.strict[idB[i]] = number;
  }
  return names;
}

}  // namespace lanescope::compare
