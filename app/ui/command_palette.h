// SPDX-License-Identifier: GPL-3.0-or-later
// Every command by its name: a field, and below it what fits, best first. Enter does it, Esc goes back. Shows what the
// menus have, so that nothing is listed twice or missing. GUI thread only.
#pragma once

#include <QDialog>
#include <optional>

#include "app/ui/menu_actions.h"

class QLineEdit;
class QTreeWidget;

namespace lanescope::ui {

/// How well a few typed letters fit a text in which they stand in this order, whatever the case: more is better, and
/// more for letters that follow each other or begin words. None: they do not. Pure.
std::optional<int> fit(QStringView letters, QStringView text);

class CommandPalette : public QDialog {
  Q_OBJECT

 public:
  CommandPalette(const QMenuBar& bar, QWidget* parent);

  QLineEdit& field() { return *field_; }
  QTreeWidget& list() { return *list_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void showFitting(const QString& letters);
  void run();

  std::vector<MenuAction> actions_;
  QLineEdit* field_;
  QTreeWidget* list_;
};

}  // namespace lanescope::ui
