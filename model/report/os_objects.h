// SPDX-License-Identifier: Apache-2.0
// What a call into the OS runtime was about: the lock that it waited for, the file that it read. LANESCOPE_OSRT_OBJECTS
// tells the object, the call's name what kind of thing that is, and what its result means. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::report {

struct OsObject {
  std::string_view kind;  ///< "Lock", "File"
  std::string name;  ///< "gate", "/data/x.bin"; where it has none its address or descriptor

  std::string text() const;  ///< "lock gate", "pipe:[77]", as it stands inside a sentence
};

/// What such a call returned, in words: "timed out (ETIMEDOUT, 110)", "1.05 MB", "3 ready".
std::string osResult(std::string_view call, std::int64_t result);

OsObject osObject(std::string_view call, std::int64_t object, std::string_view name);

}  // namespace lanescope::report
