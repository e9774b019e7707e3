// SPDX-License-Identifier: GPL-3.0-or-later
// What is searched for in one report: the query, whether it is right, and its hits, which stand in the ViewState. Looks
// through the trace away from the GUI thread, again when the trace grows. There is one a ViewState, of which it is a
// child, so each tab keeps its own. GUI thread only.
#pragma once

#include <QObject>
#include <optional>

#include "views/latest_job.h"
#include "views/timeline/view_state.h"

namespace lanescope::views {

class Search : public QObject {
  Q_OBJECT

 public:
  /// The one of this view.
  static Search& of(ViewState& view);

  ViewState& view() const { return view_; }
  const QString& text() const { return text_; }
  bool isRegex() const { return regex_; }
  /// Why the query finds nothing, where it is wrong.
  const std::optional<QString>& mistake() const { return mistake_; }
  bool running() const { return job_.running(); }
  std::uint64_t count() const { return view_.hits() ? view_.hits()->count : 0; }
  /// Which hit the current event is, from 1; 0 if none.
  std::uint64_t rank() const;

  void look(const QString& text, bool regex);
  /// Hits that something else came by, and what to call them.
  void show(std::shared_ptr<const analysis::Hits> hits, const QString& name);
  const QString& name() const { return name_; }  ///< of such hits, else empty
  void clear() { look({}, regex_); }

  /// Goes to the next hit or the one before: from the current event, else from the begin of what is visible.
  void step(bool forward);

 signals:
  void changed();  ///< query, mistake, hits or which of them is current

 private:
  explicit Search(ViewState& view);
  void start();
  void take(std::shared_ptr<const analysis::Hits> hits);

  ViewState& view_;
  QString text_;
  bool regex_ = false;
  std::optional<QString> mistake_;
  QString name_;
  std::optional<bool> stepWhenFound_;
  LatestJob job_{this};
};

}  // namespace lanescope::views
