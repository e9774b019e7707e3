// SPDX-License-Identifier: GPL-3.0-or-later
// A TableContent as Qt's views want it, in an order of its own: sorted by figures, not by their text, and stable, so
// that rows which are equal keep the order they came in. Sorting costs O(n log n), of many rows away from the GUI thread:
// until that is done they stand as before. A cell costs only when shown. Qt's views keep something of each row, so of very
// many rows they are told of a window of them only, which begins at a multiple of its size. GUI thread.
//
// A row of the content is at a place in the order, counted through all rows; of the window it is a row of Qt's.
#pragma once

#include <QAbstractTableModel>
#include <algorithm>
#include <limits>
#include <optional>

#include "views/latest_job.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

/// The title of the column that is sorted by: an arrow on the far side of the edge that it is flush with.
QString withArrow(const QString& title, bool figure, Qt::SortOrder order);

class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit TableModel(QObject* parent = nullptr);

  static constexpr std::size_t kSortedAtOnce = 4096;  ///< rows; more are sorted away from the GUI thread

  static constexpr int kShareRole = Qt::UserRole;  ///< 1 for all, in columns of shares
  static constexpr int kTailRole = Qt::UserRole + 1;  ///< true where the end of a text says most
  static constexpr int kKeyRole = Qt::UserRole + 2;  ///< TableContent::keyOf() the row
  static constexpr int kWarningRole = Qt::UserRole + 3;  ///< in the column of names, why the figures are not whole

  /// Keeps the order that was sorted by. The window is the one of the row with the key `staying`; where there is none, it
  /// stays for as many rows. It is the first where another order was asked for.
  void setContent(TableContent content, std::optional<std::uint64_t> staying = {});
  const TableContent& content() const { return content_; }

  /// So many rows at most are a window; unless it is set all are one.
  void setWindow(std::size_t rows);
  /// Moves the window to where this place is in it.
  void showPlace(std::size_t place);
  std::size_t firstShown() const { return first_; }  ///< the place where the window begins

  std::size_t contentRow(int row) const {
    const std::size_t place = first_ + static_cast<std::size_t>(row);
    return order_.empty() ? place : order_[place];
  }
  RowOrder order() const;
  /// Where the row with this key is. O(n) unless the content knows better and is not sorted here.
  std::optional<std::size_t> placeOf(std::uint64_t key) const { return find(key, 0, content_.rows); }
  /// Which row of Qt's it is; -1 if it is not in the window, whose rows are all that is looked at.
  int rowOfKey(std::uint64_t key) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;
  bool isSorting() const { return sorting_->running(); }

 signals:
  void sortWanted(int column, bool descending);  ///< of a content that is sorted by who makes it

 private:
  bool isSorted() const { return !content_.sorted && sortColumn_ >= 0 && sortColumn_ < columnCount(); }
  Sorting sorting() const { return {sortColumn_, sortOrder_ == Qt::DescendingOrder}; }
  void sortLater();
  void takeOrder(RowOrder order);
  std::optional<std::size_t> find(std::uint64_t key, std::size_t from, std::size_t to) const;
  std::size_t shown() const { return std::min(window_, content_.rows - first_); }
  std::size_t windowOf(std::size_t place) const { return place / window_ * window_; }
  QString tipOf(std::size_t row, std::size_t column) const;

  TableContent content_;
  RowOrder order_;  // of the content's rows; empty: as they came
  std::size_t window_ = std::numeric_limits<std::size_t>::max();
  std::size_t first_ = 0;
  bool sortedAnew_ = false;  // until rows stand so
  int sortColumn_ = -1;  // as they came
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
  LatestJob* sorting_;
};

}  // namespace lanescope::views
