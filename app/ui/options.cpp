// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>

#include "app/manual/words.h"
#include "app/version.h"
#include "model/remote/ssh_target.h"

namespace lanescope::ui {
namespace {

constexpr int kBadUsage = 2;

struct Unit {
  std::string_view name;
  int digits;  ///< decimals down to a nanosecond
};
constexpr std::array kUnits{Unit{"ns", 0}, Unit{"us", 3}, Unit{"µs", 3}, Unit{"ms", 6}, Unit{"s", 9}};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view withoutSpaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

std::optional<trace::TimeRange> parseRange(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto begin = parseTime(text.substr(0, comma));
  const auto end = parseTime(text.substr(comma + 1));
  if (!begin || !end || *begin >= *end) return std::nullopt;
  return trace::TimeRange{*begin, *end};
}

std::optional<QSize> parseSize(std::string_view text) {
  constexpr int kSmallest = 200, kLargest = 16384;
  const std::size_t x = text.find('x');
  const auto part = [](std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  if (x == std::string_view::npos) return std::nullopt;
  const QSize size(part(text.substr(0, x)), part(text.substr(x + 1)));
  if (size.width() < kSmallest || size.height() < kSmallest) return std::nullopt;
  if (size.width() > kLargest || size.height() > kLargest) return std::nullopt;
  return size;
}

Farewell badUsage(const std::string& what) {
  std::string line = what;
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  return {kBadUsage, "lanescope-ui: " + line + "; see lanescope-ui --help"};
}

/// What is installed beside the program: its manual page, or its words for a shell.
Farewell told(const CLI::App& app, const std::string& form) {
  manual::CommandWords program = manual::wordsOf(app);
  program.find("--theme")->choices = {"light", "dark"};
  if (form == "man") return {0, manual::manPage(program, LANESCOPE_VERSION)};
  if (const auto text = manual::completion(program, form)) return {0, *text};
  return badUsage("--words-for " + form + ": it is man, bash, zsh or fish");
}

}  // namespace

std::optional<trace::Ns> parseTime(std::string_view text) {
  text = withoutSpaces(text);
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);

  std::size_t i = 0;
  trace::Ns value = 0;
  const auto take = [&](char digit) {
    if (value > trace::kMaxTime / 10) return false;
    value = value * 10 + (digit - '0');
    return value <= trace::kMaxTime;
  };
  while (i < text.size() && isDigit(text[i])) {
    if (!take(text[i++])) return std::nullopt;
  }
  if (i == 0) return std::nullopt;
  int decimals = 0;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && isDigit(text[i]); ++decimals) {
      if (!take(text[i++])) return std::nullopt;
    }
    if (decimals == 0) return std::nullopt;
  }
  const std::string_view unit = withoutSpaces(text.substr(i));
  const auto* known = unit.empty() ? kUnits.data() : std::ranges::find(kUnits, unit, &Unit::name);
  if (known == kUnits.end() || decimals > known->digits) return std::nullopt;
  for (; decimals < known->digits; ++decimals) {
    if (!take('0')) return std::nullopt;
  }
  return negative ? -value : value;
}

std::variant<Options, Farewell> parseOptions(int argc, const char* const* argv) {
  CLI::App app("The Lanescope viewer: CUDA programs on a timeline", "lanescope-ui");
  std::vector<std::string> files, compared;
  std::string screenshot, size, range, theme;
  app.add_option("FILE", files,
                 "Reports to open, each in a tab: .rep, an Nsight Systems SQLite export, a trace of nvprof, PyTorch, "
                 "Chrome or ROCm, "
                 "or ssh://[user@]host[:port]/path of one");
  bool together = false;
  app.add_flag("--together", together,
               "Show all FILEs on one timeline, as the ranks of one job; a folder stands for the reports in it");
  app.add_option("--compare", compared, "Two reports, before and after, linked one above the other")
      ->expected(2)
      ->type_name("A B");
  auto* screenshotOption =
      app.add_option("--screenshot", screenshot, "Write a picture of the window and exit")->type_name("OUT.png");
  app.add_option("--size", size, "Size of the window")->type_name("WxH");
  app.add_option("--range", range, "Times to show; ns, or with s, ms, us, ns")->type_name("START,END");
  app.add_option("--theme", theme, "light or dark; else as the desktop has it")->type_name("light|dark");
  std::string timeUnit;
  app.add_option("--time-unit", timeUnit, "us or ns: what times in JSON are in; us if not given, as the format has it")
      ->type_name("us|ns");
  app.set_version_flag("--version", "lanescope-ui " LANESCOPE_VERSION);
  std::string words;  // for packages: man, bash, zsh, fish
  app.add_option("--words-for", words)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Farewell{0, app.help()};
  } catch (const CLI::CallForVersion&) {
    return Farewell{0, app.version() + "\n"};
  } catch (const CLI::ParseError& error) {
    return badUsage(error.what());
  }

  if (!words.empty()) return told(app, words);
  Options options;
  options.files.assign(files.begin(), files.end());
  options.together = together;
  if (together && files.empty()) return badUsage("--together needs two FILEs or more, or a folder of them");
  const auto remote = std::ranges::find_if(files, [](const std::string& file) { return remote::isSshAddress(file); });
  if (together && remote != files.end())
    return badUsage("--together reads files of this machine; copy " + *remote + " here first");
  options.compared.assign(compared.begin(), compared.end());
  if (screenshotOption->count() > 0) {
    if (screenshot.empty()) return badUsage("--screenshot needs a file to write");
    options.screenshot = screenshot;
  }
  if (!size.empty()) {
    const auto parsed = parseSize(size);
    if (!parsed) return badUsage("--size " + size + " is not WIDTHxHEIGHT of 200 to 16384 pixels");
    options.size = *parsed;
    options.sizeGiven = true;
  }
  if (!range.empty()) {
    options.range = parseRange(range);
    if (!options.range) return badUsage("--range " + range + " is not START,END with START before END");
    if (options.files.empty() && options.compared.empty()) return badUsage("--range needs a FILE");
  }
  if (!theme.empty()) {
    if (theme != "light" && theme != "dark") return badUsage("--theme " + theme + " is neither light nor dark");
    options.theme = theme == "light" ? views::Theme::Mode::kLight : views::Theme::Mode::kDark;
  }
  if (!timeUnit.empty() && timeUnit != "us" && timeUnit != "ns")
    return badUsage("--time-unit " + timeUnit + " is neither us nor ns");
  options.timesAreNanoseconds = timeUnit == "ns";
  return options;
}

}  // namespace lanescope::ui
