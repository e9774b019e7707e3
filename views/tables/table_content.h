// SPDX-License-Identifier: GPL-3.0-or-later
// What a table shows, apart from the widget: columns, and rows whose cells are made when somebody looks, so that a
// list of a hundred thousand events costs nothing until it is scrolled. A value; its functions own what they read, and
// `cell` may be called on several threads at once.
#pragma once

#include <qrgb.h>

#include <QString>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/analysis/table.h"
#include "model/job.h"

namespace lanescope::views {

struct TableColumn {
  QString title;
  QString meaning = {};  ///< tooltip of its header: what is counted, and what a share is of
  analysis::ColumnKind kind = analysis::ColumnKind::kText;
  bool exact = false;   ///< a time with every digit
  bool quiet = false;   ///< said in passing: dimmed
  bool tail = false;    ///< its end says most: elided at the begin
  bool hidden = false;  ///< until the user shows it
  int characters = 9;   ///< that usually fit; the column of names takes what is left, then a last one of text
};

struct TableContent {
  QString name;  ///< of a file that it is saved to, without the extension
  std::vector<TableColumn> columns;
  std::size_t nameColumn = 0;
  std::size_t rows = 0;
  /// Its text may lie in what the content keeps.
  std::function<analysis::Cell(std::size_t row, std::size_t column)> cell;
  /// Which row is the same one when the content is replaced; null: rows are told by their number.
  std::function<std::uint64_t(std::size_t row)> key;
  /// A short text to show in place of the whole name, which is still what is copied; null: none.
  std::function<QString(std::size_t row)> label;
  std::function<QRgb(std::size_t row)> swatch;  ///< a colour beside the name; null: none
  /// Why the figures of a row are not whole: a mark beside the name that says so when pointed at; null or empty: none.
  std::function<QString(std::size_t row)> warning;

  /// Where rows hold others that can be folded away: what stands before a name, indentation and a sign, and which rows have
  /// one; a click on it, Left and Right fold. Null: none.
  std::function<QString(std::size_t row)> foldSign;
  std::function<bool(std::size_t row)> holdsOthers;

  /// Where the row with this key stands, if there is a quicker way than to look at all; null: there is none.
  std::function<std::optional<std::size_t>(std::uint64_t key)> rowOf;
  /// The rows stand in the order asked for: who made the content makes another one to sort it.
  bool sorted = false;

  std::uint64_t keyOf(std::size_t row) const { return key ? key(row) : row; }
};

struct Sorting {
  int column = -1;  ///< none: as the rows come
  bool descending = false;
};

/// Rows of a content, one after the other as they are shown.
using RowOrder = std::vector<std::uint32_t>;

/// The rows in an order: by figures, not by their text, numbers before text, nothing last either way; equals stay as
/// they come. In no order once the job was cancelled. Asks each row for one cell, of many on a few threads at once;
/// O(n), and O(n log n) of the texts that differ; 37 bytes a row while it works. Any thread.
RowOrder sortedRows(const TableContent& content, Sorting sorting, const Job& job = {});

/// A cell as a person reads it: "92.2 µs", "80.0 %", "1 234".
QString cellText(const TableColumn& column, const analysis::Cell& cell);

/// Likewise to the last digit that is known: "92.226 µs", "16 777 216 B".
QString exactText(const TableColumn& column, const analysis::Cell& cell);

/// Rows as text for a spreadsheet, cells apart by tabs and lines by "\n": names and figures whole.
QString tabSeparated(const TableContent& content, std::span<const std::size_t> columns,
                     std::span<const std::uint32_t> rows, bool withTitles);

/// The same with titles as a table in Markdown.
QString markdown(const TableContent& content, std::span<const std::size_t> columns,
                 std::span<const std::uint32_t> rows);

/// All columns of these rows as figures, to be written to a file.
analysis::Table figuresOf(const TableContent& content, std::span<const std::uint32_t> rows);

}  // namespace lanescope::views
