// SPDX-License-Identifier: GPL-3.0-or-later
// A call tree as Qt's tree views want it, siblings in an order of its own, and what is said of a node everywhere: name,
// total, own part, count, share. A cell costs only when shown; many nodes are sorted away from the GUI thread. GUI
// thread only.
#pragma once

#include <QAbstractItemModel>
#include <memory>

#include "model/analysis/call_tree.h"
#include "views/latest_job.h"
#include "views/palette.h"
#include "views/tables/table_content.h"

namespace lanescope::views {

using CallTreePtr = std::shared_ptr<const analysis::CallTree>;

enum class CallColumn : std::uint8_t { kName, kTotal, kSelf, kCount, kShare };
inline constexpr int kCallColumns = 5;

/// "12.5 ms" or "12 samples"; in tables samples go without their unit, which the title says.
QString callAmount(const analysis::CallTree& tree, std::int64_t amount);

/// A node in one line: "load: total 30 ms (12.5 %), self 2 ms, 4 ranges".
QString callSummary(const analysis::CallTree& tree, std::uint32_t node);

/// The same for a tooltip: on one line, but for names that would leave the screen.
QString callTip(const QString& summary);

/// Where in a tree a text stands: in the name of a node, or of one below it.
enum class Found : std::uint8_t { kNo, kBelow, kHere };

/// By node; empty where nothing is looked for. Whatever the case. O(names and nodes).
std::vector<Found> nodesWith(const analysis::CallTree& tree, const QString& text);

/// As the timeline has it; of samples a shade of its name, of threads grey.
QRgb callColour(const analysis::CallTree& tree, std::uint32_t node, const trace::Trace& trace, const Palette& palette);

/// The nodes, each behind its siblings that come before it by this column: numbers as such, names by their text; equals
/// as the tree has them. `order[node.firstChild + row]` is the child of a row. O(n log n); any thread.
std::vector<std::uint32_t> sortedSiblings(const analysis::CallTree& tree, Sorting sorting, const Job& job = {});

class CallTreeModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  explicit CallTreeModel(QObject* parent = nullptr) : QAbstractItemModel(parent), sortJob_(new LatestJob(this)) {}

  static constexpr std::size_t kSortedAtOnce = 4096;  ///< nodes; more are sorted away from the GUI thread

  /// Keeps what was sorted by.
  void setTree(CallTreePtr tree, trace::TracePtr trace, Palette palette);
  const CallTreePtr& tree() const { return tree_; }  ///< null: none

  /// What was looked for keeps its colour, all else steps back, until another tree comes.
  void setFound(std::vector<Found> found) { found_ = std::move(found); }
  /// The next row that holds it, in the order of the rows, open or not; the first one again behind the last.
  QModelIndex nextFound(const QModelIndex& from) const;

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
  void sort(int column, Qt::SortOrder order) override;  ///< -1: as the tree has them, the largest total first
  bool isSorting() const { return sortJob_->running(); }
  QString title(CallColumn column) const;

 private:
  QString textOf(std::uint32_t node, CallColumn column) const;
  void takeOrder(std::vector<std::uint32_t> order);
  void sortNow();

  CallTreePtr tree_;
  trace::TracePtr trace_;
  Palette palette_;
  Sorting sorting_;
  std::vector<std::uint32_t> order_, rowOf_;  // sortedSiblings(), and the row of each node; empty: as the tree has them
  std::vector<Found> found_;  // nodesWith()
  LatestJob* sortJob_;
};

}  // namespace lanescope::views
