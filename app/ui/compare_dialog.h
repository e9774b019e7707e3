// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which two reports to compare: of those that are open, recent, or any file. GUI thread only.
#pragma once

#include <QDialog>

#include "app/ui/report_tabs.h"

class QComboBox;
class QDialogButtonBox;

namespace lanescope::ui {

class CompareDialog : public QDialog {
  Q_OBJECT

 public:
  /// Proposes the report that is looked at and the next one. Opens the comparison, and deletes itself when closed.
  CompareDialog(ReportTabs& tabs, const QStringList& recent, QWidget* parent);

 private:
  QComboBox* addField(const QString& label);
  void browse(QComboBox& field);
  std::optional<ReportSource> chosen(const QComboBox& field) const;
  void check();

  ReportTabs& tabs_;
  QString folder_;
  QList<QPair<QString, ReportSource>> open_;  // how they are shown
  QComboBox* a_;
  QComboBox* b_;
  QDialogButtonBox* buttons_;
};

}  // namespace lanescope::ui
