// SPDX-License-Identifier: GPL-3.0-or-later
// What the window shows while no report is open: an invitation to open or drop one, the recent ones, the sample, and
// the keys to start with. GUI thread only.
#pragma once

#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace lanescope::ui {

class WelcomePage : public QWidget {
  Q_OBJECT

 public:
  explicit WelcomePage(QWidget* parent = nullptr);

  /// Those that exist first; the others are grey and can be taken off the list.
  void setRecentFiles(const QStringList& paths);
  void setSample(const QString& path);
  /// While a file hovers over the window.
  void setDropHint(bool over);

 signals:
  void openWanted();
  void fileChosen(const QString& path);
  void recentRemoved(const QString& path);

 private:
  QWidget* makeDropZone();
  QWidget* recentRow(const QString& path, bool exists);

  QPushButton* open_;
  QPushButton* sample_;
  QWidget* dropZone_;
  QWidget* recent_;
  QVBoxLayout* recentRows_;
};

}  // namespace lanescope::ui
