// SPDX-License-Identifier: GPL-3.0-or-later
// What a command has to say about a view, one sentence at a time: why it did nothing, where it saved a file. There is one
// a ViewState, of which it is a child. It stands until the view changes or another thing is said. GUI thread only.
#pragma once

#include <QObject>
#include <QString>

#include "views/timeline/view_state.h"

namespace lanescope::views {

class Remarks : public QObject {
  Q_OBJECT

 public:
  /// The one of this view.
  static Remarks& of(ViewState& view);

  const QString& text() const { return text_; }  ///< empty: nothing
  void say(const QString& sentence);

 signals:
  void said(const QString& sentence);  ///< empty: no longer

 private:
  explicit Remarks(ViewState& view);

  QString text_;
};

}  // namespace lanescope::views
