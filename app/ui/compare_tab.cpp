// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/compare_tab.h"

#include <QApplication>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/ui/compare_menu.h"
#include "views/compare/compare_bar.h"
#include "views/compare/twin_fields.h"
#include "views/elided.h"
#include "views/restyle.h"
#include "views/timeline/remarks.h"
#include "views/timeline/timeline.h"

namespace lanescope::ui {
namespace {

constexpr int kTallEnough = 260;  // logical pixels of a report: lower, its rows need the room of the overview

}  // namespace

using views::kA;
using views::kB;
using views::Side;

CompareTab::CompareTab(const views::PerSide<ReportTab*>& sides, QWidget* parent)
    : QWidget(parent),
      sides_(sides),
      links_(new views::LinkedViews(sides[kA]->view(), sides[kB]->view(), this)),
      timelines_(new views::LinkedTimelines(*links_, {&sides[kA]->timeline(), &sides[kB]->timeline()}, this)),
      bar_(new views::CompareBar(this)),
      splitter_(new QSplitter(Qt::Vertical, this)),
      job_(new views::LatestJob(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addWidget(splitter_, 1);
  splitter_->setChildrenCollapsible(false);
  splitter_->setHandleWidth(3);
  for (const Side side : {kA, kB}) {
    ReportTab* tab = sides_[side];
    splitter_->addWidget(withHead(side));
    splitter_->setStretchFactor(side, 1);
    tab->installEventFilter(this);
    tab->timeline().setLegendShown(false);  // it stands in the bar
    tab->view().setColourBy(views::Colouring::By::kChange);
    tab->timeline().setDetailsSource([this, side, tab](trace::EventRef event) {
      std::vector<report::Field> fields = views::twinFields(*links_, side, event);
      auto more = tab->session().fields(event).value_or(std::vector<report::Field>{});
      fields.insert(fields.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
      return fields;
    });
    connect(&tab->session(), &Session::phaseChanged, this, &CompareTab::matchAgain);
    connect(tab, &ReportTab::dismissed, this, &CompareTab::dismissed);
  }
  connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, const QWidget* now) {
    for (const Side side : {kA, kB})
      if (now && sides_[side]->isAncestorOf(now)) setFocused(side);
  });
  connect(links_, &views::LinkedViews::stepped, this, [this](Side side) { sides_[side]->setFocus(); });
  connect(links_, &views::LinkedViews::linkedChanged, this, [this] { bar_->setLinked(links_->linked()); });
  connect(bar_, &views::CompareBar::linkedWanted, links_, &views::LinkedViews::setLinked);
  connect(bar_, &views::CompareBar::onlyDifferingWanted, this, [this](bool only) {
    links_->setOnlyDiffering(only);
    bar_->setOnlyDiffering(links_->onlyDiffering());
  });
  connect(bar_, &views::CompareBar::besideWanted, this, [this](bool beside) {
    setBeside(beside);
    emit besideChosen(beside);
  });
  addAlignments(bar_->alignMenu(), *this, [this](compare::AlignRequest request) { align(std::move(request)); });
  showHeads();
  setFocusProxy(sides_[focused_]);
  matchAgain();
}

CompareTab::~CompareTab() {
  disconnect(qApp, nullptr, this, nullptr);  // the sides, which it asks about, go before the connection
  delete timelines_;
  delete links_;  // it refers to the views of both
}

bool CompareTab::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize)
    for (ReportTab* tab : sides_)
      if (tab == watched) tab->timeline().setOverviewShown(tab->height() >= kTallEnough);
  return QWidget::eventFilter(watched, event);
}

/// "A  run.rep", above its timeline.
QWidget* CompareTab::withHead(Side side) {
  auto* all = new QWidget(this);
  auto* head = new QFrame(all);
  head->setObjectName("filterBar");
  badges_[side] = new QLabel(side == kA ? tr("A") : tr("B"), head);
  badges_[side]->setProperty("side", true);
  auto* name = new views::ElidedLabel(sides_[side]->shownPath(), head);
  name->setProperty("tone", "dim");
  auto* line = new QHBoxLayout(head);
  line->setContentsMargins(8, 2, 8, 2);
  line->setSpacing(8);
  line->addWidget(badges_[side]);
  line->addWidget(name, 1);
  auto* column = new QVBoxLayout(all);
  column->setContentsMargins({});
  column->setSpacing(0);
  column->addWidget(head);
  column->addWidget(sides_[side], 1);
  return all;
}

QString CompareTab::title() const {
  const QString a = sides_[kA]->title(), b = sides_[kB]->title();
  const auto withFolder = [](const ReportTab& tab) { return tab.shownPath().section('/', -2, -2) + '/' + tab.title(); };
  return a == b ? tr("%1 ↔ %2").arg(withFolder(*sides_[kA]), withFolder(*sides_[kB])) : tr("%1 ↔ %2").arg(a, b);
}

void CompareTab::setFocused(Side side) {
  if (side == focused_) return;
  focused_ = side;
  setFocusProxy(sides_[side]);
  showHeads();
  emit focusMoved();
}

void CompareTab::focusOther() { sides_[otherThan(focused_)]->setFocus(Qt::ShortcutFocusReason); }

void CompareTab::showHeads() {
  for (const Side side : {kA, kB}) views::restyle(*badges_[side], "current", side == focused_ ? "yes" : "no");
}

bool CompareTab::isBeside() const { return splitter_->orientation() == Qt::Horizontal; }

void CompareTab::setBeside(bool beside) {
  splitter_->setOrientation(beside ? Qt::Horizontal : Qt::Vertical);
  splitter_->setSizes({1, 1});  // both alike
  bar_->setBeside(beside);
}

// --- alignment -----------------------------------------------------------------------------------------------------

void CompareTab::say(const QString& sentence) { views::Remarks::of(focused()->view()).say(sentence); }

void CompareTab::align(compare::AlignRequest request) {
  if (request.by == compare::AlignBy::kEvent) {
    request.a = sides_[kA]->view().current();
    request.b = sides_[kB]->view().current();
    if (!request.a || !request.b)
      return say(tr("Click an event in each of the two first; unlinked, any two can be chosen"));
  }
  request_ = std::move(request);
  matchAgain();
}

void CompareTab::matchAgain() {
  for (const Side side : {kA, kB}) {
    const Session::Phase phase = sides_[side]->session().phase();
    if (phase == Session::Phase::kReady) continue;
    job_->cancel();
    const QString name = side == kA ? tr("A") : tr("B");
    bar_->setMatched(
        nullptr, phase == Session::Phase::kFailed ? tr("%1 could not be read").arg(name) : tr("Loading %1…").arg(name));
    return;
  }
  const views::PerSide<trace::TracePtr> traces{sides_[kA]->view().trace(), sides_[kB]->view().trace()};
  bar_->setMatched(nullptr, tr("Aligning…"));
  job_->start([traces, request = request_,
               before = links_->matched()](const Job& job) { return views::match(traces, request, before, job); },
              [this](std::optional<views::Matched> matched) {
                if (!matched) return;
                links_->setMatched(std::make_shared<const views::Matched>(std::move(*matched)));
                bar_->setMatched(links_->matched().get());
                bar_->setOnlyDiffering(links_->onlyDiffering());
              });
}

}  // namespace lanescope::ui
