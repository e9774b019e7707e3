// SPDX-License-Identifier: GPL-3.0-or-later
// The small window that says what the pointer rests on: an event with its times and main fields, what a density column
// stands for, or the values of curves. Text is bounded whatever the names are. GUI thread.
#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "model/report/details.h"
#include "views/timeline/frame.h"

namespace lanescope::views {

/// What a tip says; made apart from the window so that it can be tested as text.
struct TipText {
  QString title;
  std::vector<std::pair<QString, QString>> fields;  ///< label and value
  bool empty() const { return title.isEmpty() && fields.empty(); }
  QString plain() const;  ///< to paste: a line each, label and value with a tab between
};

class EventTip : public QWidget {
  Q_OBJECT

 public:
  using Details = std::function<std::vector<report::Field>(trace::EventRef)>;

  explicit EventTip(QWidget* parent);
  void setDetails(Details details) { details_ = std::move(details); }

  /// What there is to say of a point of a frame (logical pixels) at a time; empty if nothing.
  TipText textAt(const Frame& frame, const ViewState& state, QPointF point, trace::Ns time) const;

  /// Shows that beside `global`, or hides.
  void showFor(const Frame& frame, const ViewState& state, QPointF point, trace::Ns time, QPoint global);
  const TipText& shown() const { return text_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void arrange();

  Details details_;
  TipText text_;
  QStringList titleLines_;
  int labelWidth_ = 0;
};

}  // namespace lanescope::views
