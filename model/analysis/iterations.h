// SPDX-License-Identifier: Apache-2.0
// The iterations of a program: instances of an NVTX range that repeats, never a guess from pauses or libraries. Ranges
// whose texts differ in one number that counts up ("step 0", "step 1", …) are instances of one. O(ranges · log). Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/trace/trace.h"

namespace lanescope::analysis {

struct Iterations {
  std::string name;                    ///< "domain:step *"
  std::vector<trace::EventRef> ranges; ///< by start; of all threads that have it
};

/// Those of the range with this text, with or without "domain:" before it: where it is there once only, of those that
/// differ from it in numbers. Without a text: of the outermost range that repeats on its thread, with the same text or with
/// one number in it that counts up by a constant over at least three, of several the one that takes most time; ranges in
/// the domains of libraries are none. Nothing where there is no such range at least twice. Unfinished ranges do not count.
std::optional<Iterations> findIterations(const trace::Trace& trace, std::string_view text = {});

/// A text with * for each number in it.
std::string withoutNumbers(std::string_view text);

}  // namespace lanescope::analysis
