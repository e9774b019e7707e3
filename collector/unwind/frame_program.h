// SPDX-License-Identifier: Apache-2.0
// The instructions of an entry of a frame table, followed as far as one address. Registers that calls need not keep are
// stepped over. Private to this folder. Source: DWARF 5, 6.4.2.
#pragma once

#include <cstdint>
#include <optional>

#include "collector/unwind/byte_reader.h"
#include "collector/unwind/frame_rule.h"

namespace lanescope::unwind {

struct FrameProgram {
  std::uint64_t codeUnit = 0;
  std::int64_t dataUnit = 0;
  std::uint64_t returnColumn = 0;
};

/// The row for what lies so far behind the start of the function: `common` stands before all functions alike, then `own`.
/// None where they are damaged or say what nobody does.
std::optional<FrameRow> rowAt(const FrameProgram& program, Bytes common, Bytes own, std::uint64_t distance);

}  // namespace lanescope::unwind
