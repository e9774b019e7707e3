// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks of lanescope-bench. Each prints one JSON object and returns an exit status.
#pragma once

#include <QSize>
#include <filesystem>

namespace lanescope::bench {

/// From the file to the finished trace, beside a bare pass of sqlite3_step over the same columns.
int load(const std::filesystem::path& file);

/// Full frames of the timeline with every row open: the whole trace, a hundredth of it, a ten-thousandth.
/// `size` is the canvas with headers; every frame shows another range, so nothing is reused.
int frames(const std::filesystem::path& file, QSize size);

/// From the folder of a recording, made up of so many events, to the report.
int finish(std::size_t events);

}  // namespace lanescope::bench
