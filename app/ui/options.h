// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of lanescope-ui as a value. Parsing prints nothing and needs no QApplication, so that main can
// choose the platform before it makes one.
#pragma once

#include <QSize>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/trace/time.h"
#include "views/theme.h"

namespace lanescope::ui {

struct Options {
  std::vector<std::filesystem::path> files;
  bool together = false;  ///< on one timeline; they may be folders
  std::vector<std::filesystem::path> compared;  ///< none, or two
  std::optional<std::filesystem::path> screenshot;
  QSize size{1600, 1000};  ///< of the window, logical pixels
  bool sizeGiven = false;
  std::optional<trace::TimeRange> range;
  std::optional<views::Theme::Mode> theme;
  bool timesAreNanoseconds = false;  ///< in JSON
};

/// The program has nothing more to do than print this and go.
struct Farewell {
  int status = 0;
  std::string text;  ///< to stdout for status 0, else one line to stderr
};

std::variant<Options, Farewell> parseOptions(int argc, const char* const* argv);

/// "1500", "1.5us", "-20 ms", "2s" in ns; whole nanoseconds if no unit. Nothing if it is not a time, has more decimals
/// than nanoseconds, or lies outside what a trace can hold.
std::optional<trace::Ns> parseTime(std::string_view text);

}  // namespace lanescope::ui
