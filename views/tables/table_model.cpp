// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/table_model.h"

#include <QColor>
#include <utility>

#include "views/theme.h"

namespace lanescope::views {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

constexpr int kLongestTip = 4000;  // characters

}  // namespace

QString withArrow(const QString& title, bool figure, Qt::SortOrder order) {
  const QString arrow = order == Qt::DescendingOrder ? QStringLiteral("↓") : QStringLiteral("↑");
  return figure ? arrow + ' ' + title : title + ' ' + arrow;
}

TableModel::TableModel(QObject* parent) : QAbstractTableModel(parent), sorting_(new LatestJob(this)) {}

void TableModel::setContent(TableContent content, std::optional<std::uint64_t> staying) {
  sorting_->cancel();
  beginResetModel();
  const bool asMany = content.rows == content_.rows;
  content_ = std::move(content);
  const bool later = isSorted() && content_.rows > kSortedAtOnce;
  order_.clear();
  if (isSorted() && !later) order_ = sortedRows(content_, sorting());
  const auto stays = staying && !sortedAnew_ ? placeOf(*staying) : std::nullopt;
  if (stays) first_ = windowOf(*stays);
  else if (!asMany || sortedAnew_) first_ = 0;
  sortedAnew_ = false;
  endResetModel();
  if (later) sortLater();
}

void TableModel::setWindow(std::size_t rows) {
  beginResetModel();
  window_ = rows;
  first_ = windowOf(first_);
  endResetModel();
}

void TableModel::showPlace(std::size_t place) {
  if (place >= content_.rows || windowOf(place) == first_) return;
  beginResetModel();
  first_ = windowOf(place);
  endResetModel();
}

void TableModel::sortLater() {
  sorting_->start([content = content_, by = sorting()](const Job& job) { return sortedRows(content, by, job); },
                  [this](RowOrder order) { takeOrder(std::move(order)); });
}

void TableModel::takeOrder(RowOrder order) {
  // A reset, because Qt's headers look at each of their rows when only the layout changes.
  beginResetModel();
  order_ = std::move(order);
  first_ = 0;
  endResetModel();
}

RowOrder TableModel::order() const { return order_.empty() ? sortedRows(content_, {}) : order_; }

std::optional<std::size_t> TableModel::find(std::uint64_t key, std::size_t from, std::size_t to) const {
  if (order_.empty() && (content_.rowOf || !content_.key)) {
    const auto place = content_.rowOf ? content_.rowOf(key) : std::optional<std::size_t>(key);
    return place && *place >= from && *place < to ? place : std::nullopt;
  }
  for (std::size_t place = from; place < to; ++place)
    if (content_.keyOf(order_.empty() ? place : order_[place]) == key) return place;
  return std::nullopt;
}

int TableModel::rowOfKey(std::uint64_t key) const {
  const auto place = find(key, first_, first_ + shown());
  return place ? static_cast<int>(*place - first_) : -1;
}

int TableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(shown()); }

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(content_.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  const std::size_t row = contentRow(index.row());
  const auto number = static_cast<std::size_t>(index.column());
  const TableColumn& column = content_.columns[number];
  const bool figure = column.kind != ColumnKind::kText;
  switch (role) {
    case Qt::DisplayRole:
      if (number == content_.nameColumn && content_.label) return content_.label(row);
      return cellText(column, content_.cell(row, number));
    case Qt::ToolTipRole:
      if (figure) {
        const Cell cell = content_.cell(row, number);
        const QString exact = exactText(column, cell);
        return exact == cellText(column, cell) ? QVariant() : exact;
      }
      // As HTML only so that a long name is wrapped.
      return QStringLiteral("<span>%1</span>").arg(tipOf(row, number));
    case Qt::TextAlignmentRole:
      return int(Qt::AlignVCenter | (figure ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
      return figure ? Theme::figures() : Theme::font();
    case Qt::ForegroundRole:
      return column.quiet ? Theme::colours().textDim : Theme::colours().text;
    case Qt::DecorationRole:
      if (number == content_.nameColumn && content_.swatch) return QColor::fromRgb(content_.swatch(row));
      if (column.kind == ColumnKind::kShare && data(index, kShareRole).isValid())
        return content_.swatch ? QColor::fromRgb(content_.swatch(row)) : Theme::colours().accent;
      return {};
    case kWarningRole:
      return number == content_.nameColumn && content_.warning ? content_.warning(row) : QString();
    case kTailRole:
      return column.tail;
    case kKeyRole:
      return QVariant::fromValue<quint64>(content_.keyOf(row));
    case kShareRole: {
      if (column.kind != ColumnKind::kShare) return {};
      const Cell cell = content_.cell(row, number);
      const auto* share = std::get_if<double>(&cell);
      return share ? QVariant(*share / 100) : QVariant();
    }
    default:
      return {};
  }
}

QString TableModel::tipOf(std::size_t row, std::size_t column) const {
  QString tip = cellText(content_.columns[column], content_.cell(row, column)).left(kLongestTip).toHtmlEscaped();
  const QString warning = column == content_.nameColumn && content_.warning ? content_.warning(row) : QString();
  if (!warning.isEmpty()) tip += QStringLiteral("<br>⚠ ") + warning.toHtmlEscaped().replace('\n', "<br>⚠ ");
  return tip;
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const TableColumn& column = content_.columns[static_cast<std::size_t>(section)];
  const bool figure = column.kind != ColumnKind::kText;
  switch (role) {
    case Qt::DisplayRole:
      return section == sortColumn_ ? withArrow(column.title, figure, sortOrder_) : column.title;
    case Qt::ToolTipRole:
      return column.meaning;
    case Qt::TextAlignmentRole:
      return int(Qt::AlignVCenter | (figure ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::InitialSortOrderRole:
      return int(figure ? Qt::DescendingOrder : Qt::AscendingOrder);
    default:
      return {};
  }
}

void TableModel::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column;
  sortOrder_ = order;
  sortedAnew_ = content_.sorted;
  if (content_.sorted) {
    emit sortWanted(column, order == Qt::DescendingOrder);
  } else if (content_.rows > kSortedAtOnce) {
    sortLater();
  } else {
    sorting_->cancel();
    takeOrder(sortedRows(content_, sorting()));
  }
  if (columnCount() > 0) emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

}  // namespace lanescope::views
