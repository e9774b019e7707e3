// SPDX-License-Identifier: Apache-2.0
#include "model/export/value_text.h"

#include <fmt/format.h>

#include <cmath>

#include "model/json.h"
#include "model/utf8.h"

namespace lanescope::exporting {
namespace {

using report::TableRow;

void appendHex(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[c & 15];
  }
}

}  // namespace

void appendJson(std::string& out, const TableRow& row, int column) {
  if (row.isNull(column)) {
    out += "null";
  } else if (row.isInteger(column)) {
    fmt::format_to(std::back_inserter(out), "{}", row.integer(column));
  } else if (row.isReal(column)) {
    const double value = row.real(column);
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(out), "{}", value);
    else out += "null";
  } else if (row.isText(column)) {
    appendQuoted(out, row.text(column));
  } else {
    out += '"';
    appendHex(out, row.blob(column));
    out += '"';
  }
}

void appendField(std::string& out, const TableRow& row, int column) {
  if (row.isNull(column)) return;
  if (row.isText(column)) appendField(out, row.text(column));
  else if (row.isInteger(column)) fmt::format_to(std::back_inserter(out), "{}", row.integer(column));
  else if (row.isReal(column)) fmt::format_to(std::back_inserter(out), "{}", row.real(column));
  else appendHex(out, row.blob(column));
}

void appendField(std::string& out, std::string_view text) {
  if (isCleanUtf8(text) && text.find_first_of(",\"") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  while (!text.empty()) {  // line ends are kept: the quotes hold them
    const std::size_t end = std::min(text.find_first_of("\"\r\n\t"), text.size());
    out += repairUtf8(text.substr(0, end));
    if (end < text.size()) out += text[end] == '"' ? std::string("\"\"") : std::string(1, text[end]);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  out += '"';
}

void appendMicroseconds(std::string& out, std::int64_t ns) {
  const std::uint64_t size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  fmt::format_to(std::back_inserter(out), "{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

}  // namespace lanescope::exporting
