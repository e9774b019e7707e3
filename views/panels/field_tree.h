// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of an event, section by section: a label and a value a row, values wrapped instead of cut, then the call
// stack, a frame a row. Sections fold; what is folded stays so, as do the scroll position and the row with the
// keyboard, when the next event comes. GUI thread only.
#pragma once

#include <QSet>

#include "model/report/details.h"
#include "views/panels/copyable_tree.h"

namespace lanescope::views {

class FieldTree : public CopyableTree {
  Q_OBJECT

 public:
  explicit FieldTree(QWidget* parent = nullptr);

  /// Replaces what is shown. Rows carry every field but the one called "Name"; values that name an event are links.
  void setFields(const std::vector<report::Field>& fields, const report::CallStack& stack);

 signals:
  void eventWanted(trace::EventId event);  ///< a click on a link, Enter or Space on its row

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QTreeWidgetItem* section(const QString& key, const QString& title);
  void addFields(const std::vector<report::Field>& fields);
  void addStack(const report::CallStack& stack);
  bool use(QTreeWidgetItem* item, int column);  ///< folds a section or follows a link; false if it is neither
  void fitLabels();
  QString pathOf(const QTreeWidgetItem* item) const;  ///< what tells a row from the others, from event to event

  QSet<QString> folded_;  ///< keys of sections
  int labelWidth_ = 0;
};

}  // namespace lanescope::views
