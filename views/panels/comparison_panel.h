// SPDX-License-Identifier: GPL-3.0-or-later
// What changed between two reports, name by name, as `lanescope diff` has it: counts and times on both sides, difference
// and its share of the whole change, and, apart from that, whether it is more than chance. Of the whole recordings or of
// what is selected on both sides. A chosen name stands out in both timelines. Compares only while it is seen, away from
// the GUI thread; of several asked for only the newest. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "model/compare/comparison.h"
#include "views/latest_job.h"
#include "views/timeline/view_state.h"

class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace lanescope::views {

class FigureTable;

class ComparisonPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonPanel(QWidget* parent = nullptr);

  struct Report {
    ViewState* view = nullptr;
    std::filesystem::path file;  ///< empty: not there yet
    std::string shown;  ///< as the user calls it
  };
  /// The ones to compare, before and after; none: why there is nothing to compare.
  void setReports(std::optional<std::array<Report, 2>> reports, const QString& message = {});
  /// Why they cannot be compared; empty: they can once both are loaded.
  void setTrouble(const QString& trouble);

  FigureTable& table() { return *table_; }
  QString message() const;  ///< in place of the table; empty while there is one
  QString warnings() const;  ///< why the two are hard to compare
  bool working() const { return job_.running(); }
  /// Null until they are compared.
  const compare::Comparison* comparison() const;

  QSize sizeHint() const override { return {900, 260}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Answer;

  QWidget* buildHead();
  void refresh();
  void take(std::shared_ptr<const Answer> answer);
  void showRows();
  void showChips();
  void showEvidence();
  void choose(std::size_t row);
  void save();
  void say(const QString& message);
  std::array<std::optional<trace::TimeRange>, 2> times() const;

  std::array<QPointer<ViewState>, 2> views_;
  std::array<Report, 2> reports_;
  QString trouble_;
  std::array<trace::TracePtr, 2> asked_;  // that were asked about last
  std::array<std::optional<trace::TimeRange>, 2> askedTimes_;
  std::shared_ptr<const Answer> answer_;
  std::shared_ptr<const analysis::Table> shown_;
  std::shared_ptr<const std::vector<std::size_t>> rows_;  // of shown_

  QButtonGroup* parts_;
  QToolButton* selection_;
  QLineEdit* filter_;
  QPushButton* copy_;
  QPushButton* save_;
  QLabel* message_;
  QLabel* warnings_;
  QLabel* evidence_;
  FigureTable* table_;
  QStackedLayout* pages_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
