// SPDX-License-Identifier: GPL-3.0-or-later
// What one tab shows of its session: the timeline while there is something to draw, the failure page in its place when
// the report cannot be read, the load bar above either, and over all a line about what was lost and one
// about how the view was kept. GUI thread only.
#pragma once

#include <QString>
#include <QWidget>
#include <memory>

#include "app/ui/kept_views.h"
#include "app/ui/session.h"
#include "model/remote/fetch.h"

class QStackedLayout;

namespace lanescope::views {
class LossBanner;
class NoteLine;
class Timeline;
}  // namespace lanescope::views

namespace lanescope::ui {

class FailurePage;
class LoadBar;
class ViewKeeper;

class ReportTab : public QWidget {
  Q_OBJECT

 public:
  ReportTab(std::vector<std::filesystem::path> paths, Loader loader, KeptViews keptViews, QWidget* parent = nullptr);
  ~ReportTab() override;

  Session& session() { return *session_; }
  const Session& session() const { return *session_; }
  views::ViewState& view() { return session_->view(); }
  ViewKeeper& keeper() { return *keeper_; }
  views::Timeline& timeline() { return *timeline_; }
  const views::NoteLine& noteLine() const { return *note_; }
  void say(const Error& error);

  /// Of a file that lies on a server: what is shown is its copy, which stays in the cache as long as this tab.
  void setOrigin(std::shared_ptr<const remote::Fetched> fetched);
  const std::shared_ptr<const remote::Fetched>& origin() const { return origin_; }  ///< null: this machine
  /// The path, or the address on its server; of several reports together a line each.
  QString shownPath() const;
  /// The name of the file, and of its server.
  QString title() const;
  const FailurePage& failurePage() const { return *failure_; }
  const LoadBar& loadBar() const { return *bar_; }
  const views::LossBanner& lossBanner() const { return *banner_; }

 signals:
  void dismissed();
  void diagnosticsWanted();

 private:
  void showPhase();
  void sayWhatIsLeftOut();
  void keepAlignment();
  void showRemark(const QString& sentence);

  Session* session_;  // a child, as the widgets that look at it: the timeline goes first
  views::Timeline* timeline_;
  FailurePage* failure_;
  LoadBar* bar_;
  views::LossBanner* banner_;
  views::NoteLine* note_;
  ViewKeeper* keeper_;
  QStackedLayout* pages_;
  std::shared_ptr<const remote::Fetched> origin_;  // null: a file of this machine
  QString remark_;  // what the note line was given last
};

}  // namespace lanescope::ui
