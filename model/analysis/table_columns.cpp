// SPDX-License-Identifier: Apache-2.0
// Tables for a person at a terminal: aligned, and in boxes.
#include <algorithm>

#include "model/analysis/table_cells.h"

namespace lanescope::analysis {
namespace {

constexpr std::size_t kWidest = 100;  // characters of a cell

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

std::size_t lengthOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

/// At most so many characters, the last then an ellipsis.
std::string clipped(std::string text, std::size_t width) {
  if (text.size() <= width || lengthOf(text) <= width) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end)
    if (beginsCharacter(text[end]) && ++characters == width) break;
  return text.substr(0, end) + "…";
}

/// 1234567.8 → 1,234,567.8
std::string grouped(const std::string& text) {
  const auto point = static_cast<std::size_t>(std::find(text.begin(), text.end(), '.') - text.begin());
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && i < point && (point - i) % 3 == 0 && text[i - 1] != '-') result += ',';
    result += text[i];
  }
  return result;
}

/// What would end the line does not.
std::string oneLine(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

enum class Align : std::uint8_t { kLeft, kRight, kCentre };

std::string padded(const std::string& text, std::size_t width, Align align) {
  const std::size_t space = width - std::min(width, lengthOf(text));
  const std::size_t left = align == Align::kRight ? space : align == Align::kCentre ? space / 2 : 0;
  return std::string(left, ' ') + text + std::string(space - left, ' ');
}

struct Shown {
  std::size_t column;
  std::size_t width;
};

}  // namespace

std::string columnText(const Table& table, const TableStyle& style, TimeUnit unit) {
  std::vector<std::vector<std::string>> cells{{}};
  for (const Column& column : table.columns) cells.front().push_back(titleOf(column, unit));
  for (const auto& row : table.rows) {
    auto& texts = cells.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string text;
      append(text, row[i], table.columns[i].kind, unit);
      if (isNumber(row[i])) texts.push_back(style.grouped ? grouped(text) : std::move(text));
      else texts.push_back(style.limit ? clipped(oneLine(std::move(text)), kWidest) : oneLine(std::move(text)));
    }
  }
  std::vector<Shown> shown;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto asked = i < style.widths.size() ? style.widths[i] : std::nullopt;
    std::size_t width = asked.value_or(0);
    if (asked == std::size_t{0}) continue;
    for (auto& row : cells) {
      if (asked) row[i] = clipped(std::move(row[i]), width);
      else width = std::max(width, lengthOf(row[i]));
    }
    shown.push_back({i, width});
  }

  const bool boxes = style.format == TableFormat::kTable;
  std::string text;
  const auto line = [&](auto cellAt) {
    const std::size_t begin = text.size();
    for (std::size_t k = 0; k < shown.size(); ++k) {
      text += boxes ? (k == 0 ? "| " : " | ") : (k == 0 ? " " : "  ");
      text += cellAt(shown[k]);
    }
    if (boxes) text += " |";
    else text.erase(std::max(text.find_last_not_of(' ') + 1, begin));
    text += '\n';
  };
  const auto rule = [&] {
    for (const Shown& each : shown) text += '+' + std::string(each.width + 2, '-');
    text += "+\n";
  };
  if (boxes) rule();
  if (style.header) {
    line([&](const Shown& each) { return padded(cells.front()[each.column], each.width, Align::kCentre); });
    if (boxes) rule();
    else line([&](const Shown& each) { return std::string(each.width, '-'); });
  }
  for (std::size_t row = 1; row < cells.size(); ++row)
    line([&](const Shown& each) {
      const bool isText = table.columns[each.column].kind == ColumnKind::kText;
      return padded(cells[row][each.column], each.width, isText ? Align::kLeft : Align::kRight);
    });
  if (boxes && cells.size() > 1) rule();
  return text;
}

}  // namespace lanescope::analysis
