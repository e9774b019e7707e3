// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/find_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/utf8.h"

namespace lanescope::analysis {
namespace {

using Mistake = Query::Mistake;
using Maybe = std::optional<Mistake>;  // none: all is well
using Kinds = std::bitset<trace::kEventKinds>;
using trace::Ns;

constexpr std::size_t kMostBytes = 4096;  // nobody types more; what an expression costs is bounded by its length

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A part of the input, for a message.
std::string quoted(std::string_view part) { return repairUtf8(part.substr(0, 60)); }

/// Whether a text has a capital letter that stands for itself: not one of an escape, a class or a group's syntax.
bool hasCapital(std::string_view pattern, bool literal) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (!literal && pattern[i] == '\\') {
      ++i;
      const bool isClass = i + 1 < pattern.size() && (pattern[i] | 0x20) == 'p' && pattern[i + 1] == '{';
      if (isClass) i = std::min(pattern.find('}', i), pattern.size());
    } else if (!literal && pattern.substr(i).starts_with("(?P")) {
      i += 2;
    } else if (pattern[i] >= 'A' && pattern[i] <= 'Z') {
      return true;
    }
  }
  return false;
}

std::unique_ptr<re2::RE2> expression(std::string_view pattern, bool literal, bool regardsCase = false) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(regardsCase);
  options.set_literal(literal);
  return std::make_unique<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
}

/// A word of the input; `text` lies in it.
struct Word {
  std::string_view text;
  bool isQuoted = false;  // text is what stands between the quotes
};

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// All kinds of which the word begins the name or a word of it: "api", "nvtx", "page-fault".
Kinds kindsOf(std::string_view word) {
  std::string wanted(word);
  for (char& c : wanted)
    if (c == '-' || c == '_') c = ' ';
  // What other tools call them.
  for (const auto& [alias, name] : {std::pair("memcpy", "copy"), {"osrt", "OS runtime"}, {"marker", "NVTX mark"}})
    if (startsWith(wanted, alias) && startsWith(alias, wanted)) wanted = name;
  Kinds kinds;
  for (std::size_t k = 0; k < trace::kEventKinds; ++k) {
    std::string_view name = trace::kindName(static_cast<trace::EventKind>(k));
    while (!name.empty() && !kinds[k]) {
      kinds[k] = startsWith(name, wanted);
      const std::size_t space = name.find(' ');
      name = space == std::string_view::npos ? std::string_view() : name.substr(space + 1);
    }
  }
  return kinds;
}

class Parser {
 public:
  Parser(std::string_view input, bool regex, Query::Case letters) : input_(input), regex_(regex), letters_(letters) {}

  Maybe parse(Query::Parts& parts) {
    if (input_.size() > kMostBytes) return Mistake{kMostBytes, input_.size() - kMostBytes, "too long"};
    std::string text;
    std::size_t words = 0, textBegin = 0, textEnd = 0;
    bool afterText = false;  // the word before was text too: what stands between is kept
    while (const std::optional<Word> word = next()) {
      bool isTerm = false;
      if (!word->isQuoted)
        if (Maybe mistake = term(word->text, parts, isTerm)) return mistake;
      if (isTerm) {
        afterText = false;
        continue;
      }
      const std::size_t at = offsetOf(word->text);
      if (words == 0) textBegin = at;
      else if (afterText && !word->isQuoted && !lastQuoted_) text += input_.substr(textEnd, at - textEnd);
      else text += ' ';
      ++words;
      text += word->text;
      textEnd = at + word->text.size();
      afterText = true;
      lastQuoted_ = word->isQuoted;
    }
    if (text.empty()) return std::nullopt;
    parts.text = expression(text, !regex_, letters_ == Query::Case::kSmart && hasCapital(text, !regex_));
    parts.labelsToo = regex_;
    if (parts.text->ok()) return std::nullopt;
    const std::string& culprit = parts.text->error_arg();
    const std::string_view whole = input_.substr(textBegin, textEnd - textBegin);
    const std::size_t found = culprit.empty() ? std::string_view::npos : whole.find(culprit);
    const bool known = found != std::string_view::npos;
    return Mistake{textBegin + (known ? found : 0), known ? culprit.size() : whole.size(),
                   repairUtf8(parts.text->error())};
  }

 private:
  std::size_t offsetOf(std::string_view part) const { return static_cast<std::size_t>(part.data() - input_.data()); }
  Mistake mistake(std::string_view where, std::string why) const {
    return {offsetOf(where), where.size(), std::move(why)};
  }

  std::optional<Word> next() {
    while (at_ < input_.size() && isSpace(input_[at_])) ++at_;
    if (at_ == input_.size()) return std::nullopt;
    const std::size_t begin = at_;
    if (input_[at_] == '"') {
      if (const std::size_t end = input_.find('"', at_ + 1); end != std::string_view::npos && end > at_ + 1) {
        at_ = end + 1;
        return Word{input_.substr(begin + 1, end - begin - 1), true};
      }
    }
    while (at_ < input_.size() && !isSpace(input_[at_])) {
      const std::size_t end =
          input_[at_] == '"' && input_[at_ - (at_ > begin)] == ':' ? input_.find('"', at_ + 1) : std::string_view::npos;
      at_ = end == std::string_view::npos ? at_ + 1 : end + 1;  // stream:"a name"
    }
    return Word{input_.substr(begin, at_ - begin), false};
  }

  Maybe term(std::string_view word, Query::Parts& parts, bool& isTerm) {
    if (startsWith(word, "dur") && word.size() > 3 &&
        std::string_view("<>=:").find(word[3]) != std::string_view::npos) {
      if (word.substr(3).starts_with("::")) return std::nullopt;
      isTerm = true;
      return duration(word, parts);
    }
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || word.substr(colon).starts_with("::")) return std::nullopt;
    const std::string_view key = word.substr(0, colon), values = word.substr(colon + 1);
    const auto is = [&](std::string_view name) { return key.size() == name.size() && startsWith(key, name); };
    isTerm = is("kind") || is("stream") || is("thread") || is("tid") || is("pid") || is("gpu");
    if (!isTerm) return std::nullopt;
    if (values.empty()) return mistake(word, fmt::format("nothing after {}", quoted(word)));
    if (is("kind")) return kinds(values, parts);
    if (is("stream")) return named(values, parts.streams);
    if (is("thread")) return named(values, parts.threads);
    return numbers(values, is("tid") ? parts.tids : is("pid") ? parts.pids : parts.gpus);
  }

  /// Calls each(value) for what stands between commas, until one is a mistake.
  template <class Each>
  Maybe forValues(std::string_view values, Each each) {
    if (values.size() > 1 && values.front() == '"' && values.back() == '"')
      return each(values.substr(1, values.size() - 2));
    for (;;) {
      const std::size_t comma = values.find(',');
      const std::string_view value = values.substr(0, comma);
      if (value.empty()) return mistake(values, "nothing beside the comma");
      if (Maybe wrong = each(value)) return wrong;
      if (comma == std::string_view::npos) return std::nullopt;
      values.remove_prefix(comma + 1);
    }
  }

  Maybe kinds(std::string_view values, Query::Parts& parts) {
    Kinds any;
    const Maybe wrong = forValues(values, [&](std::string_view value) -> Maybe {
      const Kinds some = kindsOf(value);
      any |= some;
      if (some.none())
        return mistake(
            value, fmt::format("no kind of event: {}; try kernel, copy, memset, api, nvtx, osrt, sync", quoted(value)));
      return std::nullopt;
    });
    parts.kinds = parts.kinds ? *parts.kinds & any : any;
    return wrong;
  }

  Maybe named(std::string_view values, std::vector<Query::Parts::Named>& terms) {
    Query::Parts::Named& wanted = terms.emplace_back();
    return forValues(values, [&](std::string_view value) -> Maybe {
      if (const auto wantedNumber = number(value)) {
        wanted.numbers.push_back(*wantedNumber);
        return std::nullopt;
      }
      wanted.names.push_back(expression(value, true));
      if (!wanted.names.back()->ok()) return mistake(value, repairUtf8(wanted.names.back()->error()));
      return std::nullopt;
    });
  }

  Maybe numbers(std::string_view values, std::vector<Query::Parts::Numbers>& terms) {
    Query::Parts::Numbers& wanted = terms.emplace_back();
    return forValues(values, [&](std::string_view value) -> Maybe {
      const auto found = number(value);
      if (!found) return mistake(value, fmt::format("no number: {}", quoted(value)));
      wanted.push_back(*found);
      return std::nullopt;
    });
  }

  Maybe duration(std::string_view word, Query::Parts& parts) {
    const bool orEqual = word.substr(4).starts_with('=');
    if (word[3] != '<' && word[3] != '>') return mistake(word, "a duration is compared with <, <=, > or >=");
    const std::string_view value = word.substr(orEqual ? 5 : 4);
    if (value.empty()) return mistake(word, fmt::format("nothing after {}", quoted(word)));

    const std::size_t digits = std::min(value.find_first_not_of("0123456789."), value.size());
    const std::string_view figure = value.substr(0, digits), unit = value.substr(digits);
    if (figure.find_first_of("0123456789") == std::string_view::npos ||
        figure.find('.', std::min(figure.find('.'), figure.size() - 1) + 1) != std::string_view::npos)
      return mistake(value, fmt::format("no duration: {}", quoted(value)));
    Ns scale = 1;
    if (unit == "us" || unit == "µs" || unit == "μs") scale = 1000;  // the micro sign and the Greek letter
    else if (unit == "ms") scale = 1'000'000;
    else if (unit == "s") scale = 1'000'000'000;
    else if (!unit.empty() && unit != "ns") return mistake(unit, fmt::format("no unit of time: {}", quoted(unit)));

    const auto [whole, isWhole] = scaled(figure, scale);
    parts.durations = true;
    // Durations are whole nanoseconds: what lies between two of them is met from its side.
    if (word[3] == '>') {
      const bool atLeast = orEqual && isWhole;
      if (!atLeast && whole == std::numeric_limits<Ns>::max()) parts.longest = -1;
      else parts.shortest = std::max(parts.shortest, atLeast ? whole : whole + 1);
    } else {
      parts.longest = std::min(parts.longest, orEqual || !isWhole ? whole : whole - 1);
    }
    return std::nullopt;
  }

  /// Digits with at most one point, times the scale: rounded down, and whether nothing was lost. Saturates.
  static std::pair<Ns, bool> scaled(std::string_view figure, Ns scale) {
    constexpr Ns kMost = std::numeric_limits<Ns>::max();
    Ns sum = 0;
    bool isWhole = true, isFraction = false;
    const auto add = [&](Ns digit, Ns by) { sum = digit * by > kMost - sum ? kMost : sum + digit * by; };
    for (const char c : figure) {
      if (c == '.') {
        isFraction = true;
      } else if (!isFraction) {
        sum = sum > kMost / 10 ? kMost : sum * 10;
        add(c - '0', scale);
      } else {
        isWhole &= scale >= 10 || c == '0';
        scale /= 10;
        add(c - '0', scale);
      }
    }
    return {sum, isWhole};
  }

  const std::string_view input_;
  const bool regex_;
  const Query::Case letters_;
  std::size_t at_ = 0;
  bool lastQuoted_ = false;
};

}  // namespace

tl::expected<Query, Query::Mistake> Query::parse(std::string_view input, bool regex, Case letters) {
  auto parts = std::make_shared<Parts>();
  if (Maybe mistake = Parser(input, regex, letters).parse(*parts)) return tl::unexpected(*std::move(mistake));
  Query query;
  query.parts_ = std::move(parts);
  return query;
}

bool Query::empty() const { return !parts_ || parts_->empty(); }

}  // namespace lanescope::analysis
