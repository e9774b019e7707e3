// SPDX-License-Identifier: GPL-3.0-or-later
// The line above two compared reports: whether they go along with each other, how they are aligned and how well that fits,
// how they stand, and what the colours mean. Decides nothing. GUI thread only.
#pragma once

#include <QFrame>

#include "views/compare/matched.h"

class QLabel;
class QMenu;
class QToolButton;

namespace lanescope::views {

class CompareBar : public QFrame {
  Q_OBJECT

 public:
  explicit CompareBar(QWidget* parent = nullptr);

  void setLinked(bool linked);
  void setBeside(bool beside);
  void setOnlyDiffering(bool only);
  /// Null: it is not known yet, or never; `message` says so.
  void setMatched(const Matched* matched, const QString& message = {});
  QMenu& alignMenu() { return *alignMenu_; }
  QString text() const;  ///< how they are aligned

 signals:
  void linkedWanted(bool linked);
  void besideWanted(bool beside);
  void onlyDifferingWanted(bool only);

 private:
  QToolButton* linked_;
  QToolButton* align_;
  QMenu* alignMenu_;
  QToolButton* beside_;
  QToolButton* differing_;
  QLabel* text_;
};

/// "98.2 % of the events have a twin, of GPU work 1.2 µs apart": how well an alignment fits.
QString qualityText(const compare::Alignment& alignment);

}  // namespace lanescope::views
