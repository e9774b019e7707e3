// SPDX-License-Identifier: Apache-2.0
// Times, byte counts, rates and shares as text, the same everywhere. Exact in the last digit shown; never a double for
// a time. Decimal point, thin grouping by spaces, units with one space before them.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// A duration in the unit that keeps 1 to 999 before the point and `digits` significant digits: "92.2 µs", "25.6 s",
/// "800 ns". Rounded half up. Never more digits than the nanoseconds have.
std::string formatDuration(std::int64_t ns, int digits = 4);

/// A duration with every digit: "92.226 µs", "1 234.567 890 ms" is written "1.234 567 890 s".
std::string formatExact(std::int64_t ns);

/// Bytes in decimal units as GPU tools print them: "16.8 MB", "512 B".
std::string formatBytes(std::uint64_t bytes);

/// Bytes over time: "54.2 GB/s"; "–" when the time is 0.
std::string formatRate(std::uint64_t bytes, std::int64_t ns);

/// part / whole in per cent with one decimal: "36.6 %"; "–" when whole is 0.
std::string formatShare(std::int64_t part, std::int64_t whole);

/// An integer with thin groups of three: "1 234 567".
std::string formatCount(std::uint64_t count);

}  // namespace lanescope
