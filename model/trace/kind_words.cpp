// SPDX-License-Identifier: Apache-2.0
#include "model/trace/kind_words.h"

#include <utility>

#include "model/trace/foreign_domains.h"

namespace lanescope::trace {

std::string_view kindWord(const Trace& trace, const LaneInfo& info) {
  const bool isMark = info.kind == EventKind::kNvtxMark;
  const bool ofDomain = isMark || info.kind == EventKind::kNvtxRange || info.kind == EventKind::kNvtxStartEnd;
  if (!ofDomain || info.domain == kNone || trace.domains[info.domain].isNvtx) return kindName(info.kind);
  if (isMark) return "mark";
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {kOperators, "operator"}, {kPythonFunctions, "Python function"}, {kAnnotations, "annotation"}};
  for (const auto& [domain, word] : kWords)
    if (trace.domains[info.domain].name == domain) return word;
  return "slice";
}

}  // namespace lanescope::trace
