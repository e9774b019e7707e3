// SPDX-License-Identifier: Apache-2.0
// Of processes that were there before a recording of the whole machine began: their names and what they have mapped, as
// the kernel would have told it while they were made. Reads /proc; of others' processes only what it gives away. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace lanescope::sample {

/// Records as kPerf chunks have them, of time 0. `proc`: where that is, for tests.
std::string recordsOfExisting(const std::filesystem::path& proc = "/proc");

/// Those of the executable lines of a /proc/PID/maps.
std::string recordsOfMaps(std::string_view maps, std::uint32_t process);

}  // namespace lanescope::sample
