// SPDX-License-Identifier: GPL-3.0-or-later
// A line to type into, with a word below it: what is wrong with what was typed, else a hint. GUI thread only.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

class QLabel;
class QLineEdit;

namespace lanescope::views {

class MarkedField : public QWidget {
  Q_OBJECT

 public:
  MarkedField(const QString& name, const QString& placeholder, QWidget* parent);

  QLineEdit& edit() const { return *edit_; }
  std::string text() const;
  /// As a shell takes it apart; none if it cannot.
  std::vector<std::string> words() const;
  /// Leaves the cursor alone if that is the text already.
  void setText(std::string_view text);
  /// Right of the line.
  void addBeside(QWidget* widget);

  void setComplaint(const QString& why);  ///< empty: nothing is wrong
  const QString& complaint() const { return complaint_; }
  void setHint(const QString& hint);
  void keepPlaceForNote();  ///< also while there is none, so that what is below stays where it is

 signals:
  void edited();

 private:
  void showNote();

  QLineEdit* edit_;
  QLabel* note_;
  QString complaint_, hint_;
  bool keepsPlace_ = false;
};

}  // namespace lanescope::views
