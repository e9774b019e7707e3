// SPDX-License-Identifier: GPL-3.0-or-later
// Letters of the timeline while the keyboard is elsewhere in the window: they go to the timeline where nothing else uses
// them, and before a list or table that would look up a row by them once the pointer has moved over the timeline. Never
// from a field that is typed into. Of two compared timelines to the one that was pointed at last. Arrows and all other keys stay with who has the keyboard. GUI thread only.
#pragma once

#include <QMainWindow>
#include <QPointer>

#include "app/ui/report_tabs.h"

class QKeyEvent;

namespace lanescope::views {
class TimelineCanvas;
}

namespace lanescope::ui {

class TimelineKeys : public QObject {
 public:
  /// Both must outlive this, a child of the window.
  TimelineKeys(QMainWindow& window, const ReportTabs& tabs);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  views::TimelineCanvas* canvas() const;  // null without a report that shows
  ReportTab* tabOf(const QObject* watched) const;  // whose timeline it is of; null: of none that is looked at
  bool take(QObject* watched, const QKeyEvent& key);

  QMainWindow& window_;
  const ReportTabs& tabs_;
  QPointer<ReportTab> pointed_;  // whose timeline the pointer moved over since it or the keyboard was elsewhere
};

}  // namespace lanescope::ui
