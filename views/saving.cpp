// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/saving.h"

#include <QDir>
#include <QFileInfo>

namespace lanescope::views {

Saving& Saving::instance() {
  static Saving saving;
  return saving;
}

void Saving::setReport(const QString& folder) { report_ = folder; }

QString Saving::place(const QString& name) const {
  for (const QString& folder : {last_, report_})
    if (!folder.isEmpty() && QFileInfo(folder).isDir()) return QDir(folder).absoluteFilePath(name);
  return QDir::home().absoluteFilePath(name);
}

void Saving::done(const QString& file) {
  last_ = QFileInfo(file).absolutePath();
  emit saved(file);
}

}  // namespace lanescope::views
