// SPDX-License-Identifier: Apache-2.0
#include "model/json.h"

#include "model/utf8.h"

#include <fmt/format.h>

namespace lanescope {

void appendQuoted(std::string& out, std::string_view text) {
  const auto appendRun = [&](std::string_view run) {  // without control characters
    for (const char c : run) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  };
  out += '"';
  if (isCleanUtf8(text)) {
    appendRun(text);
  } else {
    while (!text.empty()) {
      std::size_t end = 0;
      while (end < text.size() && static_cast<unsigned char>(text[end]) >= 0x20 && text[end] != 0x7F) ++end;
      appendRun(repairUtf8(text.substr(0, end)));
      if (end == text.size()) break;
      const std::size_t brief = std::string_view("\t\n\r").find(text[end]);
      if (brief != std::string_view::npos) (out += '\\') += "tnr"[brief];
      else fmt::format_to(std::back_inserter(out), "\\u{:04x}", text[end]);
      text.remove_prefix(end + 1);
    }
  }
  out += '"';
}

void JsonWriter::separate() {
  if (!first_) text_ += ", ";
  first_ = false;
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ": ";
  first_ = true;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view token) {
  separate();
  text_ += token;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonWriter& JsonWriter::value(std::int64_t number) { return raw(std::to_string(number)); }
JsonWriter& JsonWriter::value(std::uint64_t number) { return raw(std::to_string(number)); }
JsonWriter& JsonWriter::null() { return raw("null"); }

void JsonWriter::quote(std::string_view text) { appendQuoted(text_, text); }

}  // namespace lanescope
