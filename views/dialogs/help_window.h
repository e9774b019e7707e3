// SPDX-License-Identifier: GPL-3.0-or-later
// The help beside the program: contents, search over all pages, links between them, back and forward. A place is
// "PAGE" or "PAGE#SECTION". GUI thread only.
#pragma once

#include <QDialog>
#include <QStringList>
#include <vector>

#include "views/dialogs/help_pages.h"

class QLineEdit;
class QTextBrowser;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace lanescope::views {

class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  HelpWindow(std::vector<HelpPage> pages, QWidget* parent);

  /// Nothing happens if there is no such page; a section that is not there shows the page's beginning.
  void open(const QString& place);
  const QString& place() const { return place_; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void addContents();
  void show(const QString& place);
  void scrollTo(const QString& section);
  void step(int by);
  void follow(const QString& link);
  void search(const QString& text);
  void findNext();
  void markHits();
  const HelpPage* pageOf(const QString& place) const;

  std::vector<HelpPage> pages_;
  QStringList visited_;
  int at_ = -1;  // in visited_
  QString place_, shownPage_;
  QToolButton* back_;
  QToolButton* forward_;
  QLineEdit* search_;
  QTreeWidget* contents_;
  QTextBrowser* text_;
};

/// Opens the help at a place, or brings it there if it is open.
void showHelp(QWidget* parent, const QString& place, const HelpFiller& fill);

}  // namespace lanescope::views
