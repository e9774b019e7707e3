// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/record_list.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

QString stateOf(const KnownRecording& one) {
  if (one.state == "runs") return RecordList::tr("runs");
  if (one.state == "killed") return one.left ? RecordList::tr("cut off") : RecordList::tr("lost");
  return one.status == 0 ? RecordList::tr("ended") : RecordList::tr("ended, status %1").arg(one.status);
}

}  // namespace

RecordList::RecordList(QWidget* parent)
    : QWidget(parent), title_(new QLabel(this)), words_(new QLabel(this)), tree_(new QTreeWidget(this)) {
  title_->setTextFormat(Qt::PlainText);
  title_->setFont(Theme::font(1, true));
  words_->setTextFormat(Qt::PlainText);
  words_->setWordWrap(true);
  words_->setProperty("tone", "dim");
  tree_->setObjectName("recordings");
  tree_->setHeaderLabels({tr("Begun"), tr("State"), tr("Program"), tr("Report")});
  tree_->setRootIsDecorated(false);
  tree_->setAccessibleName(tr("Recordings"));
  tree_->header()->setSectionResizeMode(QHeaderView::Interactive);
  connect(tree_, &QTreeWidget::currentItemChanged, this, &RecordList::enable);

  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  const auto add = [&](const QString& text, const char* name, auto act) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, act);
    buttons->addWidget(button);
    return button;
  };
  add(tr("Back"), "backFromList", [this] { emit backWanted(); });
  add(tr("Look again"), "lookAgain", [this] { emit refreshWanted(); });
  collector_ = add(tr("Remove the collector there"), "removeCollector", [this] { emit removeCollectorWanted(); });
  collector_->setToolTip(tr("Deletes ~/.cache/lanescope/collector on that host; it comes again when it is needed"));
  collector_->hide();
  buttons->addStretch();
  const auto withCurrent = [this](auto act) {
    return [this, act] {
      if (const KnownRecording* one = current()) act(*one);
    };
  };
  remove_ = add(tr("Forget"), "removeRecording",
                withCurrent([this](const KnownRecording& one) { emit removeWanted(toQt(one.id)); }));
  remove_->setToolTip(tr("Takes it off this list, with its output; its reports stay"));
  finish_ = add(tr("Finish its report"), "finishRecording",
                withCurrent([this](const KnownRecording& one) { emit finishWanted(toQt(one.id)); }));
  follow_ =
      add(tr("Watch"), "followRecording", withCurrent([this](const KnownRecording& one) { emit followWanted(one); }));
  open_ = add(tr("Open report"), "openRecording", withCurrent([this](const KnownRecording& one) {
                for (const std::string& report : one.reports) emit openWanted(toQt(report));
              }));
  connect(tree_, &QTreeWidget::itemActivated, this, [this] { (open_->isEnabled() ? open_ : follow_)->click(); });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 16, 20, 16);
  layout->setSpacing(8);
  layout->addWidget(title_);
  layout->addWidget(words_);
  layout->addWidget(tree_, 1);
  layout->addLayout(buttons);
  enable();
}

void RecordList::show(const QString& place, std::vector<KnownRecording> recordings) {
  title_->setText(place.isEmpty() ? tr("Recordings on this machine") : tr("Recordings on %1").arg(place));
  setWords(recordings.empty() ? tr("None is there.") : QString());
  tree_->clear();
  recordings_ = std::move(recordings);
  for (const KnownRecording& one : recordings_) {
    QStringList reports;
    for (const std::string& report : one.reports) reports += toQt(report);
    const QDateTime begun = QDateTime::fromMSecsSinceEpoch(one.began / 1'000'000);
    auto* item = new QTreeWidgetItem(
        tree_, {QLocale().toString(begun, QLocale::ShortFormat), stateOf(one), toQt(one.command), reports.join(", ")});
    for (int column = 2; column < 4; ++column) item->setToolTip(column, item->text(column));
  }
  for (int column = 0; column < 2; ++column) tree_->resizeColumnToContents(column);
  tree_->setColumnWidth(2, 260);
  if (!recordings_.empty()) tree_->setCurrentItem(tree_->topLevelItem(0));
  enable();
}

void RecordList::setWords(const QString& words) {
  words_->setText(words);
  words_->setVisible(!words.isEmpty());
}

void RecordList::setCollector(bool canBeRemoved) { collector_->setVisible(canBeRemoved); }

const KnownRecording* RecordList::current() const {
  const int row = tree_->indexOfTopLevelItem(tree_->currentItem());
  return row < 0 || row >= static_cast<int>(recordings_.size()) ? nullptr : &recordings_[static_cast<std::size_t>(row)];
}

void RecordList::enable() {
  const KnownRecording* one = current();
  open_->setEnabled(one && !one->reports.empty());
  follow_->setEnabled(one);
  finish_->setEnabled(one && one->left);
  remove_->setEnabled(one && one->state != "runs");
}

}  // namespace lanescope::views
