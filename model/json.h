// SPDX-License-Identifier: Apache-2.0
// Writes JSON: the one place that knows its commas and escapes. Calls must nest properly; the text is valid UTF-8
// whatever goes in, because bytes that are not are repaired.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope {

/// Appends the text in quotes. Control characters are escaped and so kept; bytes that are not UTF-8 are repaired.
void appendQuoted(std::string& out, std::string_view text);

class JsonWriter {
 public:
  JsonWriter& beginObject() { return open('{'); }
  JsonWriter& endObject() { return close('}'); }
  JsonWriter& beginArray() { return open('['); }
  JsonWriter& endArray() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(std::uint64_t number);
  JsonWriter& number(std::string_view decimal) { return raw(decimal); }  ///< written already: "1.50"
  JsonWriter& null();

  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  const std::string& text() const { return text_; }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view token);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool first_ = true;  // nothing written yet behind the last bracket or key
};

}  // namespace lanescope
