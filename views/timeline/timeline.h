// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline of a report: overview, ruler, row headers and canvas with their scroll bars, all following one
// ViewState. Arranges and connects them; decides nothing. GUI thread only.
#pragma once

#include <QScrollBar>
#include <QSplitter>
#include <QWidget>

#include "views/timeline/canvas.h"
#include "views/timeline/filter_bar.h"
#include "views/timeline/headers.h"
#include "views/timeline/legend.h"
#include "views/timeline/overview.h"
#include "views/timeline/row_line.h"
#include "views/timeline/ruler.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

class Timeline : public QWidget {
  Q_OBJECT

 public:
  explicit Timeline(ViewState& state, QWidget* parent = nullptr);

  TimelineCanvas* canvas() { return canvas_; }
  Headers* headers() { return headers_; }
  RowLine* rowLine() { return rowLine_; }
  FilterBar* filterBar() { return filters_; }

  /// What tooltips say of an event besides its name and times.
  void setDetailsSource(EventTip::Details details) { canvas_->setDetails(std::move(details)); }

  /// Whether the line that says what colours mean stands above it; else it stands elsewhere.
  void setLegendShown(bool shown);

  void setOverviewShown(bool shown) { overview_->setVisible(shown); }

  int headerWidth() const { return headers_->width(); }
  bool isHeaderWidthChosen() const { return headersChosen_; }
  void setHeaderWidth(int width);  ///< until then they take what they need, but at most a third

 signals:
  void headerWidthChosen();  ///< by the user

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void alignStrips();
  void syncTimeBar();
  void syncRowBar();
  void followPointer(std::optional<qreal> canvasX);
  void showCursor();

  ViewState& state_;
  FilterBar* filters_;
  Legend* legend_;
  Overview* overview_;
  Ruler* ruler_;
  Headers* headers_;
  TimelineCanvas* canvas_;
  QSplitter* splitter_;
  QScrollBar* rowBar_;
  QScrollBar* timeBar_;
  RowLine* rowLine_;
  bool headersChosen_ = false;  // how wide they are
  std::optional<qreal> pointer_;  // over the canvas or the ruler, in the canvas's pixels
};

}  // namespace lanescope::views
