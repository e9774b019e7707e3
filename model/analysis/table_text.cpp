// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "model/analysis/table_cells.h"
#include "model/json.h"

namespace lanescope::analysis {
namespace {

/// In the order of TableFormat.
constexpr FormatHelp kFormats[] = {
    {"column",
     "aligned, for a person; :nohdr no titles, :nolimit nothing cut, :nofmt no groups of three, then widths of "
     "columns, each . for what fits or 0 for none"},
    {"table", "the same in boxes, with the same options"},
    {"csv", "commas, quoted where needed; :nohdr no titles"},
    {"tsv", "tabs; :nohdr no titles, :esc writes \\t and \\n where a space stands else"},
    {"json", "an array of objects, keyed by the titles"},
    {"hdoc", "a page of HTML; :title=TEXT and :css=ADDRESS"},
    {"htable", "the <table> of that page alone"},
};

/// Tabs, line feeds and carriage returns again, of which names of a trace have pictures (repairUtf8): these formats have
/// a way to write them. Other control characters stay pictures, as a terminal would obey them; a name that itself holds
/// one of these three pictures reads as the character.
std::string withLineBreaks(std::string_view text) {
  constexpr std::string_view kPictures = "\xE2\x90";  // U+2400 to U+243F, but for the last byte
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = std::min(text.find(kPictures, at), text.size());
    out += text.substr(at, next - at);
    at = next;
    if (at + 2 >= text.size()) break;
    const char control = static_cast<char>(text[at + 2] & 0x3F);
    if (control == '\t' || control == '\n' || control == '\r') out += control;
    else out += text.substr(at, 3);
    at += 3;
  }
  return out;
}

using Visit = void (*)(std::string& out, std::string_view field, const TableStyle& style);

void csvField(std::string& out, std::string_view shown, const TableStyle&) {
  const std::string field = withLineBreaks(shown);
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += field;
    return;
  }
  out += '"';
  for (const char c : field) {
    if (c == '"') out += c;
    out += c;
  }
  out += '"';
}

void tsvField(std::string& out, std::string_view shown, const TableStyle& style) {
  for (const char c : withLineBreaks(shown)) {
    const std::size_t special = std::string_view("\t\n\r\\").find(c);
    if (special == std::string_view::npos || (c == '\\' && !style.escaped)) out += c;
    else if (style.escaped) (out += '\\') += "tnr\\"[special];
    else out += ' ';
  }
}

std::string separated(const Table& table, const TableStyle& style, TimeUnit unit, char separator, Visit field) {
  std::string text;
  if (style.header) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (i > 0) text += separator;
      field(text, titleOf(table.columns[i], unit), style);
    }
    text += '\n';
  }
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += separator;
      if (const auto words = textOf(row[i])) field(text, *words, style);
      else append(text, row[i], table.columns[i].kind, unit);
    }
    text += '\n';
  }
  return text;
}

std::string json(const Table& table, TimeUnit unit) {
  std::vector<std::string> titles;
  titles.reserve(table.columns.size());
  for (const Column& column : table.columns) titles.push_back(titleOf(column, unit));
  JsonWriter writer;
  std::string text;
  writer.beginArray();
  for (const auto& row : table.rows) {
    writer.beginObject();
    for (std::size_t i = 0; i < row.size(); ++i) {
      writer.key(titles[i]);
      text.clear();
      append(text, row[i], table.columns[i].kind, unit);
      if (isNumber(row[i])) writer.number(text);
      else writer.value(withLineBreaks(text));  // nothing is "", as in Nsight Systems
    }
    writer.endObject();
  }
  writer.endArray();
  return writer.text() + '\n';
}

bool isColumns(TableFormat format) { return format == TableFormat::kColumn || format == TableFormat::kTable; }

/// False for an option that this format does not have.
bool take(std::string_view option, TableStyle& style) {
  const TableFormat format = style.format;
  const bool lines = isColumns(format);
  if (option == "nohdr" && (lines || format == TableFormat::kCsv || format == TableFormat::kTsv)) {
    style.header = false;
  } else if (option == "nolimit" && lines) {
    style.limit = false;
  } else if (option == "nofmt" && lines) {
    style.grouped = false;
  } else if (option == "esc" && format == TableFormat::kTsv) {
    style.escaped = true;
  } else if (option == "." && lines) {
    style.widths.emplace_back();
  } else if (lines) {
    std::size_t width = 0;
    const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), width);
    if (error != std::errc() || end != option.data() + option.size() || width > 10'000) return false;
    style.widths.emplace_back(width);
  } else {
    return false;
  }
  return true;
}

/// title= and css= of a page, whose texts may hold colons.
bool takePage(std::string_view options, TableStyle& style) {
  constexpr std::string_view kTitle = ":title=", kCss = ":css=";
  while (!options.empty()) {
    const bool title = options.starts_with(kTitle);
    if (!title && !options.starts_with(kCss)) return false;
    options.remove_prefix(title ? kTitle.size() : kCss.size());
    const std::size_t end = std::min({options.find(kTitle), options.find(kCss), options.size()});
    (title ? style.title : style.css) = options.substr(0, end);
    options.remove_prefix(end);
  }
  return true;
}

}  // namespace

std::optional<TableStyle> findTableStyle(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  const auto* const found = std::ranges::find(kFormats, name, &FormatHelp::name);
  if (found == std::end(kFormats)) return std::nullopt;
  TableStyle style(static_cast<TableFormat>(found - std::begin(kFormats)));
  std::string_view options = text.substr(name.size());
  if (style.format == TableFormat::kHdoc) return takePage(options, style) ? std::optional(style) : std::nullopt;
  while (!options.empty()) {
    options.remove_prefix(1);
    const std::string_view option = options.substr(0, options.find(':'));
    if (!take(option, style)) return std::nullopt;
    options.remove_prefix(option.size());
  }
  return style;
}

std::string whyNoStyle(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  if (!findTableStyle(name)) {
    std::string names;
    for (const FormatHelp& format : kFormats) (names += names.empty() ? "" : ", ") += format.name;
    return fmt::format("{}: no such format; there are: {}", name, names);
  }
  for (std::size_t end = name.size(); end < text.size();) {  // the first option that spoils it
    const std::size_t begin = end + 1;
    end = std::min(text.find(':', begin), text.size());
    if (!findTableStyle(text.substr(0, end)))
      return fmt::format("{}: {} takes no option “{}”; see: lanescope stats --help-formats {}", text, name,
                         text.substr(begin, end - begin), name);
  }
  return {};
}

std::string_view nameOf(TableFormat format) { return kFormats[static_cast<std::size_t>(format)].name; }

std::span<const FormatHelp> formatHelp() { return kFormats; }

std::string toText(const Table& table, const TableStyle& style, TimeUnit unit) {
  if (table.look == Table::Look::kNvprof && (style.format == TableFormat::kCsv || isColumns(style.format)))
    return nvprofText(table, style, unit);
  switch (style.format) {
    case TableFormat::kColumn:
    case TableFormat::kTable:
      return columnText(table, style, unit);
    case TableFormat::kCsv:
      return separated(table, style, unit, ',', csvField);
    case TableFormat::kTsv:
      return separated(table, style, unit, '\t', tsvField);
    case TableFormat::kJson:
      return json(table, unit);
    case TableFormat::kHdoc:
    case TableFormat::kHtable:
      return htmlText(table, style, unit);
  }
  return {};
}

}  // namespace lanescope::analysis
