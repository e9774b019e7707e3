// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/picture.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "model/error.h"
#include "views/saving.h"

namespace lanescope::views {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("Picture", text); }

QByteArray encoded(QWidget& widget, bool svg) {
  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  if (!svg) {
    widget.grab().save(&buffer, "PNG");
    return buffer.data();
  }
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setResolution(96);  // as browsers count, so that its size is the window's
  generator.setSize(widget.size());
  generator.setViewBox(widget.rect());
  generator.setTitle("Lanescope");
  QPainter painter(&generator);
  widget.render(&painter);
  painter.end();
  return buffer.data();
}

}  // namespace

QString writePicture(QWidget& widget, const QString& file) {
  const QByteArray bytes = encoded(widget, file.endsWith(".svg", Qt::CaseInsensitive));
  QSaveFile out(file);  // all of it or nothing
  if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit()) return {};
  return QString::fromStdString(
      sentence(Error{ErrorCode::kWriteFailed, file.toStdString(), out.errorString().toStdString()}));
}

void savePicture(QWidget& widget, const QString& name) {
  Saving& saving = Saving::instance();
  const QString file = QFileDialog::getSaveFileName(&widget, tr("Save picture"), saving.place(name + ".png"),
                                                    tr("PNG (*.png);;SVG (*.svg);;All files (*)"));
  if (file.isEmpty()) return;
  if (const QString failure = writePicture(widget, file); !failure.isEmpty())
    QMessageBox::warning(&widget, tr("Save picture"), failure);
  else saving.done(file);
}

}  // namespace lanescope::views
