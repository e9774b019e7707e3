// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_kinds.h"

#include <algorithm>
#include <utility>

namespace lanescope::imported {

using trace::EventKind;

namespace {

constexpr std::pair<std::string_view, Category> kCategories[] = {
    {"cpu_op", {.isKinetos = true}},
    {"operator", {.isKinetos = true}},
    {"python_function", {.subject = Subject::kPython, .isKinetos = true}},
    {"user_annotation", {.subject = Subject::kAnnotation, .isKinetos = true}},
    {"cpu_instant_event", {.isKinetos = true, .isMemory = true}},
    {"cuda_profiler_range", {.isKinetos = true}},
    {"cuda_runtime", {.subject = Subject::kCall, .isKinetos = true}},
    {"cuda_driver", {.subject = Subject::kCall, .isKinetos = true}},
    {"runtime", {.subject = Subject::kCall, .isKinetos = true}},
    {"hip_runtime", {.subject = Subject::kCall, .isKinetos = true}},
    {"hip_driver", {.subject = Subject::kCall, .isKinetos = true}},
    {"xpu_runtime", {.subject = Subject::kCall, .isKinetos = true}},
    {"xpu_driver", {.subject = Subject::kCall, .isKinetos = true}},
    {"overhead", {.subject = Subject::kOverhead, .isKinetos = true}},
    {"kernel", {.subject = Subject::kKernel, .isKinetos = true}},
    {"gpu_memcpy", {.subject = Subject::kCopy, .isKinetos = true}},
    {"memcpy", {.subject = Subject::kCopy, .isKinetos = true}},
    {"gpu_memset", {.subject = Subject::kMemset, .isKinetos = true}},
    {"memset", {.subject = Subject::kMemset, .isKinetos = true}},
    {"cuda_sync", {.subject = Subject::kWait, .isKinetos = true}},
    {"gpu_user_annotation", {.subject = Subject::kGpuAnnotation, .isKinetos = true}},
    {"ac2g", {.isKinetos = true, .isLaunch = true}},
    {"async_cpu_to_gpu", {.isKinetos = true, .isLaunch = true}},
    {"async", {.isLaunch = true}},
    // Lanescope's own export.
    {"cuda_graph", {.subject = Subject::kGraph}},
    {"gpu_page_fault", {.subject = Subject::kGpuFault}},
    {"osrt", {.subject = Subject::kOsCall}},
    {"syscall", {.subject = Subject::kOsCall}},
    {"cpu_sample", {.subject = Subject::kSample}},
    {"python_sample", {.subject = Subject::kPythonSample}},
    {"cpu_page_fault", {.subject = Subject::kCpuFault}},
};

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool equalsAnyCase(std::string_view lowered, std::string_view text) {
  return std::ranges::equal(lowered, text, {}, {}, lower);
}

std::int64_t memoryKind(std::string_view text) {
  constexpr std::pair<std::string_view, std::int64_t> kKinds[] = {
      {"Pageable", 0}, {"Pinned", 1},        {"Device", 2},         {"Array", 3},
      {"Managed", 4},  {"Device Static", 5}, {"Managed Static", 6}, {"Unknown", 7},
  };
  const auto* const found = std::ranges::find(kKinds, text, &std::pair<std::string_view, std::int64_t>::first);
  return found == std::end(kKinds) ? -1 : found->second;
}

}  // namespace

EventKind kindOf(Subject subject) {
  switch (subject) {
    case Subject::kCall:
      return EventKind::kCudaApi;
    case Subject::kOsCall:
      return EventKind::kOsRuntime;
    case Subject::kOverhead:
      return EventKind::kOverhead;
    case Subject::kSample:
      return EventKind::kCpuSample;
    case Subject::kPythonSample:
      return EventKind::kPythonSample;
    case Subject::kCpuFault:
      return EventKind::kCpuPageFault;
    case Subject::kKernel:
      return EventKind::kKernel;
    case Subject::kCopy:
      return EventKind::kCopy;
    case Subject::kMemset:
      return EventKind::kMemset;
    case Subject::kGraph:
      return EventKind::kGraphLaunch;
    case Subject::kWait:
      return EventKind::kSync;
    case Subject::kGpuFault:
      return EventKind::kGpuPageFault;
    case Subject::kGpuAnnotation:
      return EventKind::kNvtxStartEnd;
    case Subject::kSlice:
    case Subject::kPython:
    case Subject::kAnnotation:
      break;
  }
  return EventKind::kNvtxRange;
}

Category categoryOf(std::string_view text) {
  for (const auto& [name, category] : kCategories)
    if (equalsAnyCase(name, text)) return category;
  return {};
}

Category Categories::of(std::string_view text) {
  if (text.empty()) return {};
  const std::size_t slot =
      text.size() * 31 + static_cast<unsigned char>(text.front()) * 7 + static_cast<unsigned char>(text.back()) * 3;
  Known& known = known_[slot % known_.size()];
  if (!known.isFilled || known.text != text) known = {std::string(text), categoryOf(text), true};
  return known.category;
}

CopySides copySidesOf(std::string_view name) {
  const std::size_t open = name.find('('), arrow = name.find(" -> "), close = name.rfind(')');
  if (open == std::string_view::npos || arrow == std::string_view::npos || close == std::string_view::npos ||
      arrow < open || close < arrow)
    return {};
  return {memoryKind(name.substr(open + 1, arrow - open - 1)), memoryKind(name.substr(arrow + 4, close - arrow - 4))};
}

}  // namespace lanescope::imported
