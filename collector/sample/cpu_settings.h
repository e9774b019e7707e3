// SPDX-License-Identifier: Apache-2.0
// What is to be recorded of the CPU. Plain data.
#pragma once

#include <cstdint>
#include <optional>

namespace lanescope::sample {

enum class CpuScope { kNone, kProcessTree, kSystemWide };
enum class StackKind { kNone, kFramePointers, kLbr, kDwarf };
inline constexpr StackKind kStackKinds[] = {StackKind::kNone, StackKind::kFramePointers, StackKind::kLbr,
                                            StackKind::kDwarf};
/// As --backtrace has it.
constexpr const char* nameOf(StackKind kind) {
  constexpr const char* kNames[] = {"none", "fp", "lbr", "dwarf"};
  return kNames[static_cast<int>(kind)];
}

struct CpuSettings {
  CpuScope samples = CpuScope::kNone;
  CpuScope switches = CpuScope::kNone;  ///< of the same scope where both are on
  std::optional<StackKind> stacks;  ///< none: whatever is best here
  std::uint32_t samplesPerBacktrace = 0;  ///< 0: as many as suit the kind of stack
  std::uint32_t frequency = 1000;
  std::uint64_t period = 0;  ///< events between two samples, in place of the frequency

  bool any() const { return samples != CpuScope::kNone || switches != CpuScope::kNone; }
};

}  // namespace lanescope::sample
