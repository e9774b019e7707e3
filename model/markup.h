// SPDX-License-Identifier: Apache-2.0
// Text inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

/// With what would be markup written as entities; control characters, which XML has no place for, are left out.
inline std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n') out += c;
    }
  }
  return out;
}

}  // namespace lanescope
