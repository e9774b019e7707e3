// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/kept_views.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>

#include "views/timeline/kept_view.h"

namespace lanescope::ui {
namespace {

tl::unexpected<Error> failure(ErrorCode code, const QString& file, const QString& detail) {
  return tl::unexpected(Error{code, file.toStdString(), detail.toStdString()});
}

}  // namespace

QString KeptViews::placeOf(const QString& contentKey) const { return QDir(folder_).filePath(contentKey + ".json"); }

Result<QJsonObject> KeptViews::read(const QString& path) {
  QFile file(path);
  if (!QFileInfo(path).isFile())
    return failure(QFileInfo::exists(path) ? ErrorCode::kDamaged : ErrorCode::kNotFound, path, {});
  if (!file.open(QIODevice::ReadOnly)) return failure(ErrorCode::kUnreadable, path, file.errorString());
  if (file.size() > kMostBytes) return failure(ErrorCode::kDamaged, path, "it is too large for a kept view");
  QJsonParseError mistake;
  const QJsonDocument document = QJsonDocument::fromJson(file.read(kMostBytes), &mistake);
  if (!document.isObject()) {
    const bool json = mistake.error == QJsonParseError::NoError;
    return failure(ErrorCode::kDamaged, path, json ? "it is no JSON object" : mistake.errorString());
  }
  if (const QString wrong = views::mistakeIn(document.object()); !wrong.isEmpty())
    return failure(ErrorCode::kDamaged, path, wrong);
  return document.object();
}

Result<void> KeptViews::write(const QString& path, const QJsonObject& view) {
  QSaveFile file(path);  // all of it or nothing
  const QByteArray text = QJsonDocument(view).toJson(QJsonDocument::Compact);
  if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit()) return {};
  return failure(ErrorCode::kWriteFailed, path, file.errorString());
}

Result<QJsonObject> KeptViews::find(const QString& contentKey) const {
  const QString place = placeOf(contentKey);
  if (keepsNothing() || contentKey.isEmpty() || !QFileInfo::exists(place)) return QJsonObject();
  auto view = read(place);
  if (!view) {
    const QString aside = place + ".damaged";
    QFile::remove(aside);
    QFile::rename(place, aside);
  }
  return view;
}

Result<void> KeptViews::keep(const QString& contentKey, const QJsonObject& view) const {
  if (keepsNothing() || contentKey.isEmpty()) return {};
  if (!QDir().mkpath(folder_)) return failure(ErrorCode::kWriteFailed, folder_, "no such folder can be made");
  auto written = write(placeOf(contentKey), view);
  makeRoom();
  return written;
}

void KeptViews::makeRoom() const {
  const QFileInfoList files =
      QDir(folder_).entryInfoList({"*.json", "*.damaged"}, QDir::Files, QDir::Time);  // newest first
  for (qsizetype i = kMost; i < files.size(); ++i) QFile::remove(files[i].filePath());
}

}  // namespace lanescope::ui
