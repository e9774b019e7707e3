// SPDX-License-Identifier: GPL-3.0-or-later
// What is known about the current event: its name, its fields and call stack, and for a kernel the command line that
// profiles it in depth; all of it copyable. Shows what it is given and fetches nothing. Takes no focus by itself.
// GUI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "model/report/details.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace lanescope::views {

class FieldTree;

class DetailsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit DetailsPanel(QWidget* parent = nullptr);

  /// `label` is the short name that the bar carries; a field "Name" that says more stands below it in small.
  void setEvent(const QString& label, const std::vector<report::Field>& fields, const report::CallStack& stack = {},
                const QString& ncuCommand = {});
  /// No event, and why: an invitation or an error's sentence.
  void setMessage(const QString& message);

  /// Everything that is shown, as it is copied: a line a field, label and value with a tab between.
  QString allText() const;

  QSize sizeHint() const override { return {320, 400}; }

 signals:
  void eventWanted(trace::EventId event);  ///< a value that names one was chosen

 private:
  void copyAll();
  void copyCommand();
  void showCopied(QPushButton* button);

  QLabel* title_;
  QLabel* whole_;
  QLabel* message_;
  FieldTree* fields_;
  QWidget* ncu_;  ///< the command line, its label and button
  QLineEdit* command_;
  QPushButton* copyCommand_;
  QPushButton* copyAll_;
  QString name_;
};

}  // namespace lanescope::views
