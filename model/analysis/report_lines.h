// SPDX-License-Identifier: Apache-2.0
// Lines of the sum reports: figures of all events of one text, before they are cells. Private to model/analysis; caveats also
// for model/together.
#pragma once

#include "model/analysis/report_input.h"

namespace lanescope::analysis {

struct Line {
  Statistics figures;
  std::vector<std::string> words;  ///< the columns behind the figures; the last is the name
  std::string caveat = {};  ///< why the figures are not whole
  std::vector<trace::Ns> instances = {};  ///< ReportInput::withInstances
};

using TextOf = std::string_view (*)(const trace::Name&);
std::string_view wholeText(const trace::Name& name);

/// Adds a line for each different text among the events of these lanes that have a duration; `before` are the words that
/// stand before the text, `prefix` is a part of it.
void addLines(const ReportInput& input, Lanes lanes, TextOf textOf, std::vector<Line>& lines,
              const std::vector<std::string>& before = {}, std::string_view prefix = {});

/// The same for kernels, by what the arguments say kernels are called.
void addKernelLines(const ReportInput& input, Lanes lanes, std::vector<Line>& lines,
                    const std::vector<std::string>& before = {});

/// Most total first, then by the words, from the last.
void sortLines(std::vector<Line>& lines);

/// Share, total, count, average, median, least, greatest, deviation, and the words under these titles.
Table timeTable(std::vector<Line> lines, const char* count, std::vector<std::string> words);

/// The same of sizes, without the share.
Table sizeTable(std::vector<Line> lines, std::vector<std::string> words);

/// Makes the caveats of its rows a last column, where there are any.
void showCaveats(Table& table);
bool isCaveats(const Column& column);

/// Average, median, least, greatest, deviation.
void addSpread(std::vector<Cell>& row, const Statistics& figures);

inline Cell whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

}  // namespace lanescope::analysis
