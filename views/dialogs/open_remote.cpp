// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/open_remote.h"

#include <QComboBox>
#include <QDateTime>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "model/format.h"
#include "views/restyle.h"
#include "views/text.h"

namespace lanescope::views {

using remote::SshTarget;

namespace {

enum Column { kName, kSize, kChanged, kColumns };
enum Role { kFolder = Qt::UserRole, kValue, kFileName };

std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

QList<QStandardItem*> rowOf(const remote::FolderEntry& entry) {
  const bool folder = entry.facts.isFolder;
  auto* name = new QStandardItem(toQt(entry.name) + (folder ? "/" : ""));
  name->setData(QByteArray::fromStdString(entry.name), kFileName);  // which need not be UTF-8
  name->setData(toQt(entry.name).toCaseFolded(), kValue);
  auto* size = new QStandardItem(folder ? QString() : toQt(formatBytes(entry.facts.size)));
  size->setData(static_cast<qulonglong>(entry.facts.size), kValue);
  size->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* changed = new QStandardItem(
      QDateTime::fromSecsSinceEpoch(entry.facts.time).toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")));
  changed->setData(static_cast<qlonglong>(entry.facts.time), kValue);
  const QList<QStandardItem*> row = {name, size, changed};
  for (QStandardItem* item : row) {
    item->setData(folder, kFolder);
    item->setEditable(false);
  }
  return row;
}

}  // namespace

/// Folders before files, whatever the column; what stays are names that hold the text or match its * and ?.
class FolderFilter : public QSortFilterProxyModel {
 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;

 protected:
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override {
    const bool folder = a.data(kFolder).toBool();
    if (folder != b.data(kFolder).toBool()) return folder == (sortOrder() == Qt::AscendingOrder);
    return QPartialOrdering::Less == QVariant::compare(a.data(kValue), b.data(kValue));
  }
};

/// What a folder holds, or why it is not known.
struct OpenRemote::Listing {
  SshTarget folder;
  Result<std::vector<remote::FolderEntry>> entries;
};

OpenRemote::OpenRemote(remote::Ssh ssh, QWidget* parent)
    : QDialog(parent), ssh_(std::move(ssh)), clock_(new QTimer(this)), job_(new LatestJob(this)) {
  constexpr int kShowEvery = 100;  // ms
  setWindowTitle(tr("Open remote"));
  setObjectName("openRemote");
  resize(720, 560);
  auto* lines = new QVBoxLayout(this);
  lines->setContentsMargins(16, 16, 16, 16);
  lines->setSpacing(8);
  lines->addWidget(makeFields());
  lines->addWidget(makeTable(), 1);
  lines->addWidget(makeButtons());
  clock_->setInterval(kShowEvery);
  connect(clock_, &QTimer::timeout, this, &OpenRemote::showProgress);
  setRecentFiles({});
  setState(State::kIdle, tr("Name a server as for ssh; what ssh can log in to works here too"));
  host_->setFocus();
}

OpenRemote::~OpenRemote() = default;

QWidget* OpenRemote::makeFields() {
  auto* fields = new QWidget(this);
  auto* grid = new QGridLayout(fields);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(8);
  host_ = new QComboBox(fields);
  host_->setObjectName("host");
  host_->setEditable(true);
  host_->setInsertPolicy(QComboBox::NoInsert);
  host_->lineEdit()->setPlaceholderText(tr("[user@]host[:port]"));
  connect_ = new QPushButton(tr("&Connect"), fields);
  connect_->setObjectName("connect");
  path_ = new QLineEdit(fields);
  path_->setObjectName("path");
  path_->setPlaceholderText(tr("your home there"));
  up_ = new QToolButton(fields);
  up_->setObjectName("up");
  up_->setText(tr("Up"));
  up_->setToolTip(tr("The folder above (Alt+Up)"));
  up_->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Up));
  filter_ = new QLineEdit(fields);
  filter_->setObjectName("filter");
  filter_->setPlaceholderText(tr("part of a name, or with * and ?"));
  filter_->setClearButtonEnabled(true);
  int row = 0;
  const auto add = [&](const QString& name, QWidget* field, QWidget* beside) {
    auto* label = new QLabel(name, fields);
    label->setBuddy(field);
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1, 1, beside ? 1 : 2);
    if (beside) grid->addWidget(beside, row, 2);
    ++row;
  };
  add(tr("&Server"), host_, connect_);
  add(tr("&Folder"), path_, up_);
  add(tr("F&ilter"), filter_, nullptr);
  grid->setColumnStretch(1, 1);
  connect_->setAutoDefault(false);
  connect(connect_, &QPushButton::clicked, this, &OpenRemote::connectToHost);
  connect(host_->lineEdit(), &QLineEdit::returnPressed, this, &OpenRemote::connectToHost);
  connect(path_, &QLineEdit::returnPressed, this, &OpenRemote::connectToHost);
  connect(up_, &QToolButton::clicked, this, [this] {
    const std::size_t slash = folder_.path.rfind('/');
    browse(folder_.at(slash == 0 || slash == std::string::npos ? "/" : folder_.path.substr(0, slash)));
  });
  return fields;
}

QWidget* OpenRemote::makeTable() {
  entries_ = new QStandardItemModel(0, kColumns, this);
  entries_->setHorizontalHeaderLabels({tr("Name"), tr("Size"), tr("Changed")});
  entries_->horizontalHeaderItem(kSize)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  shown_ = new FolderFilter(this);
  shown_->setSourceModel(entries_);
  shown_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  shown_->setFilterKeyColumn(kName);
  table_ = new QTreeView(this);
  table_->setObjectName("remoteEntries");
  table_->setModel(shown_);
  table_->setRootIsDecorated(false);
  table_->setUniformRowHeights(true);
  table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  table_->setSortingEnabled(true);
  table_->sortByColumn(kName, Qt::AscendingOrder);
  table_->header()->setStretchLastSection(false);
  table_->header()->setSectionResizeMode(kName, QHeaderView::Stretch);
  table_->header()->setSectionResizeMode(kSize, QHeaderView::ResizeToContents);
  table_->header()->setSectionResizeMode(kChanged, QHeaderView::ResizeToContents);
  connect(table_, &QTreeView::activated, this, &OpenRemote::activate);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &OpenRemote::updateButtons);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    const bool pattern = typed.contains('*') || typed.contains('?');
    if (pattern) shown_->setFilterWildcard(typed);
    else shown_->setFilterFixedString(typed);
  });
  return table_;
}

QWidget* OpenRemote::makeButtons() {
  auto* foot = new QWidget(this);
  auto* lines = new QVBoxLayout(foot);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(8);
  line_ = new QLabel(foot);
  line_->setObjectName("line");
  line_->setTextFormat(Qt::PlainText);
  line_->setWordWrap(true);
  line_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  bar_ = new QProgressBar(foot);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(4);
  bar_->setRange(0, 1000);
  lines->addWidget(bar_);
  lines->addWidget(line_);
  auto* buttons = new QHBoxLayout;
  recent_ = new QToolButton(foot);
  recent_->setObjectName("recent");
  recent_->setText(tr("&Recent files"));
  recent_->setPopupMode(QToolButton::InstantPopup);
  recent_->setMenu(new QMenu(recent_));
  open_ = new QPushButton(foot);
  open_->setObjectName("open");
  open_->setDefault(true);
  cancel_ = new QPushButton(foot);
  cancel_->setObjectName("cancel");
  cancel_->setAutoDefault(false);
  auto* help = new QPushButton(tr("Help"), foot);
  help->setObjectName("remoteHelp");
  help->setAutoDefault(false);
  buttons->addWidget(recent_);
  buttons->addWidget(help);
  buttons->addStretch();
  buttons->addWidget(open_);
  buttons->addWidget(cancel_);
  lines->addLayout(buttons);
  connect(help, &QPushButton::clicked, this, &OpenRemote::helpWanted);
  connect(new QShortcut(QKeySequence::HelpContents, this), &QShortcut::activated, this, &OpenRemote::helpWanted);
  connect(open_, &QPushButton::clicked, this, [this] {
    if (state_ == State::kStopped) fetchNext();
    else if (!host_->lineEdit()->hasFocus() && !path_->hasFocus()) fetchSelected();  // Enter in these is theirs
  });
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (state_ == State::kFetching || state_ == State::kListing) stop();
    else reject();
  });
  return foot;
}

void OpenRemote::setHosts(const QStringList& hosts) {
  const QString typed = host_->currentText();
  host_->clear();
  host_->addItems(hosts);
  host_->setCurrentText(typed);
}

void OpenRemote::setRecentFiles(const QStringList& addresses) {
  recent_->menu()->clear();
  recent_->setEnabled(!addresses.isEmpty());
  for (const QString& address : addresses) {
    QString label = address;
    recent_->menu()->addAction(label.replace('&', "&&"), this, [this, address] { fetch({address}); });
  }
}

void OpenRemote::setState(State state, const QString& line, bool bad) {
  state_ = state;
  line_->setText(line);
  restyle(*line_, "tone", bad ? "error" : "dim");
  const bool fetching = state == State::kFetching;
  bar_->setVisible(fetching || state == State::kStopped);
  if (fetching) clock_->start();
  else clock_->stop();
  for (QWidget* field : std::initializer_list<QWidget*>{host_, connect_, path_, table_, filter_})
    field->setEnabled(!fetching);
  updateButtons();
}

void OpenRemote::updateButtons() {
  const bool busy = state_ == State::kFetching || state_ == State::kListing;
  open_->setText(state_ == State::kStopped ? tr("Resume") : tr("&Open"));
  open_->setEnabled(state_ == State::kStopped || (!busy && table_->selectionModel()->hasSelection()));
  cancel_->setText(busy ? tr("Stop") : tr("Close"));
  up_->setEnabled(!busy && !folder_.host.empty() && folder_.path != "/");
  recent_->setEnabled(!busy && !recent_->menu()->isEmpty());
}

void OpenRemote::connectToHost() {
  const QString typed = host_->currentText().trimmed();
  auto target = remote::parseSshHost(typed.toStdString());
  if (!target) return setState(State::kIdle, toQt(sentence(target.error())), true);
  const bool same = target->at("") == folder_.at("");
  const std::string path = path_->text().toStdString();
  if (target->path.empty() && (same || folder_.host.empty())) target->path = path;
  browse(*target);
}

void OpenRemote::browse(const SshTarget& folder) {
  wanted_.clear();
  setState(State::kListing, tr("Asking %1…").arg(toQt(folder.place())));
  job_->start(
      [ssh = ssh_, folder](const Job& job) {
        Listing listing{folder, {}};
        auto sftp = remote::Sftp::connect(ssh, folder, job);
        const auto real = sftp ? sftp->realPath(folder.path.empty() ? "." : folder.path) : tl::unexpected(sftp.error());
        if (real) listing.folder.path = *real;
        if (real) listing.entries = sftp->list(*real);
        else listing.entries = tl::unexpected(real.error());
        return listing;
      },
      [this](Listing listing) { show(std::move(listing)); });
}

void OpenRemote::show(Listing listing) {
  if (!listing.entries) return setState(State::kIdle, toQt(sentence(listing.entries.error())), true);
  folder_ = listing.folder;
  host_->setCurrentText(toQt(folder_.place()));
  path_->setText(toQt(folder_.path));
  entries_->removeRows(0, entries_->rowCount());
  for (const remote::FolderEntry& entry : *listing.entries) entries_->appendRow(rowOf(entry));
  const bool all = listing.entries->size() < remote::Sftp::kMostEntries;
  setState(State::kIdle, all ? tr("%n entries", nullptr, static_cast<int>(listing.entries->size()))
                             : tr("The first %n entries", nullptr, static_cast<int>(listing.entries->size())));
  if (shown_->rowCount() > 0) table_->setCurrentIndex(shown_->index(0, kName));
  table_->setFocus();
  emit connected(toQt(folder_.place()));
}

SshTarget OpenRemote::entry(const QModelIndex& index) const {
  const std::string name = index.siblingAtColumn(kName).data(kFileName).toByteArray().toStdString();
  return folder_.at((folder_.path == "/" ? "" : folder_.path) + "/" + name);
}

void OpenRemote::activate(const QModelIndex& index) {
  if (!index.data(kFolder).toBool()) return fetchSelected();
  browse(entry(index));
}

std::vector<SshTarget> OpenRemote::selectedFiles() const {
  std::vector<SshTarget> files;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows(kName)) {
    if (index.data(kFolder).toBool()) continue;
    files.push_back(entry(index));
  }
  return files;
}

void OpenRemote::fetchSelected() {
  wanted_ = selectedFiles();
  std::ranges::sort(wanted_, std::greater(), &SshTarget::path);
  if (!wanted_.empty()) return fetchNext();
  const QModelIndex current = table_->currentIndex();
  if (current.isValid()) activate(current);
}

void OpenRemote::fetch(const QStringList& addresses) {
  wanted_.clear();
  for (const QString& address : addresses) {
    auto target = remote::parseSshTarget(address.toStdString());
    if (!target) return setState(State::kIdle, toQt(sentence(target.error())), true);
    wanted_.insert(wanted_.begin(), std::move(*target));
  }
  if (!wanted_.empty()) fetchNext();
}

void OpenRemote::fetchNext() {
  const SshTarget target = wanted_.back();
  if (folder_.host.empty()) host_->setCurrentText(toQt(target.place()));
  progress_ = std::make_shared<Progress>();
  pace_ = {};
  bar_->setRange(0, 0);
  setState(State::kFetching, tr("Asking for %1…").arg(toQt(target.address())));
  job_->start(
      [ssh = ssh_, target, progress = progress_](const Job& job) {
        const auto tell = [&progress](const remote::Transfer& transfer) {
          progress->before = transfer.before;
          progress->whole = transfer.whole;
          progress->done = transfer.done;
        };
        return remote::fetch(ssh, target, tell, job);
      },
      [this](Result<remote::Fetched> file) { came(std::move(file)); });
}

void OpenRemote::showProgress() {
  const remote::Transfer transfer{progress_->done, progress_->whole, progress_->before};
  if (transfer.whole == 0) return;
  bar_->setRange(0, 1000);
  bar_->setValue(static_cast<int>(1000.0 * static_cast<double>(transfer.done) / static_cast<double>(transfer.whole)));
  line_->setText(tr("%1: %2").arg(toQt(wanted_.back().fileName()), toQt(pace_.text(transfer, now()))));
}

void OpenRemote::came(Result<remote::Fetched> file) {
  if (!file) {
    const bool goesOn = file.error().code == ErrorCode::kConnectionLost || file.error().code == ErrorCode::kUnreachable;
    return setState(goesOn ? State::kStopped : State::kIdle, toQt(sentence(file.error())), true);
  }
  const SshTarget target = wanted_.back();
  wanted_.pop_back();
  emit connected(toQt(target.place()));
  emit fetched(std::make_shared<const remote::Fetched>(std::move(*file)));
  if (!wanted_.empty()) return fetchNext();
  setState(State::kIdle, {});
  accept();
}

void OpenRemote::stop() {
  const bool fetching = state_ == State::kFetching;
  job_->cancel();
  if (fetching) setState(State::kStopped, tr("Stopped; what came over is kept, and Resume goes on with it"));
  else setState(State::kIdle, tr("Stopped"));
}

}  // namespace lanescope::views
