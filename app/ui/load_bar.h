// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a load, over the top edge of a report: a thin line, and a pill with the step and a cancel button. Shows
// itself only when a load has lasted kPatience, so that quick ones do not flicker. GUI thread only.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace lanescope::ui {

class LoadBar : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kPatience = 300;  // ms

  explicit LoadBar(QWidget* parent);

  void start();
  void setProgress(double fraction, const QString& step);
  void stop();
  bool isWaiting() const { return patience_.isActive(); }

 signals:
  void cancelled();

 protected:
  void paintEvent(QPaintEvent*) override;
  bool eventFilter(QObject* parent, QEvent* event) override;

 private:
  void appear();
  void place();

  QTimer patience_;
  QLabel* step_;
  QPushButton* cancel_;
  double fraction_ = 0;
};

}  // namespace lanescope::ui
