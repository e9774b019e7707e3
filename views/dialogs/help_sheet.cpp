// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/help_sheet.h"

#include <QDialog>
#include <QMessageBox>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace lanescope::views {

void showSheet(QWidget* parent, const QString& name, const QString& title,
               const std::function<void(QTextBrowser&)>& fill) {
  auto* sheet = parent->findChild<QDialog*>(name, Qt::FindDirectChildrenOnly);
  if (!sheet) {
    sheet = new QDialog(parent);
    sheet->setObjectName(name);
    sheet->setWindowTitle(title);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->resize(560, 680);
    auto* text = new QTextBrowser(sheet);
    text->setFrameShape(QFrame::NoFrame);
    text->setOpenExternalLinks(true);
    text->document()->setDocumentMargin(20);
    fill(*text);
    auto* layout = new QVBoxLayout(sheet);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text);
  }
  sheet->show();
  sheet->raise();
  sheet->activateWindow();
}

void showAbout(QWidget* parent, const QString& version) {
  QMessageBox box(parent);
  box.setWindowTitle(QObject::tr("About Lanescope"));
  box.setText(QObject::tr("<b>Lanescope %1</b><br>A profiler for CUDA programs").arg(version));
  box.setInformativeText(
      QObject::tr(
          "<p>The viewer is licensed under the GNU General Public License, version 3 or later; the reader, the command "
          "line and the collector under the Apache License 2.0.</p>"
          "<p>It uses Qt %1 (LGPL 3), QCustomPlot (GPL 3), SQLite (public domain), {fmt} (MIT), CLI11 (BSD 3-clause), "
          "tl::expected (CC0), and the fonts Inter (OFL 1.1) and DejaVu Sans Mono (Bitstream Vera licence).</p>"
          "<p>Not made or endorsed by NVIDIA.</p>")
          .arg(qVersion()));
  box.exec();
}

}  // namespace lanescope::views
