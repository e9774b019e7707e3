// SPDX-License-Identifier: GPL-3.0-or-later
// File → Record: the form, the recording under way, and the recordings that a machine knows of, as pages of one window.
// Shows and asks; who records is app/ui's. Closing it hides it: a recording goes on. GUI thread only.
#pragma once

#include <QDialog>

#include "views/dialogs/record_console.h"
#include "views/dialogs/record_form.h"
#include "views/dialogs/record_list.h"

class QStackedWidget;

namespace lanescope::views {

class RecordDialog : public QDialog {
  Q_OBJECT

 public:
  explicit RecordDialog(RecorderWords words, QWidget* parent = nullptr);

  RecordForm& form() { return *form_; }
  RecordConsole& console() { return *console_; }
  RecordList& list() { return *list_; }

  void showForm();
  void showConsole();
  void showList();

 signals:
  void recordWanted(const lanescope::views::RecordRequest& request);
  void listWanted();
  void helpWanted();

 private:
  QWidget* formPage();

  QStackedWidget* pages_;
  RecordForm* form_;
  RecordConsole* console_;
  RecordList* list_;
  QPushButton* record_ = nullptr;
};

}  // namespace lanescope::views
