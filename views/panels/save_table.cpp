// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/save_table.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QSaveFile>

#include "model/analysis/table_text.h"
#include "model/error.h"
#include "views/saving.h"

namespace lanescope::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("SaveTable", text); }

}  // namespace

QString writeCsv(const analysis::Table& table, const QString& file) {
  const std::string text = analysis::toText(table, analysis::TableFormat::kCsv);
  QSaveFile out(file);  // all of it or nothing
  const auto size = static_cast<qint64>(text.size());
  if (out.open(QIODevice::WriteOnly) && out.write(text.data(), size) == size && out.commit()) return {};
  return QString::fromStdString(
      sentence(Error{ErrorCode::kWriteFailed, file.toStdString(), out.errorString().toStdString()}));
}

void saveCsv(QWidget* parent, const analysis::Table& table) {
  Saving& saving = Saving::instance();
  const QString file =
      QFileDialog::getSaveFileName(parent, tr("Save table"), saving.place(QString::fromStdString(table.name + ".csv")),
                                   tr("Comma-separated values (*.csv);;All files (*)"));
  if (file.isEmpty()) return;
  if (const QString failure = writeCsv(table, file); !failure.isEmpty())
    QMessageBox::warning(parent, tr("Save table"), failure);
  else saving.done(file);
}

}  // namespace lanescope::views
