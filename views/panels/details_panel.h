// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about the current event: its name, then a row a field, each copyable. Shows what it is given and
// fetches nothing. GUI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "model/report/details.h"

class QLabel;
class QPushButton;

namespace lanescope::views {

class CopyableTree;

class DetailsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DetailsPanel(QWidget* parent = nullptr);

  /// `label` is the short name that the bar carries; a field "Name" that says more stands below it in small.
  void setEvent(const QString& label, const std::vector<report::Field>& fields);
  /// No event, and why: an invitation or an error's sentence.
  void setMessage(const QString& message);

  QSize sizeHint() const override { return {300, 400}; }

 private:
  QLabel* title_;
  QLabel* whole_;
  QLabel* message_;
  CopyableTree* fields_;
  QPushButton* copyAll_;
};

}  // namespace lanescope::views
