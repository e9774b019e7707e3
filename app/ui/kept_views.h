// SPDX-License-Identifier: GPL-3.0-or-later
// The kept views of reports, a file each in a folder of the user's, named by the content of the report and never in it.
// At most kMost of them, the oldest go first. A file that is damaged is put aside under another name. Any one thread.
#pragma once

#include <QJsonObject>
#include <QString>

#include "model/error.h"

namespace lanescope::ui {

class KeptViews {
 public:
  static constexpr int kMost = 500;
  static constexpr qint64 kMostBytes = 16 << 20;  ///< of one; more is not read

  explicit KeptViews(QString folder) : folder_(std::move(folder)) {}  ///< empty: keeps nothing

  bool keepsNothing() const { return folder_.isEmpty(); }
  /// An empty object if nothing is kept of it.
  Result<QJsonObject> find(const QString& contentKey) const;
  Result<void> keep(const QString& contentKey, const QJsonObject& view) const;

  /// One file anywhere, for somebody else or another report.
  static Result<QJsonObject> read(const QString& file);
  static Result<void> write(const QString& file, const QJsonObject& view);

 private:
  QString placeOf(const QString& contentKey) const;
  void makeRoom() const;

  QString folder_;
};

}  // namespace lanescope::ui
