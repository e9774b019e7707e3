// SPDX-License-Identifier: GPL-3.0-or-later
// A call tree as Qt's tree views want it, and what is said of a node everywhere: name, total, own part, count, share. A
// cell costs only when shown. GUI thread only.
#pragma once

#include <QAbstractItemModel>
#include <memory>

#include "model/analysis/call_tree.h"
#include "views/palette.h"

namespace lanescope::views {

using CallTreePtr = std::shared_ptr<const analysis::CallTree>;

enum class CallColumn : std::uint8_t { kName, kTotal, kSelf, kCount, kShare };
inline constexpr int kCallColumns = 5;

/// "12.5 ms" or "12 samples"; in tables samples go without their unit, which the title says.
QString callAmount(const analysis::CallTree& tree, std::int64_t amount);

/// A node in one line: "load: total 30 ms (12.5 %), self 2 ms, 4 ranges".
QString callSummary(const analysis::CallTree& tree, std::uint32_t node);

/// As the timeline has it; of samples a shade of its name, of threads grey.
QRgb callColour(const analysis::CallTree& tree, std::uint32_t node, const trace::Trace& trace, const Palette& palette);

class CallTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  using QAbstractItemModel::QAbstractItemModel;

  void setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette);
  const CallTreePtr& tree() const { return tree_; }  ///< null: none

  QModelIndex indexOf(std::uint32_t node) const;
  static std::uint32_t nodeOf(const QModelIndex& index) {
    return index.isValid() ? static_cast<std::uint32_t>(index.internalId()) : 0;
  }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString textOf(std::uint32_t node, CallColumn column) const;

  CallTreePtr tree_;
  trace::TracePtr trace_;
  Palette palette_;
};

}  // namespace lanescope::views
