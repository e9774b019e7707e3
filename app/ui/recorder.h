// SPDX-License-Identifier: GPL-3.0-or-later
// File → Record: begins recordings here and on hosts, shows what they say, and hands their reports on. A recording runs
// in a process of its own on its machine (collector/launch/detached.h): this only follows it, so that neither a viewer
// that is closed nor a connection that is lost ends it. GUI thread only.
#pragma once

#include <QPointer>

#include "app/ui/record_host.h"
#include "app/ui/settings.h"
#include "views/dialogs/record_dialog.h"
#include "views/latest_job.h"

namespace lanescope::ui {

class Recorder : public QObject {
  Q_OBJECT

 public:
  Recorder(Settings& settings, QWidget* window);

  void show();
  views::RecordDialog& dialog() { return *dialog_; }
  /// For tests: how ssh is run.
  void setSsh(remote::Ssh ssh) { ssh_ = std::move(ssh); }

 signals:
  void reportReady(const QString& name);  ///< a path, or an address on a server

 private:
  void connectDialog();
  void checkHost(const QString& name);
  void showEnvironment(const RecordHost& host);
  void showReadiness(QByteArray environment);
  void record(const views::RecordRequest& request);
  void begin(const views::RecordRequest& request);
  void follow(const views::KnownRecording& recording);
  void listen(HostCommand* command);
  void take(const QJsonObject& json);
  void commandEnded(int status, const QString& failure);
  void order(const QString& what);
  void cancel();
  void list();
  void tell(const std::string& what, const QString& id);
  std::optional<RecordHost> chosenHost(const std::string& name);
  void remember(const views::RecordRequest& request);
  void fillFrom(const QStringList& kept);
  void offerPrograms();

  Settings& settings_;
  remote::Ssh ssh_;
  views::RecordDialog* dialog_;
  RecordHost host_;  ///< of the recording that is followed
  QString id_;
  QByteArray pending_, complaints_;
  bool isOver_ = true, isCancelled_ = false;
  QPointer<HostCommand> command_;
  QPointer<HostCommand> environment_, listing_;
  views::LatestJob preparing_, asking_;
};

}  // namespace lanescope::ui
