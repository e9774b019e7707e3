// SPDX-License-Identifier: GPL-3.0-or-later
// The hits of a Search as a list in order of time, the first hundred thousand of them; a click or Enter goes there.
// Looks at them only while it is seen. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>

#include "views/latest_job.h"
#include "views/timeline/view_state.h"

class QLabel;
class QPushButton;

namespace lanescope::views {

class FigureTable;
class Search;

class FindPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FindPanel(QWidget* parent = nullptr);

  static constexpr std::size_t kMost = 100'000;

  void setSearch(Search* search);  ///< null: nothing to search
  FigureTable& table() { return *table_; }
  QString headline() const;

  QSize sizeHint() const override { return {600, 240}; }

 signals:
  void left();  ///< Esc

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void refresh();
  void list(trace::TracePtr trace, std::shared_ptr<const std::vector<trace::EventRef>> events);
  void showCurrent();

  QPointer<Search> search_;
  std::shared_ptr<const analysis::Hits> listed_;  // what the table shows or is about to
  trace::TracePtr listedOf_;
  trace::TracePtr eventsOf_;  // whose events the table holds
  std::shared_ptr<const std::vector<trace::EventRef>> events_;
  QLabel* headline_;
  QPushButton* copy_;
  QPushButton* save_;
  FigureTable* table_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
