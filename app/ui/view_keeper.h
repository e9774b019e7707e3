// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps what a person did to the view of a session and brings it back when a report of the same content is opened:
// rows and marks at once, the visible range and what was selected when all is loaded. Files are read and written away
// from the GUI thread, but for the last time. A report whose view
// nobody changed leaves nothing. GUI thread only.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QTimer>
#include <functional>
#include <vector>

#include "app/ui/kept_views.h"
#include "app/ui/session.h"
#include "views/latest_job.h"

namespace lanescope::ui {

class ViewKeeper : public QObject {
  Q_OBJECT

 public:
  ViewKeeper(Session& session, KeptViews store, QObject* parent);
  ~ViewKeeper() override;  ///< keeps what was not kept yet

  /// A section of what is no part of the view state, brought back with the rows. Before the session loads.
  struct Extra {
    QString name;
    int version = 1;
    std::function<QJsonObject()> write;
    std::function<void(const QJsonObject&)> read;
  };
  void keepAlso(Extra extra) { extras_.push_back(std::move(extra)); }
  /// Something of the view or of an extra section was changed by a person.
  void noteChange();

  /// What is done to the view is known to be kept, or nothing was.
  bool upToDate() const { return !changed_ && !writing_->running() && !reading_.running(); }

  Result<void> exportTo(const QString& file) const;
  /// Applies a kept view. Of another report only how rows are arranged; said() tells what was left out.
  Result<void> importFrom(const QString& file);

 signals:
  /// Something a person should know: a damaged file, what an import left out, what could not be kept.
  void said(const QString& sentence);

 private:
  void begin();
  void restore(const QString& contentKey, const Result<QJsonObject>& kept);
  void restoreEarly(const QJsonObject& kept);
  void restoreWhenReady();
  void save();
  QJsonObject current() const;

  Session& session_;
  KeptViews store_;
  std::vector<Extra> extras_;
  QString contentKey_;      // empty: not known (yet), so nothing is kept
  QJsonObject kept_;        // as it was last read or written
  bool restored_ = false;   // all of it
  bool restoring_ = false;  // what changes is not the person's doing
  bool changed_ = false;
  QTimer rest_;
  views::LatestJob reading_{this};
  std::unique_ptr<views::LatestJob> writing_ = std::make_unique<views::LatestJob>();
};

}  // namespace lanescope::ui
