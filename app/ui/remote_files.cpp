// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/remote_files.h"

#include "app/ui/help_place.h"
#include "app/ui/viewer_ssh.h"

namespace lanescope::ui {

using views::OpenRemote;

RemoteFiles::RemoteFiles(ReportTabs& tabs, Settings& settings, QWidget* window)
    : QObject(window), tabs_(tabs), settings_(settings), window_(window) {
  connect(&tabs, &ReportTabs::remoteWanted, this, &RemoteFiles::open);
}

void RemoteFiles::open(const QStringList& addresses) {
  if (!dialog_) {
    dialog_ = new OpenRemote(viewerSsh(), window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &QDialog::finished, this, [this] { dialog_.clear(); });  // it goes a little later
    connect(dialog_, &OpenRemote::connected, this, [this](const QString& host) { settings_.addRecentHost(host); });
    connect(dialog_, &OpenRemote::fetched, &tabs_,
            [this](const std::shared_ptr<const remote::Fetched>& file) { emit opened(tabs_.open(file)); });
    connect(dialog_, &OpenRemote::helpWanted, this, [this] { openHelp(dialog_, "remote"); });
  }
  QStringList recent;
  for (const QString& file : settings_.recentFiles())
    if (remote::isSshAddress(file.toStdString())) recent += file;
  dialog_->setHosts(knownHosts(settings_));
  dialog_->setRecentFiles(recent);
  dialog_->open();
  if (!addresses.isEmpty()) dialog_->fetch(addresses);
}

}  // namespace lanescope::ui
