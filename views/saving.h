// SPDX-License-Identifier: GPL-3.0-or-later
// Where pictures and tables are saved: beside the report that is looked at, after the first one where the last went. Who
// shows reports says so there and follows saved(). GUI thread only.
#pragma once

#include <QObject>
#include <QString>

namespace lanescope::views {

class Saving : public QObject {
  Q_OBJECT

 public:
  static Saving& instance();

  /// Of the report that is looked at; one that is no folder of this machine is that of the user.
  void setReport(const QString& folder);
  /// The whole path to offer for a file of this name.
  QString place(const QString& name) const;
  /// A file was written: says so, and offers its folder from now on.
  void done(const QString& file);

 signals:
  void saved(const QString& file);

 private:
  QString report_, last_;
};

}  // namespace lanescope::views
