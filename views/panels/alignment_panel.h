// SPDX-License-Identifier: GPL-3.0-or-later
// Where each of several reports stands on their common time: by what it was placed, how far it was moved, how sure that
// is. An offset is typed into its cell (F2, a double click), or the current event is moved to where the selection
// begins; Reset brings back what was found. GUI thread only.
#pragma once

#include <QPointer>
#include <QWidget>
#include <memory>
#include <optional>

#include "model/together/joined.h"
#include "views/timeline/view_state.h"

class QLabel;
class QPushButton;
class QTableWidget;
class QTableWidgetItem;

namespace lanescope::views {

class AlignmentPanel : public QWidget {
  Q_OBJECT

 public:
  explicit AlignmentPanel(QWidget* parent = nullptr);

  /// Both null: nothing to show. `view` shows the joined trace.
  void setReports(ViewState* view, std::shared_ptr<const together::Joined> joined);
  QTableWidget& table() { return *table_; }

  enum Column { kReport, kOffset, kError, kMethod, kColumns };

 signals:
  void offsetWanted(std::uint32_t report, qint64 offset);  ///< ns
  void resetWanted();
  void left();  ///< Esc

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fill();
  void change(const QTableWidgetItem* item);
  void alignCurrent();
  void showWhatCanBe();

  QPointer<ViewState> view_;
  std::shared_ptr<const together::Joined> joined_;
  QLabel* message_;
  QPushButton* align_;
  QPushButton* reset_;
  QTableWidget* table_;
};

/// A time somebody typed, "-1.5 ms", "1s500ms", "+20 us", in ns; with no unit ns. None if it is no time.
std::optional<trace::Ns> typedTime(const QString& text);

}  // namespace lanescope::views
