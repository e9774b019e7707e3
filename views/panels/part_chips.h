// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a report a table is of: the visible range, the selection or all of it, one of three switches. GUI thread
// only.
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "views/timeline/view_state.h"

class QToolButton;

namespace lanescope::views {

class PartChips : public QWidget {
  Q_OBJECT

 public:
  enum class Part { kVisible, kSelection, kWhole };

  explicit PartChips(QWidget* parent = nullptr);

  Part part() const { return part_; }
  /// Whose changes count; null: nobody's.
  void follow(ViewState* view);

  /// The time that it means there; none for all of the report, and where nothing is selected.
  std::optional<trace::TimeRange> time(const ViewState& view) const;
  bool isEmpty(const ViewState& view) const { return part_ == Part::kSelection && !view.selection(); }
  QString emptyText() const;  ///< what to say then

 signals:
  void changed();  ///< another part, or another time of the same

 private:
  void choose(Part part);

  Part part_ = Part::kVisible;
  std::array<QToolButton*, 3> buttons_;
  QMetaObject::Connection visible_, selection_;
};

}  // namespace lanescope::views
