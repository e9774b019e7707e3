// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/call_table.h"

#include <QCoreApplication>
#include <algorithm>
#include <numeric>

#include "model/sort_keyed.h"
#include "model/utf8.h"
#include "views/tables/table_model.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using analysis::CallNode;
using analysis::CallTree;

constexpr std::size_t kMostShown = 1000;  // bytes of a name
constexpr qsizetype kWidestTip = 160;  // characters on one line

QString words(const char* text) { return QCoreApplication::translate("CallTree", text); }

QString nameText(const CallTree& tree, std::uint32_t node) { return toQt(shownText(tree.nameOf(node), kMostShown)); }

QString shareText(const CallTree& tree, std::uint32_t node) {
  return toQt(formatShare(tree.nodes[node].total, tree.nodes[0].total));
}

}  // namespace

QString callAmount(const CallTree& tree, std::int64_t amount) {
  if (!analysis::countsSamples(tree.source)) return toQt(formatDuration(amount));
  return amount == 1 ? words("1 sample") : words("%1 samples").arg(numberText(static_cast<std::uint64_t>(amount)));
}

QString callSummary(const CallTree& tree, std::uint32_t node) {
  const CallNode& at = tree.nodes[node];
  QString text =
      words("%1: total %2 (%3), self %4")
          .arg(nameText(tree, node), callAmount(tree, at.total), shareText(tree, node), callAmount(tree, at.self));
  if (!analysis::countsSamples(tree.source) && at.count > 0)
    text += at.count == 1 ? words(", 1 range") : words(", %1 ranges").arg(numberText(at.count));
  return text;
}

QString callTip(const QString& summary) {
  const bool wraps = summary.size() > kWidestTip;
  return QStringLiteral("<p style='white-space:%1'>%2</p>")
      .arg(wraps ? QStringLiteral("pre-wrap") : QStringLiteral("nowrap"), summary.toHtmlEscaped());
}

std::vector<Found> nodesWith(const CallTree& tree, const QString& text) {
  if (text.isEmpty() || tree.nodes.empty()) return {};
  std::vector<bool> names(tree.names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = toQt(std::string_view(tree.names[i])).contains(text, Qt::CaseInsensitive);
  std::vector<Found> found(tree.nodes.size(), Found::kNo);
  for (std::size_t node = tree.nodes.size(); node-- > 1;) {  // those below come behind
    if (names[tree.nodes[node].name]) found[node] = Found::kHere;
    Found& above = found[tree.nodes[node].parent];
    if (found[node] != Found::kNo && above == Found::kNo) above = Found::kBelow;
  }
  return found;
}

QRgb callColour(const CallTree& tree, std::uint32_t node, const trace::Trace& trace, const Palette& palette) {
  const auto shades = [&](trace::EventKind kind) -> const std::vector<QRgb>& {
    return palette.colours().shades[static_cast<std::size_t>(kind)];
  };
  const CallNode& at = tree.nodes[node];
  if (node == 0 || at.longestLength < 0) return shades(trace::EventKind::kOsRuntime).front();
  if (!analysis::countsSamples(tree.source)) return palette.colour(trace.info(at.longest), trace.name(at.longest));
  const std::vector<QRgb>& all = shades(trace::EventKind::kNvtxRange);
  return all[stableHash(tree.nameOf(node)) % all.size()];
}

std::vector<std::uint32_t> sortedSiblings(const CallTree& tree, Sorting sorting, const Job& job) {
  std::vector<std::uint32_t> order(tree.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  if (sorting.column < 0) return order;
  std::vector<std::uint32_t> names(tree.names.size()), rankOf(tree.names.size());
  if (static_cast<CallColumn>(sorting.column) == CallColumn::kName) {
    std::iota(names.begin(), names.end(), 0U);
    std::ranges::sort(names, {}, [&](std::uint32_t name) { return tree.names[name]; });
    for (std::uint32_t i = 0; i < names.size(); ++i) rankOf[names[i]] = i;
  }
  const auto key = [&](std::uint32_t node) -> std::uint64_t {
    const CallNode& at = tree.nodes[node];
    switch (static_cast<CallColumn>(sorting.column)) {
      case CallColumn::kName:
        return rankOf[at.name];
      case CallColumn::kSelf:
        return keyOf(at.self);
      case CallColumn::kCount:
        return at.count;
      case CallColumn::kTotal:
      case CallColumn::kShare:
        break;
    }
    return keyOf(at.total);
  };
  std::vector<Keyed> siblings;
  for (const CallNode& parent : tree.nodes) {
    if (parent.children < 2) continue;
    if (job.cancelled()) break;
    siblings.clear();
    for (std::uint32_t i = 0; i < parent.children; ++i) {
      const std::uint64_t of = key(parent.firstChild + i);
      siblings.push_back({sorting.descending ? ~of : of, parent.firstChild + i});
    }
    sortKeyed(siblings);
    std::ranges::transform(siblings, order.begin() + parent.firstChild, &Keyed::id);
  }
  return order;
}

void CallTreeModel::setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette) {
  beginResetModel();
  tree_ = std::move(tree);
  trace_ = std::move(trace);
  palette_ = std::move(palette);
  order_.clear();
  rowOf_.clear();
  found_.clear();
  endResetModel();
  sortNow();
}

void CallTreeModel::sort(int column, Qt::SortOrder order) {
  sorting_ = {column, order == Qt::DescendingOrder};
  sortNow();
  emit headerDataChanged(Qt::Horizontal, 0, kCallColumns - 1);
}

void CallTreeModel::sortNow() {
  sortJob_->cancel();
  if (!tree_ || (sorting_.column < 0 && order_.empty())) return;
  if (tree_->nodes.size() <= kSortedAtOnce) return takeOrder(sortedSiblings(*tree_, sorting_));
  sortJob_->start([tree = tree_, by = sorting_](const Job& job) { return sortedSiblings(*tree, by, job); },
                  [this](std::vector<std::uint32_t> order) { takeOrder(std::move(order)); });
}

void CallTreeModel::takeOrder(std::vector<std::uint32_t> order) {
  emit layoutAboutToBeChanged({}, VerticalSortHint);
  const QModelIndexList before = persistentIndexList();
  order_ = std::move(order);
  rowOf_.assign(order_.size(), 0);
  for (const CallNode& parent : tree_->nodes)
    for (std::uint32_t row = 0; row < parent.children; ++row) rowOf_[order_[parent.firstChild + row]] = row;
  QModelIndexList after;
  for (const QModelIndex& index : before) after += indexOf(nodeOf(index)).siblingAtColumn(index.column());
  changePersistentIndexList(before, after);
  emit layoutChanged({}, VerticalSortHint);
}

QModelIndex CallTreeModel::nextFound(const QModelIndex& from) const {
  if (found_.empty() || found_[0] == Found::kNo) return {};
  QModelIndex at = from.siblingAtColumn(0);
  const auto below = [&](const QModelIndex& index) {
    return found_[nodeOf(index)] != Found::kNo && rowCount(index) > 0;
  };
  for (std::size_t steps = 0; steps <= 2 * found_.size(); ++steps) {
    if (below(at)) {
      at = index(0, 0, at);
    } else {
      while (at.isValid() && !at.siblingAtRow(at.row() + 1).isValid()) at = at.parent();
      at = at.isValid() ? at.siblingAtRow(at.row() + 1) : index(0, 0);
    }
    if (at.isValid() && found_[nodeOf(at)] == Found::kHere) return at;
  }
  return {};
}

QModelIndex CallTreeModel::indexOf(std::uint32_t node) const {
  if (!tree_ || node == 0 || node >= tree_->nodes.size()) return {};
  const std::uint32_t first = tree_->nodes[tree_->nodes[node].parent].firstChild;
  return createIndex(static_cast<int>(rowOf_.empty() ? node - first : rowOf_[node]), 0, quintptr{node});
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  const std::uint32_t place = tree_->nodes[nodeOf(parent)].firstChild + static_cast<std::uint32_t>(row);
  return createIndex(row, column, quintptr{order_.empty() ? place : order_[place]});
}

QModelIndex CallTreeModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(tree_->nodes[nodeOf(index)].parent) : QModelIndex();
}

int CallTreeModel::rowCount(const QModelIndex& parent) const {
  return tree_ && parent.column() <= 0 ? static_cast<int>(tree_->nodes[nodeOf(parent)].children) : 0;
}

int CallTreeModel::columnCount(const QModelIndex&) const { return kCallColumns; }

QString CallTreeModel::textOf(std::uint32_t node, CallColumn column) const {
  const CallNode& at = tree_->nodes[node];
  const auto amount = [&](std::int64_t value) {
    return !analysis::countsSamples(tree_->source) ? toQt(formatDuration(value))
                                                   : numberText(static_cast<std::uint64_t>(value));
  };
  switch (column) {
    case CallColumn::kName:
      return nameText(*tree_, node);
    case CallColumn::kTotal:
      return amount(at.total);
    case CallColumn::kSelf:
      return amount(at.self);
    case CallColumn::kCount:
      return at.count > 0 ? numberText(at.count) : QString();
    case CallColumn::kShare:
      return shareText(*tree_, node);
  }
  return {};
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const {
  if (!tree_ || !index.isValid()) return {};
  const std::uint32_t node = nodeOf(index);
  const auto column = static_cast<CallColumn>(index.column());
  switch (role) {
    case Qt::DisplayRole:
      return textOf(node, column);
    case Qt::ToolTipRole:
      return callTip(callSummary(*tree_, node));
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>((column == CallColumn::kName ? Qt::AlignLeft : Qt::AlignRight) |
                                      Qt::AlignVCenter);
    case Qt::FontRole:
      return column == CallColumn::kName ? Theme::font() : Theme::figures();
    case Qt::ForegroundRole:
      if (found_.empty()) return Theme::colours().text;
      return found_[node] == Found::kNo     ? Theme::colours().textDim
             : found_[node] == Found::kHere ? Theme::colours().accent
                                            : Theme::colours().text;
    case Qt::DecorationRole:
      if (column != CallColumn::kName && column != CallColumn::kShare) return {};
      return QColor(callColour(*tree_, node, *trace_, palette_));
    case TableModel::kShareRole:
      if (column != CallColumn::kShare || tree_->nodes[0].total == 0) return {};
      return static_cast<double>(tree_->nodes[node].total) / static_cast<double>(tree_->nodes[0].total);
    default:
      return {};
  }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const auto column = static_cast<CallColumn>(section);
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue<int>((column == CallColumn::kName ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  if (role == Qt::InitialSortOrderRole)
    return static_cast<int>(column == CallColumn::kName ? Qt::AscendingOrder : Qt::DescendingOrder);
  const QString tips[] = {
      {},
      tr("In this and all it called; of a bottom-up tree what the name at its top spent itself below these callers"),
      tr("In this itself, without what it called"),
      tr("Ranges that began here, or were open when the time began"),
      tr("Of all time in ranges, or of all samples, of the time that is looked at")};
  if (role == Qt::DisplayRole && section == sorting_.column)
    return withArrow(title(column), column != CallColumn::kName,
                     sorting_.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
  if (role == Qt::DisplayRole) return title(column);
  return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

QString CallTreeModel::title(CallColumn column) const {
  const bool samples = tree_ && analysis::countsSamples(tree_->source);
  const QString titles[] = {tr("Name"), samples ? tr("Samples") : tr("Total"), tr("Self"), tr("Count"), tr("Share")};
  return titles[static_cast<std::size_t>(column)];
}

}  // namespace lanescope::views
