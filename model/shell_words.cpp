// SPDX-License-Identifier: Apache-2.0
#include "model/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lanescope {
namespace {

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./:=+,@%").find(c) != std::string_view::npos;
}

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }
bool isBlank(char c) { return c == ' ' || c == '\t'; }

/// Why a character outside single quotes cannot be taken as it stands; empty if it can.
std::string whyNotPlain(char c, bool inWord) {
  switch (c) {
    case '|':
    case '&':
    case ';':
    case '<':
    case '>':
    case '(':
    case ')':
    case '\n':
      return fmt::format("{} is for a shell; write sh -c '…' around it, or put it in quotes",
                         c == '\n' ? std::string("a line break") : std::string(1, c));
    case '$':
    case '`':
      return fmt::format("{} is not expanded here; write the value, or put it in '…'", c);
    case '*':
    case '?':
    case '[':
      return fmt::format("{} is not expanded to names of files here; write them, or put it in quotes", c);
    case '~':
      return inWord ? "" : "~ is not expanded here; write the whole path";
    case '#':
      return inWord ? "" : "# begins a comment in a shell; put it in quotes";
    default:
      return {};
  }
}

class Reader {
 public:
  explicit Reader(std::string_view line) : line_(line) {}

  tl::expected<std::vector<std::string>, ShellProblem> read() {
    while (at_ < line_.size() && problem_.text.empty()) {
      const char c = line_[at_];
      if (isBlank(c)) finishWord(), ++at_;
      else if (c == '\'') readSingle();
      else if (c == '"') readDouble();
      else if (line_.substr(at_).starts_with("$'")) readSpelledOut();
      else if (c == '\\') readEscaped();
      else if (std::string why = whyNotPlain(c, inWord_); !why.empty()) refuse(at_, std::move(why));
      else take(c);
    }
    if (!problem_.text.empty()) return tl::unexpected(std::move(problem_));
    finishWord();
    return std::move(words_);
  }

 private:
  void take(char c) {
    word_ += c;
    inWord_ = true;
    ++at_;
  }
  void finishWord() {
    if (inWord_) words_.push_back(std::move(word_));
    word_.clear();
    inWord_ = false;
  }
  void refuse(std::size_t at, std::string why) { problem_ = {at, std::move(why)}; }

  void readSingle() {
    const std::size_t end = line_.find('\'', at_ + 1);
    if (end == std::string_view::npos) return refuse(at_, "' is not closed");
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    inWord_ = true;
    at_ = end + 1;
  }

  /// $'…', in which control characters are spelled out.
  void readSpelledOut() {
    constexpr std::string_view kLetters = "abefnrtv\\'\"?", kMeanings = "\a\b\x1B\f\n\r\t\v\\'\"?";
    const std::size_t begin = at_;
    at_ += 2;
    inWord_ = true;
    while (at_ < line_.size() && line_[at_] != '\'') {
      if (line_[at_] != '\\') {
        take(line_[at_]);
        continue;
      }
      const std::string_view escape = line_.substr(at_ + 1, 3);
      unsigned char byte = 0;
      if (escape.starts_with('x')) {
        const auto [end, error] = std::from_chars(escape.data() + 1, escape.data() + escape.size(), byte, 16);
        if (error != std::errc()) return refuse(at_, "\\x stands before no hexadecimal digits");
        word_ += static_cast<char>(byte);
        at_ += 1 + static_cast<std::size_t>(end - escape.data());
      } else if (const std::size_t letter = kLetters.find(escape.substr(0, 1));
                 !escape.empty() && letter != std::string_view::npos) {
        word_ += kMeanings[letter];
        at_ += 2;
      } else {
        return refuse(at_, "\\ in $'…' stands before none of x and " + std::string(kLetters));
      }
    }
    if (at_ == line_.size()) return refuse(begin, "$' is not closed");
    ++at_;
  }

  void readDouble() {
    constexpr std::string_view kEscapable = "$`\"\\";
    const std::size_t begin = at_++;
    inWord_ = true;
    while (at_ < line_.size() && line_[at_] != '"') {
      const char c = line_[at_];
      if (c == '$' || c == '`') return refuse(at_, whyNotPlain(c, true));
      if (c == '\\' && at_ + 1 < line_.size() && kEscapable.find(line_[at_ + 1]) != std::string_view::npos) ++at_;
      take(line_[at_]);
    }
    if (at_ == line_.size()) return refuse(begin, "\" is not closed");
    ++at_;
  }

  void readEscaped() {
    if (at_ + 1 == line_.size()) return refuse(at_, "\\ stands before nothing");
    ++at_;
    take(line_[at_]);
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::string word_;
  bool inWord_ = false;
  std::vector<std::string> words_;
  ShellProblem problem_;
};

}  // namespace

std::string singleQuoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

std::string shellQuoted(std::string_view argument) {
  if (!argument.empty() && std::ranges::all_of(argument, isPlain)) return std::string(argument);
  if (std::ranges::any_of(argument, isControl)) {  // a newline or an escape must not reach a terminal by paste
    std::string text = "$'";
    for (const char c : argument) {
      if (isControl(c)) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      else if (c == '\'' || c == '\\') (text += '\\') += c;
      else text += c;
    }
    return text + "'";
  }
  return singleQuoted(argument);
}

std::string shellLine(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellQuoted(word);
  return line;
}

tl::expected<std::vector<std::string>, ShellProblem> readShellWords(std::string_view line) {
  return Reader(line).read();
}

}  // namespace lanescope
