// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/view_keeper.h"

#include <algorithm>

#include "model/answers.h"
#include "views/timeline/filtering.h"
#include "views/timeline/kept_view.h"
#include "views/timeline/marks.h"

namespace lanescope::ui {
namespace {

constexpr int kRestMs = 1000;
constexpr qsizetype kNamedMissing = 5;

/// Several reports together are another content than each of them.
QString keyOf(const std::vector<std::filesystem::path>& paths) {
  if (paths.size() == 1) return QString::fromStdString(contentKey(paths.front()));
  std::vector<std::string> keys;
  for (const auto& path : paths) keys.push_back(contentKey(path));
  std::ranges::sort(keys);
  return QString::fromStdString(nameFor(packed(keys)));
}

struct Read {
  QString contentKey;
  Result<QJsonObject> kept;
};

}  // namespace

ViewKeeper::ViewKeeper(Session& session, KeptViews store, QObject* parent)
    : QObject(parent), session_(session), store_(std::move(store)) {
  if (store_.keepsNothing()) return;
  rest_.setSingleShot(true);
  rest_.setInterval(kRestMs);
  connect(&rest_, &QTimer::timeout, this, &ViewKeeper::save);
  connect(&session, &Session::phaseChanged, this, [this] {
    if (session_.phase() == Session::Phase::kLoading) begin();
    else restoreWhenReady();
  });
  using views::ViewState;
  ViewState& view = session.view();
  connect(&view, &ViewState::rowsChanged, this, &ViewKeeper::noteChange);
  connect(&view.marks(), &views::Marks::changed, this, &ViewKeeper::noteChange);
  connect(&views::Filtering::of(view), &views::Filtering::filterChanged, this, &ViewKeeper::noteChange);
  connect(&view, &ViewState::countsAllChanged, this, &ViewKeeper::noteChange);
  connect(&view, &ViewState::dimsRestChanged, this, &ViewKeeper::noteChange);
  connect(&view, &ViewState::colourByChanged, this, &ViewKeeper::noteChange);
  for (const auto changed : {&ViewState::visibleChanged, &ViewState::selectionChanged, &ViewState::currentChanged,
                             &ViewState::currentRowChanged, &ViewState::selectedRowsChanged})
    connect(&view, changed, this, [this] {
      if (restored_) noteChange();  // until then the view follows what is loaded
    });
}

ViewKeeper::~ViewKeeper() {
  if (store_.keepsNothing()) return;
  const bool writing = writing_->running();
  writing_.reset();  // waits: an older view must not come after this one
  if ((changed_ || writing) && !contentKey_.isEmpty()) (void)store_.keep(contentKey_, current());
}

/// The time of a view that was not restored yet is the one that was kept.
QJsonObject ViewKeeper::current() const {
  QJsonObject kept = views::keptView(session_.view(), kept_);
  if (!restored_) kept["time"] = kept_["time"];
  for (const Extra& extra : extras_) {
    QJsonObject section = extra.write();
    section["version"] = extra.version;
    kept[extra.name] = section;
  }
  kept["report"] = session_.fileName();
  return kept;
}

void ViewKeeper::begin() {
  save();
  restored_ = false;
  contentKey_.clear();
  reading_.start(
      [paths = session_.paths(), store = store_](const Job&) {
        const QString key = keyOf(paths);
        return Read{key, store.find(key)};
      },
      [this](const Read& read) { restore(read.contentKey, read.kept); });
}

void ViewKeeper::restore(const QString& contentKey, const Result<QJsonObject>& kept) {
  contentKey_ = contentKey;
  kept_ = kept.value_or(QJsonObject());
  if (!kept)
    emit said(tr("How this report was looked at before could not be brought back: %1")
                  .arg(QString::fromStdString(sentence(kept.error()))));
  restoring_ = true;
  if (!kept_.isEmpty() && !changed_) restoreEarly(kept_);
  restoring_ = false;
  restoreWhenReady();
}

void ViewKeeper::restoreEarly(const QJsonObject& kept) {
  views::restoreRows(session_.view(), kept);
  for (const Extra& extra : extras_)
    if (const QJsonObject section = kept[extra.name].toObject(); section["version"].toInt() == extra.version)
      extra.read(section);
}

void ViewKeeper::restoreWhenReady() {
  if (contentKey_.isEmpty() || restored_ || session_.phase() != Session::Phase::kReady) return;
  restoring_ = true;
  const views::ViewState& view = session_.view();
  const bool used = view.canUndoZoom() || view.selection() || view.current();  // somebody was quicker
  if (!kept_.isEmpty() && !used) views::restoreTime(session_.view(), kept_);
  restoring_ = false;
  restored_ = true;
  if (changed_) rest_.start();
}

void ViewKeeper::noteChange() {
  if (restoring_) return;
  changed_ = true;
  rest_.start();
}

void ViewKeeper::save() {
  if (contentKey_.isEmpty() || !changed_ || !restored_) return;
  changed_ = false;
  kept_ = current();
  writing_->start([store = store_, key = contentKey_, kept = kept_](const Job&) { return store.keep(key, kept); },
                  [this](const Result<void>& written) {
                    if (!written) emit said(QString::fromStdString(sentence(written.error())));
                  });
}

Result<void> ViewKeeper::exportTo(const QString& file) const {
  QJsonObject kept = current();
  kept["content"] = contentKey_;
  return KeptViews::write(file, kept);
}

Result<void> ViewKeeper::importFrom(const QString& file) {
  auto read = KeptViews::read(file);
  if (!read) return tl::unexpected(read.error());
  QJsonObject kept = *read;
  const bool same = !contentKey_.isEmpty() && kept["content"].toString() == contentKey_;
  if (same) {
    restoreEarly(kept);
    views::restoreTime(session_.view(), kept);
    return {};
  }
  const QStringList missing = views::applyToOther(session_.view(), kept);
  QJsonObject rows = kept_["rows"].toObject(), roles = rows["roles"].toObject();
  const QJsonObject theirs = kept["rows"].toObject()["roles"].toObject();
  for (auto it = theirs.begin(); it != theirs.end(); ++it) roles[it.key()] = it.value();  // of what waits
  rows["roles"] = roles;
  kept_["rows"] = rows;
  QString note =
      tr("Rows, filter and colours are as in %1; its times and marks are of another recording and were left out.")
          .arg(kept["report"].toString().left(200));
  if (!missing.isEmpty())
    note += tr(" %n of its row(s) are not in this report: %1", nullptr, static_cast<int>(missing.size()))
                .arg(missing.mid(0, kNamedMissing).join(", ").left(400)) +
            (missing.size() > kNamedMissing ? QStringLiteral(", …") : QString());
  emit said(note);
  return {};
}

}  // namespace lanescope::ui
