// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_walk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/import/json_cut.h"
#include "model/utf8.h"

namespace lanescope::imported {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Walker {
 public:
  Walker(std::string_view text, std::size_t at) : text_(text), at_(at) { result_.resume = at; }

  Walked run() {
    while (step()) {
    }
    result_.end = at_;
    if (result_.stop == Walked::Stop::kWhole && tooDeep_) result_.stop = Walked::Stop::kTooDeep;
    return std::move(result_);
  }

 private:
  enum class Want { kValue, kKey, kColon, kComma };

  bool stop(Walked::Stop why) {
    result_.stop = why;
    return false;
  }

  /// False at the end of the value, whichever it is.
  bool step() {
    at_ = skipBlanks(text_, at_);
    if (at_ >= text_.size() || beginsComment(text_, at_)) return stop(Walked::Stop::kTextEnd);
    const char c = text_[at_];
    if (depth_ > 0 && (c == '}' || c == ']')) return close(c);
    switch (want_) {
      case Want::kColon:
        if (c != ':') return stop(Walked::Stop::kBroken);
        put(c);
        want_ = Want::kValue;
        return true;
      case Want::kComma:
        if (c != ',') return stop(Walked::Stop::kBroken);
        comma_ = true;
        ++at_;
        want_ = inObject() ? Want::kKey : Want::kValue;
        return true;
      case Want::kKey:
        if (c == ',') return ++at_, true;  // one too many
        if (c != '"') return stop(Walked::Stop::kBroken);
        if (!string()) return false;
        want_ = Want::kColon;
        return true;
      case Want::kValue:
        return value(c);
    }
    return false;
  }

  bool value(char c) {
    if (c == '{' || c == '[') return open(c);
    if (c == ',' && !inObject() && depth_ > 0) return ++at_, true;
    if (c == '"' ? !string() : !word()) return false;
    want_ = Want::kComma;
    return depth_ > 0;
  }

  bool open(char c) {
    separate();
    put(c);
    tooDeep_ = tooDeep_ || depth_ >= kDeepestJson;
    if (depth_ < kDeepestJson) isObject_[static_cast<std::size_t>(depth_)] = c == '{';
    ++depth_;
    want_ = c == '{' ? Want::kKey : Want::kValue;
    return true;
  }

  bool close(char c) {
    if (depth_ <= kDeepestJson && (c == '}') != inObject()) return stop(Walked::Stop::kBroken);
    if (want_ == Want::kColon) return stop(Walked::Stop::kBroken);
    if (want_ == Want::kValue && inObject()) return stop(Walked::Stop::kBroken);
    comma_ = false;
    put(c);
    want_ = Want::kComma;
    return --depth_ > 0;
  }

  bool inObject() const {
    return depth_ > 0 && isObject_[static_cast<std::size_t>(std::min(depth_, kDeepestJson) - 1)];
  }

  void put(char c) {
    if (!tooDeep_) result_.mended += c;
    ++at_;
  }

  void separate() {
    if (std::exchange(comma_, false)) result_.mended += ',';
  }

  bool string() {
    result_.resume = at_ + 1;
    std::size_t end = at_ + 1;
    bool controls = false, high = false;
    for (; end < text_.size() && text_[end] != '"'; ++end) {
      if (text_[end] == '\\') ++end;
      const auto byte = static_cast<unsigned char>(end < text_.size() ? text_[end] : ' ');
      controls = controls || byte < 0x20;
      high = high || byte >= 0x80;
    }
    if (end >= text_.size()) {
      at_ = text_.size();
      return stop(Walked::Stop::kTextEnd);
    }
    separate();
    const std::string_view written = text_.substr(at_, end + 1 - at_);
    if (controls || high) {
      const std::string repaired = repairUtf8(written);
      result_.controls += controls;
      result_.badUtf8 += high && countReplaced(repaired) > countReplaced(written);
      result_.mended += repaired;
    } else {
      result_.mended += written;
    }
    at_ = end + 1;
    return true;
  }

  static std::size_t countReplaced(std::string_view text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find("\xEF\xBF\xBD", at)) != std::string_view::npos; at += 3) ++count;
    return count;
  }

  /// A number, true, false, null, or what some writers put in their place.
  bool word() {
    const auto isPart = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
             c == '.';
    };
    const auto* const end = std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), isPart);
    const std::string_view word = text_.substr(at_, static_cast<std::size_t>(end - text_.begin()) - at_);
    if (word.empty()) return stop(Walked::Stop::kBroken);
    if (end == text_.end()) return stop(Walked::Stop::kTextEnd);  // it may go on
    constexpr std::array<std::string_view, 13> kNoNumbers = {"NaN",       "nan",       "-NaN", "-nan", "Infinity",
                                                             "-Infinity", "inf",       "-inf", "Inf",  "-Inf",
                                                             "+Infinity", "undefined", "None"};
    const bool isNumber = (word[0] >= '0' && word[0] <= '9') || word[0] == '-' || word[0] == '+' || word[0] == '.';
    separate();
    if (std::find(kNoNumbers.begin(), kNoNumbers.end(), word) != kNoNumbers.end())
      result_.mended.append("\"").append(word).append("\"");
    else if (isNumber || word == "true" || word == "false" || word == "null") result_.mended += word;
    else return stop(Walked::Stop::kBroken);
    at_ += word.size();
    return true;
  }

  std::string_view text_;
  std::size_t at_;
  Walked result_;
  Want want_ = Want::kValue;
  int depth_ = 0;
  bool tooDeep_ = false;
  bool comma_ = false;  // seen, and written before what follows
  std::array<bool, static_cast<std::size_t>(kDeepestJson)> isObject_ = {};
};

}  // namespace

Walked walkValue(std::string_view text, std::size_t at) { return Walker(text, at).run(); }

std::size_t skipBlanks(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (isBlank(text[at])) continue;
    if (text[at] != '/') return at;
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("//") && !rest.starts_with("/*")) return at;
    const std::size_t end = rest.starts_with("//") ? rest.find('\n', 2) : rest.find("*/", 2);
    if (end == std::string_view::npos) return at;
    at += rest.starts_with("//") ? end : end + 1;
  }
  return at;
}

bool beginsComment(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2);
  return two == "/" || two == "//" || two == "/*";
}

std::size_t findArrayEnd(std::string_view text, std::size_t at, bool isAll) {
  constexpr std::array<std::string_view, 15> kBeside = {"traceName",
                                                        "displayTimeUnit",
                                                        "baseTimeNanoseconds",
                                                        "metadata",
                                                        "stackFrames",
                                                        "systemTraceEvents",
                                                        "otherData",
                                                        "controllerTraceDataKey",
                                                        "deviceProperties",
                                                        "distributedInfo",
                                                        "schemaVersion",
                                                        "traceEvents",
                                                        "samples",
                                                        "INFO",
                                                        "ERROR"};
  for (; (at = text.find(']', at)) != std::string_view::npos; ++at) {
    std::size_t next = skipBlanks(text, at + 1);
    if (next < text.size() && text[next] == ',') {
      next = skipBlanks(text, next + 1);
      if (next >= text.size() || text[next] != '"') continue;
      const std::string_view rest = text.substr(next + 1);
      const auto follows = [rest](std::string_view key) {
        return rest.starts_with(key) && rest.substr(key.size()).starts_with('"');
      };
      if (std::any_of(kBeside.begin(), kBeside.end(), follows)) return at;
    } else if (isAll) {
      if (next < text.size() && text[next] == '}') next = skipBlanks(text, next + 1);
      if (next >= text.size()) return at;
    }
  }
  return at;
}

std::size_t findTraceEvents(std::string_view text, std::size_t at) {
  constexpr std::string_view kKey = "\"traceEvents\"";
  for (; (at = text.find(kKey, at)) != std::string_view::npos; ++at) {
    const std::size_t colon = skipBlanks(text, at + kKey.size());
    if (colon >= text.size() || text[colon] != ':') continue;
    const std::size_t open = skipBlanks(text, colon + 1);
    if (open < text.size() && text[open] == '[') return open + 1;
  }
  return at;
}

std::size_t findEntry(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 14> kFields = {"ph", "name", "cat", "pid",  "tid", "ts",    "dur",
                                                        "id", "args", "s",   "tdur", "tts", "cname", "bp"};
  constexpr std::size_t kLongestField = 5;
  for (; (at = text.find('{', at)) != std::string_view::npos; ++at) {
    std::size_t key = at + 1;
    while (key < text.size() && isBlank(text[key])) ++key;
    if (key >= text.size() || text[key] != '"') continue;
    const std::string_view name = text.substr(key + 1, kLongestField + 1);
    const std::size_t length = name.find('"');
    if (std::find(kFields.begin(), kFields.end(), name.substr(0, length)) == kFields.end()) continue;
    std::size_t colon = key + length + 2;
    while (colon < text.size() && isBlank(text[colon])) ++colon;
    if (colon < text.size() && text[colon] == ':') return at;
  }
  return std::string_view::npos;
}

}  // namespace lanescope::imported
