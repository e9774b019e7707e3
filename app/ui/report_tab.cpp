// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/report_tab.h"

#include <QStackedLayout>
#include <QVBoxLayout>

#include "app/ui/failure_page.h"
#include "app/ui/load_bar.h"
#include "app/ui/view_keeper.h"
#include "views/panels/loss_banner.h"
#include "views/panels/note_line.h"
#include "views/panels/search.h"
#include "views/timeline/remarks.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

constexpr int kWidestHeaders = 2000;  // that a kept view may ask for
constexpr qsizetype kMostFound = 1000;  // characters

}  // namespace

ReportTab::ReportTab(std::vector<std::filesystem::path> paths, Loader loader, KeptViews keptViews, QWidget* parent)
    : QWidget(parent),
      session_(new Session(std::move(paths), std::move(loader), this)),
      timeline_(new views::Timeline(session_->view())),
      failure_(new FailurePage),
      bar_(new LoadBar(this)),
      banner_(new views::LossBanner(this)),
      note_(new views::NoteLine(this)),
      keeper_(new ViewKeeper(*session_, std::move(keptViews), this)),
      pages_(new QStackedLayout) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(banner_);
  column->addWidget(note_);
  column->addLayout(pages_, 1);
  pages_->addWidget(timeline_);
  pages_->addWidget(failure_);
  setFocusProxy(timeline_->canvas());
  timeline_->setDetailsSource(
      [this](trace::EventRef event) { return session_->fields(event).value_or(std::vector<report::Field>{}); });
  connect(session_, &Session::phaseChanged, this, &ReportTab::showPhase);
  connect(session_, &Session::progressed, bar_, &LoadBar::setProgress);
  connect(bar_, &LoadBar::cancelled, session_, &Session::cancel);
  connect(banner_, &views::LossBanner::detailsWanted, this, &ReportTab::diagnosticsWanted);
  keeper_->keepAlso({"layout", 1,
                     [this] {
                       // What nobody chose is for the window to say.
                       return QJsonObject{{"headers", timeline_->isHeaderWidthChosen() ? timeline_->headerWidth() : 0}};
                     },
                     [this](const QJsonObject& layout) {
                       const int width = layout["headers"].toInt();
                       const int usual = timeline_->headers()->sizeHint().width();  // was kept unchosen once
                       if (width > 0 && width != usual) timeline_->setHeaderWidth(std::min(width, kWidestHeaders));
                     }});
  if (session_->isTogether()) keepAlignment();
  connect(timeline_, &views::Timeline::headerWidthChosen, keeper_, &ViewKeeper::noteChange);
  connect(timeline_->canvas(), &views::TimelineCanvas::findWanted, this, [this](const QString& name) {
    // In quotes no word is a term, and all stand together. Of a name longer than a query may be, its begin is enough.
    const QString part = name.left(kMostFound);
    views::Search::of(session_->view()).look(part.contains('"') ? part : '"' + part + '"', false);
  });
  connect(keeper_, &ViewKeeper::said, note_, &views::NoteLine::say);
  connect(&views::Remarks::of(session_->view()), &views::Remarks::said, this, &ReportTab::showRemark);
  connect(failure_, &FailurePage::retried, session_, &Session::load);
  connect(failure_, &FailurePage::dismissed, this, &ReportTab::dismissed);
  session_->load();
}

ReportTab::~ReportTab() {
  delete keeper_;  // these refer to the session's view state
  delete timeline_;
}

void ReportTab::keepAlignment() {
  keeper_->keepAlso({"alignment", 1,
                     [this] {
                       QJsonObject moved;
                       for (const auto& [report, offset] : session_->movedByHand())
                         moved[QString::fromStdString(report)] = qint64{offset};
                       return QJsonObject{{"moved", moved}};
                     },
                     [this](const QJsonObject& alignment) {
                       std::map<std::string, trace::Ns> offsets;
                       const QJsonObject moved = alignment["moved"].toObject();
                       for (auto it = moved.begin(); it != moved.end(); ++it)
                         offsets[it.key().toStdString()] = it->toInteger();
                       session_->moveByHand(std::move(offsets));
                     }});
  connect(session_, &Session::placed, keeper_, &ViewKeeper::noteChange);
}

void ReportTab::say(const Error& error) { note_->say(QString::fromStdString(sentence(error))); }

void ReportTab::setOrigin(std::shared_ptr<const remote::Fetched> fetched) {
  origin_ = std::move(fetched);
  if (!origin_->remark.empty()) note_->say(tr("%1: %2").arg(shownPath(), QString::fromStdString(origin_->remark)));
}

QString ReportTab::shownPath() const {
  if (origin_) return QString::fromStdString(origin_->address);
  QStringList paths;
  for (const auto& path : session_->paths()) paths += QString::fromStdString(path.string());
  return paths.join('\n');
}

QString ReportTab::title() const {
  const QString name = session_->fileName();
  const auto target = origin_ ? remote::parseSshTarget(origin_->address) : tl::unexpected(Error{});
  return target ? tr("%1 on %2").arg(name, QString::fromStdString(target->place())) : name;
}

void ReportTab::showRemark(const QString& sentence) {
  if (!sentence.isEmpty()) note_->say(sentence);
  else if (note_->text() == remark_) note_->hide();
  remark_ = sentence;
}

void ReportTab::sayWhatIsLeftOut() {
  const std::vector<Error>& leftOut = session_->leftOut();
  if (leftOut.empty()) return;
  QStringList why;
  for (const Error& each : leftOut) why += QString::fromStdString(sentence(each));
  note_->say(tr("%1 of %2 reports could not be read. %3")
                 .arg(leftOut.size())
                 .arg(session_->paths().size())
                 .arg(why.join(QStringLiteral(" · "))));
}

void ReportTab::showPhase() {
  const Session::Phase phase = session_->phase();
  if (phase == Session::Phase::kLoading) {
    bar_->start();
  } else {
    bar_->stop();
  }
  if (phase == Session::Phase::kFailed) {
    Error error = session_->error();
    if (!session_->isTogether() && (error.subject == session_->path() || error.subject == session_->file()))
      error.subject = shownPath().toStdString();
    failure_->setError(error);
  }
  if (phase == Session::Phase::kReady) {
    banner_->setTrace(*session_->view().trace());
    sayWhatIsLeftOut();
  } else {
    banner_->hide();
  }
  pages_->setCurrentWidget(phase == Session::Phase::kFailed ? static_cast<QWidget*>(failure_) : timeline_);
}

}  // namespace lanescope::ui
