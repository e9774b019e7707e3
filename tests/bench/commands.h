// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmarks of lanescope-bench. Each prints one JSON object and returns an exit status.
#pragma once

#include <QSize>
#include <filesystem>
#include <functional>
#include <string>

#include "views/timeline/view_state.h"

namespace lanescope::bench {

/// From the file to the finished trace, beside a bare pass of sqlite3_step over the same columns.
int load(const std::filesystem::path& file, bool projections);

/// Full frames of the timeline with every row open: the whole trace, a hundredth of it, a ten-thousandth.
/// `size` is the canvas with headers; every frame shows another range, so nothing is reused.
int frames(const std::filesystem::path& file, QSize size);

/// The figures of ranges of ten thousand, a hundred thousand and a million events, and how busy the GPUs were in them.
int select(const std::filesystem::path& file);

/// Two reports laid one above the other, with what changed between them.
int align(const std::filesystem::path& fileA, const std::filesystem::path& fileB);

/// A query over all events: the median of nine searches, and a step from hit to hit.
int search(const std::filesystem::path& file, const std::string& text, bool regex);

/// The window itself: from a new filter to its picture and its figures, and the longest that the GUI thread was busy with
/// one thing. `size` is the timeline's. Makes the application.
int ui(int& argc, char** argv, const std::filesystem::path& file, QSize size, const std::string& filter, bool regex);

/// Turns of the event loop, asleep between them.
void runUntil(const std::function<bool()>& done);

/// A table with a row for each event, and the list of events, sorted by each column in turn: JSON of milliseconds from
/// the click to the new order, and of processor time. Within an application.
std::string sortStatistics(const trace::TracePtr& trace);
std::string sortEvents(views::ViewState& view);

/// From the folder of a recording, made up of so many events, to the report.
int finish(std::size_t events);

/// Frames a second of a stack that was seen before; addresses all over an ELF file, each for the first time; its symbols.
int unwindStacks(const std::filesystem::path& file);

}  // namespace lanescope::bench
