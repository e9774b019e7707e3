// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/call_table.h"

#include <QCoreApplication>

#include "model/utf8.h"
#include "views/tables/table_model.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

using analysis::CallNode;
using analysis::CallSource;
using analysis::CallTree;

constexpr std::size_t kMostShown = 1000;  // bytes of a name

QString words(const char* text) { return QCoreApplication::translate("CallTree", text); }

QString nameText(const CallTree& tree, std::uint32_t node) { return toQt(shownText(tree.nameOf(node), kMostShown)); }

QString shareText(const CallTree& tree, std::uint32_t node) {
  return toQt(formatShare(tree.nodes[node].total, tree.nodes[0].total));
}

}  // namespace

QString callAmount(const CallTree& tree, std::int64_t amount) {
  if (tree.source == CallSource::kNvtx) return toQt(formatDuration(amount));
  return amount == 1 ? words("1 sample") : words("%1 samples").arg(numberText(static_cast<std::uint64_t>(amount)));
}

QString callSummary(const CallTree& tree, std::uint32_t node) {
  const CallNode& at = tree.nodes[node];
  QString text =
      words("%1: total %2 (%3), self %4")
          .arg(nameText(tree, node), callAmount(tree, at.total), shareText(tree, node), callAmount(tree, at.self));
  if (tree.source == CallSource::kNvtx && at.count > 0)
    text += at.count == 1 ? words(", 1 range") : words(", %1 ranges").arg(numberText(at.count));
  return text;
}

QRgb callColour(const CallTree& tree, std::uint32_t node, const trace::Trace& trace, const Palette& palette) {
  const auto shades = [&](trace::EventKind kind) -> const std::vector<QRgb>& {
    return palette.colours().shades[static_cast<std::size_t>(kind)];
  };
  const CallNode& at = tree.nodes[node];
  if (node == 0 || at.longestLength < 0) return shades(trace::EventKind::kOsRuntime).front();
  if (tree.source == CallSource::kNvtx) return palette.colour(trace.info(at.longest), trace.name(at.longest));
  const std::vector<QRgb>& all = shades(trace::EventKind::kNvtxRange);
  return all[stableHash(tree.nameOf(node)) % all.size()];
}

void CallTreeModel::setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette) {
  beginResetModel();
  tree_ = std::move(tree);
  trace_ = std::move(trace);
  palette_ = std::move(palette);
  endResetModel();
}

QModelIndex CallTreeModel::indexOf(std::uint32_t node) const {
  if (!tree_ || node == 0 || node >= tree_->nodes.size()) return {};
  const std::uint32_t first = tree_->nodes[tree_->nodes[node].parent].firstChild;
  return createIndex(static_cast<int>(node - first), 0, quintptr{node});
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  return createIndex(row, column, quintptr{tree_->nodes[nodeOf(parent)].firstChild + static_cast<std::uint32_t>(row)});
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
    return tree_->source == CallSource::kNvtx ? toQt(formatDuration(value))
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
      return QStringLiteral("<qt>%1</qt>").arg(callSummary(*tree_, node).toHtmlEscaped());
    case Qt::TextAlignmentRole:
      return QVariant::fromValue<int>((column == CallColumn::kName ? Qt::AlignLeft : Qt::AlignRight) |
                                      Qt::AlignVCenter);
    case Qt::FontRole:
      return column == CallColumn::kName ? Theme::font() : Theme::figures();
    case Qt::ForegroundRole:
      return Theme::colours().text;
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
  const bool samples = tree_ && tree_->source == CallSource::kSamples;
  const QString titles[] = {tr("Name"), samples ? tr("Samples") : tr("Total"), tr("Self"), tr("Count"), tr("Share")};
  const QString tips[] = {
      {},
      tr("In this and all it called; of a bottom-up tree what the name at its top spent itself below these callers"),
      tr("In this itself, without what it called"),
      tr("Ranges that began here, or were open when the time began"),
      tr("Of all time in ranges, or of all samples, of the time that is looked at")};
  if (role == Qt::DisplayRole) return titles[section];
  return role == Qt::ToolTipRole ? QVariant(tips[section]) : QVariant();
}

}  // namespace lanescope::views
