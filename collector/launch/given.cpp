// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/given.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace lanescope::launch {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::optional<bool> readSwitch(std::string_view text) {
  for (const std::string_view yes : {"true", "yes", "on", "1"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"false", "no", "off", "0"}) {
    if (text == no) return false;
  }
  return std::nullopt;
}

bool isIn(const std::string& word, std::string_view bars) {
  const std::vector<std::string> choices = splitList(bars, '|');
  return std::find(choices.begin(), choices.end(), word) != choices.end();
}

bool isNumberIn(std::string_view text, std::string_view range) {
  const auto number = readNumber(text);
  const std::size_t dots = range.find("..");
  const auto low = readNumber(range.substr(0, dots)), high = readNumber(range.substr(dots + 2));
  return number && (!low || *number >= *low) && (!high || *number <= *high);
}

/// "10 to 200000", "1 or more".
std::string wordsOf(std::string_view range) {
  const std::size_t dots = range.find("..");
  const std::string_view high = range.substr(dots + 2);
  return high.empty() ? fmt::format("{} or more", range.substr(0, dots))
                      : fmt::format("{} to {}", range.substr(0, dots), high);
}

/// What is wrong with the value, after the option's name; empty if nothing. A switch becomes true or false.
std::string refuse(Given& given) {
  const OptionRow& row = *given.row;
  const auto all = [](const std::vector<std::string>& parts, const auto& good) {
    return !parts.empty() && std::all_of(parts.begin(), parts.end(), good);
  };
  switch (row.kind) {
    case OptionKind::kSwitch: {
      const std::optional<bool> on = readSwitch(given.value);
      if (!on) return "is true or false";
      given.value = *on ? "true" : "false";
      return {};
    }
    case OptionKind::kChoice:
      if (isIn(given.value, row.values)) return {};
      return fmt::format("is one of {}", row.values);
    case OptionKind::kChoices:
      if (all(splitList(given.value), [&](const std::string& part) { return isIn(part, row.values); })) return {};
      return fmt::format("is one or several of {}", row.values);
    case OptionKind::kNumber:
      if (isNumberIn(given.value, row.values)) return {};
      return fmt::format("is a whole number, {}", wordsOf(row.values));
    case OptionKind::kNumbers:
      if (all(splitList(given.value), [&](const std::string& part) { return isNumberIn(part, row.values); })) return {};
      return fmt::format("is a whole number, {}, or several", wordsOf(row.values));
    case OptionKind::kSeconds:
      return readSeconds(given.value) ? "" : "is a number of seconds";
    case OptionKind::kText:
      return given.value.empty() ? fmt::format("is {}", row.values) : "";
  }
  return {};
}

/// The complaint about a value, with what may have been meant instead.
std::string badValue(const Given& given, const std::string& why) {
  if (given.row->name == "capture-range" && findTrace(given.value)) {
    return fmt::format("{}: {} is no capture range; to choose what is recorded, use --trace={}", nameOf(given),
                       given.value, given.value);
  }
  return fmt::format("{}: {}; it {}", nameOf(given), given.value.empty() ? "the value is missing" : given.value, why);
}

/// An option as it stands in the words: its name, and its value if that is attached.
struct Word {
  const OptionRow* row = nullptr;
  std::string typed;
  std::optional<std::string> value;
};

Word takeApart(const std::string& word) {
  Word found;
  const std::size_t equals = word.find('=');
  found.typed = word.substr(0, equals);
  if (equals != std::string::npos) found.value = word.substr(equals + 1);
  if (word.starts_with("--")) {
    found.row = findOption(std::string_view(found.typed).substr(2));
  } else if (found.typed.size() == 2) {
    found.row = findOption(word[1]);
  } else if (!findOption(std::string_view(found.typed).substr(1))) {  // -ofile; but not -output, which means --output
    found = {findOption(word[1]), word.substr(0, 2), word.substr(2)};
  }
  return found;
}

}  // namespace

std::string nameOf(const Given& given) {
  return given.typed.starts_with("--") ? given.typed : fmt::format("{} (--{})", given.typed, given.row->name);
}

std::optional<std::int64_t> readNumber(std::string_view text) {
  std::int64_t factor = 1;
  if (text.ends_with('k') || text.ends_with('K')) factor = 1'000;
  if (text.ends_with('M')) factor = 1'000'000;
  if (factor > 1) text.remove_suffix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (__builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> readSeconds(std::string_view text) {
  constexpr std::int64_t kCentury = 100LL * 366 * 24 * 3600;
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  if (whole.empty() || error != std::errc() || end != whole.data() + whole.size()) return std::nullopt;
  if (seconds < 0 || seconds > kCentury || whole.front() == '-') return std::nullopt;
  std::int64_t fraction = 0, unit = kSecond;
  if (point != std::string_view::npos) {
    for (const char digit : text.substr(point + 1)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      fraction += (digit - '0') * (unit /= 10);
    }
  }
  return seconds * kSecond + fraction;
}

std::vector<std::string> splitList(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == separator) {
      parts.back() += text[++i];
    } else if (text[i] == separator) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

const Given* GivenOptions::find(std::string_view name) const {
  const auto last =
      std::find_if(options.rbegin(), options.rend(), [&](const Given& given) { return given.row->name == name; });
  return last == options.rend() ? nullptr : &*last;
}

std::string GivenOptions::value(std::string_view name) const {
  if (const Given* given = find(name)) return given->value;
  const OptionRow* row = findOption(name);
  return row ? std::string(row->standard) : "";
}

std::vector<std::string> GivenOptions::list(std::string_view name) const {
  std::vector<std::string> all;
  for (const Given& given : options) {
    if (given.row->name != name) continue;
    for (std::string& part : splitList(given.value)) {
      if (!part.empty()) all.push_back(std::move(part));
    }
  }
  return all;
}

tl::expected<GivenOptions, std::string> readGiven(const std::vector<std::string>& words) {
  GivenOptions all;
  std::size_t i = 0;
  for (; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") {
      ++i;
      break;
    }
    if (word.size() < 2 || word[0] != '-') break;
    if (word == "--help" || word == "-h") {
      all.help = true;
      return all;
    }
    Word option = takeApart(word);
    if (!option.row) return tl::unexpected(unknownOption(word.substr(0, word.find('='))));
    if (!option.value && i + 1 < words.size()) {
      // A switch may stand alone: what follows is its value only if it reads as one.
      if (option.row->kind != OptionKind::kSwitch || readSwitch(words[i + 1])) option.value = words[++i];
    }
    if (!option.value && option.row->kind == OptionKind::kSwitch) option.value = "true";
    Given given{option.row, option.value.value_or(""), option.typed};
    const bool asksForHelp = given.value == "help" && given.row->kind != OptionKind::kSwitch;
    if (!option.value) return tl::unexpected(fmt::format("{}: the value is missing", nameOf(given)));
    if (const std::string why = asksForHelp ? "" : refuse(given); !why.empty()) {
      return tl::unexpected(badValue(given, why));
    }
    all.options.push_back(std::move(given));
  }
  all.program.assign(words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return all;
}

}  // namespace lanescope::launch
