// SPDX-License-Identifier: GPL-3.0-or-later
// File → Open remote: a server, its folders with sizes and dates, and the way of the chosen files into the cache, with
// rate and time left. A transfer that broke or was stopped goes on where it was. Each question to the server is a
// LatestJob of its own; ssh keeps the login between them. GUI thread only.
#pragma once

#include <QDialog>
#include <QStringList>
#include <atomic>
#include <memory>
#include <vector>

#include "model/remote/fetch.h"
#include "views/latest_job.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStandardItemModel;
class QTimer;
class QToolButton;
class QTreeView;

namespace lanescope::views {

class FolderFilter;

class OpenRemote : public QDialog {
  Q_OBJECT

 public:
  explicit OpenRemote(remote::Ssh ssh, QWidget* parent = nullptr);
  ~OpenRemote() override;

  /// To choose from: "gpu7", "me@gpu7:2222".
  void setHosts(const QStringList& hosts);
  /// Addresses.
  void setRecentFiles(const QStringList& addresses);

  /// Begins to fetch these addresses, one after the other.
  void fetch(const QStringList& addresses);

 signals:
  void connected(const QString& host);
  /// Each as it is there; the dialog closes after the last.
  void fetched(std::shared_ptr<const lanescope::remote::Fetched> file);
  void helpWanted();

 private:
  struct Listing;
  struct Progress {
    std::atomic<std::uint64_t> done{0}, whole{0}, before{0};
  };
  enum class State { kIdle, kListing, kFetching, kStopped };

  QWidget* makeFields();
  QWidget* makeTable();
  QWidget* makeButtons();
  void setState(State state, const QString& line, bool bad = false);

  void connectToHost();
  void browse(const remote::SshTarget& folder);
  void show(Listing listing);
  void activate(const QModelIndex& index);
  void fetchSelected();
  void fetchNext();
  void came(Result<remote::Fetched> file);
  void showProgress();
  void stop();
  void updateButtons();
  remote::SshTarget entry(const QModelIndex& index) const;
  std::vector<remote::SshTarget> selectedFiles() const;

  remote::Ssh ssh_;
  remote::SshTarget folder_;  // shown; without a host: none yet
  std::vector<remote::SshTarget> wanted_;  // still to be fetched, the last first
  std::shared_ptr<Progress> progress_;
  remote::Pace pace_;
  State state_ = State::kIdle;

  QComboBox* host_;
  QPushButton* connect_;
  QLineEdit* path_;
  QToolButton* up_;
  QLineEdit* filter_;
  QTreeView* table_;
  QStandardItemModel* entries_;
  FolderFilter* shown_;
  QLabel* line_;
  QProgressBar* bar_;
  QToolButton* recent_;
  QPushButton* open_;
  QPushButton* cancel_;
  QTimer* clock_;
  LatestJob* job_;  // last: it ends first
};

}  // namespace lanescope::views
