// SPDX-License-Identifier: GPL-3.0-or-later
// A line that says what the colours mean, shown while they mean something that can be listed. GUI thread only.
#pragma once

#include <QWidget>

namespace lanescope::views {

class Legend : public QWidget {
  Q_OBJECT

 public:
  explicit Legend(QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void follow();
};

}  // namespace lanescope::views
