// SPDX-License-Identifier: GPL-3.0-or-later
// A TableContent as Qt's views want it, in an order of its own: sorted by figures, not by their text, and stable, so
// that rows which are equal keep the order they came in. Sorting costs O(n log n), of many rows away from the GUI thread:
// until that is done they stand as before. A cell costs only when shown. GUI thread.
#pragma once

#include <QAbstractTableModel>
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

  /// Keeps the order that was sorted by.
  void setContent(TableContent content);
  const TableContent& content() const { return content_; }

  std::size_t contentRow(int row) const {
    return order_.empty() ? static_cast<std::size_t>(row) : order_[static_cast<std::size_t>(row)];
  }
  std::vector<std::size_t> order() const;
  /// Where a row of the content with this key stands; -1 if it is not there. O(n) unless the content knows better.
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
  void takeOrder(std::vector<std::size_t> order);
  QString tipOf(std::size_t row, std::size_t column) const;

  TableContent content_;
  std::vector<std::size_t> order_;  // of the content's rows; empty: as they came
  int sortColumn_ = -1;  // as they came
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
  LatestJob* sorting_;
};

}  // namespace lanescope::views
