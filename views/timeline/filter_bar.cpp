// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/filter_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include "model/format.h"
#include "views/flow_layout.h"
#include "views/restyle.h"
#include "views/text.h"
#include "views/timeline/filtering.h"

namespace lanescope::views {
namespace {

constexpr int kLeastField = 230, kMostField = 320, kMostCount = 420;
constexpr qsizetype kLongestChip = 40;
constexpr char kChip[] = "filterChip";

/// Words of the find for the kinds people ask for.
struct Kind {
  const char* label;
  const char* word;
};
constexpr Kind kKinds[] = {
    {QT_TRANSLATE_NOOP("FilterBar", "Kernels"), "kind:kernel"},
    {QT_TRANSLATE_NOOP("FilterBar", "Copies"), "kind:copy"},
    {QT_TRANSLATE_NOOP("FilterBar", "Memsets"), "kind:memset"},
    {QT_TRANSLATE_NOOP("FilterBar", "CUDA API"), "kind:api"},
    {QT_TRANSLATE_NOOP("FilterBar", "NVTX"), "kind:nvtx"},
    {QT_TRANSLATE_NOOP("FilterBar", "OS runtime"), "kind:osrt"},
    {QT_TRANSLATE_NOOP("FilterBar", "Synchronization"), "kind:sync"},
};

QToolButton* button(const QString& text, const QString& tip, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setText(text);
  made->setToolTip(tip);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

QString chipText(const analysis::Condition& condition) {
  QString label = toQt(condition.label, 200);
  if (label.size() > kLongestChip) label = label.left(kLongestChip - 1) + u'…';
  label.replace('&', "&&");
  return (condition.hide ? FilterBar::tr("Hidden: %1") : FilterBar::tr("Only: %1")).arg(label) + QStringLiteral("  ×");
}

QString terms() {
  return FilterBar::tr(
      "<p style='white-space:pre'>Enter adds a condition; an event is shown if it meets all of them.</p>"
      "<table cellspacing='2'>"
      "<tr><td><b>sgemm</b></td><td>a part of the name; a capital letter makes case count</td></tr>"
      "<tr><td><b>dur&gt;</b>10us&nbsp; dur&lt;=1ms&nbsp;&nbsp;</td><td>shortest, longest</td></tr>"
      "<tr><td><b>kind:</b>kernel,copy&nbsp;&nbsp;</td><td>kinds of events</td></tr>"
      "<tr><td><b>stream:</b>14&nbsp; <b>gpu:</b>0&nbsp; <b>thread:</b>worker&nbsp; <b>pid:</b>123&nbsp;&nbsp;</td>"
      "<td>where it ran, who called</td></tr>"
      "</table>");
}

}  // namespace

FilterBar::FilterBar(Filtering& filtering, QWidget* parent)
    : QFrame(parent),
      filtering_(filtering),
      line_(new FlowLayout(this)),
      field_(new QLineEdit(this)),
      regex_(button(QStringLiteral(".*"), tr("The text is a regular expression (RE2)"), this)),
      kind_(new QComboBox(this)),
      only_(button(tr("Show only"), tr("What you add is shown, and everything else is hidden"), this)),
      hide_(button(tr("Hide"), tr("What you add is hidden, and everything else stays"), this)),
      dim_(button(tr("Dim"),
                  tr("The timeline shows events that the filter leaves out dimmed, instead of not at all.\nWhat is "
                     "counted, found and stepped through is the same."),
                  this)),
      all_(button(tr("Count all"),
                  tr("Rows, Selection, Events and Calls count events that the filter leaves out, too.\nStatistics and "
                     "Analysis always do."),
                  this)),
      clear_(button(tr("Clear all"), tr("Remove the filter"), this)),
      close_(button(QStringLiteral("×"), tr("Hide this line"), this)),
      count_(new QLabel(this)) {
  setObjectName("filterBar");
  setAccessibleName(tr("Filter"));
  field_->setObjectName("filterField");
  field_->setPlaceholderText(tr("Name, dur>10us, kind:…"));
  field_->setAccessibleName(tr("Add a condition"));
  field_->setMinimumWidth(kLeastField);
  field_->setMaximumWidth(kMostField);
  for (QWidget* each : std::initializer_list<QWidget*>{only_, hide_, field_, regex_, kind_, dim_, all_, clear_, close_})
    each->installEventFilter(this);
  regex_->setAccessibleName(tr("Regular expression"));
  kind_->addItem(tr("Kind"));
  for (const Kind& kind : kKinds) kind_->addItem(tr(kind.label), QString(kind.word));
  kind_->setAccessibleName(tr("Kind of event"));
  for (QToolButton* each : {only_, hide_, regex_, dim_, all_}) each->setCheckable(true);
  for (QToolButton* each : {only_, hide_, dim_, all_, clear_}) each->setProperty("chip", true);
  auto* either = new QButtonGroup(this);  // one of them is checked
  either->addButton(only_);
  either->addButton(hide_);
  only_->setChecked(true);
  hide_->setObjectName("hideAdded");
  clear_->setObjectName("clearFilter");
  all_->setObjectName("countAll");
  dim_->setObjectName("dimRest");
  count_->setProperty("tone", "dim");
  count_->setAccessibleName(tr("Events shown"));

  line_->setContentsMargins(12, 4, 8, 4);
  line_->setSpacing(4);
  for (QWidget* each : std::initializer_list<QWidget*>{only_, hide_, field_, regex_, kind_}) line_->addWidget(each);
  count_->setMaximumWidth(kMostCount);
  count_->setContentsMargins(4, 0, 4, 0);
  line_->addWidget(count_);
  line_->addWidget(together(this, {dim_, all_, clear_, close_}));

  connect(field_, &QLineEdit::textChanged, this, &FilterBar::check);
  connect(regex_, &QToolButton::toggled, this, &FilterBar::check);
  connect(kind_, &QComboBox::activated, this, [this](int index) {
    if (const QString word = kind_->itemData(index).toString(); !word.isEmpty())
      addAndLeave(analysis::Condition::words(word.toStdString(), false, hide_->isChecked()).value());
    kind_->setCurrentIndex(0);
  });
  connect(all_, &QToolButton::toggled, this, [this](bool all) { filtering_.view().setCountsAll(all); });
  connect(dim_, &QToolButton::toggled, this, [this](bool dim) { filtering_.view().setDimsRest(dim); });
  connect(&filtering_.view(), &ViewState::dimsRestChanged, this, &FilterBar::showFilter);
  connect(clear_, &QToolButton::clicked, &filtering_, &Filtering::clear);
  connect(close_, &QToolButton::clicked, this, [this] {
    wanted_ = false;
    showFilter();
    emit left();
  });
  connect(&filtering_, &Filtering::changed, this, &FilterBar::showFilter);
  check();
  showFilter();
}

void FilterBar::focus() {
  wanted_ = true;
  showFilter();
  field_->setFocus(Qt::ShortcutFocusReason);
  field_->selectAll();
}

void FilterBar::check() {
  mistake_.clear();
  const std::string text = field_->text().toStdString();
  if (!field_->text().trimmed().isEmpty())
    if (const auto condition = analysis::Condition::words(text, regex_->isChecked()); !condition)
      mistake_ = QString::fromStdString(condition.error().why);
  const bool wrong = !mistake_.isEmpty();
  field_->setToolTip(wrong ? mistake_.toHtmlEscaped() : terms());
  field_->setAccessibleDescription(mistake_);
  restyle(*field_, "wrong", wrong);
  count_->setText(countText());
}

void FilterBar::add() {
  auto condition = analysis::Condition::words(field_->text().toStdString(), regex_->isChecked(), hide_->isChecked());
  if (!condition) return;  // check() has said why
  field_->clear();
  addAndLeave(*std::move(condition));
}

void FilterBar::addAndLeave(analysis::Condition condition) {
  filtering_.add(std::move(condition));
  wanted_ = false;  // it goes with the filter
  emit left();
}

QString FilterBar::countText() const {
  if (!mistake_.isEmpty()) return mistake_;
  if (filtering_.filter().empty()) return {};
  const analysis::PassingPtr& passing = filtering_.view().passing();
  if (filtering_.running() || !passing) return QStringLiteral("…");
  return tr("%1 of %2 events").arg(numberText(passing->events()), numberText(passing->trace()->eventCount()));
}

void FilterBar::showFilter() {
  const bool filtered = !filtering_.filter().empty();
  setVisible(filtered || wanted_);
  showChips();
  clear_->setEnabled(filtered);
  dim_->setEnabled(filtered);
  all_->setEnabled(filtered);
  close_->setVisible(!filtered);
  const QSignalBlocker silence(all_), silenceToo(dim_);
  dim_->setChecked(filtering_.view().dimsRest());
  all_->setChecked(filtering_.view().countsAll());
  count_->setText(countText());
}

void FilterBar::showChips() {
  const analysis::Filter& filter = filtering_.filter();
  int focused = -1;
  for (int i = 0; i < chips_.size(); ++i)
    if (chips_[i]->hasFocus()) focused = i;
  while (chips_.size() > static_cast<qsizetype>(filter.size())) {
    QToolButton* chip = chips_.takeLast();
    line_->removeWidget(chip);
    chip->hide();
    chip->deleteLater();  // it may be the one that was clicked
  }
  while (chips_.size() < static_cast<qsizetype>(filter.size())) {
    const auto index = static_cast<int>(chips_.size());
    QToolButton* chip = button({}, {}, this);
    chip->setProperty("chip", true);
    chip->setObjectName(kChip);
    chip->installEventFilter(this);
    connect(chip, &QToolButton::clicked, this, [this, index] { filtering_.remove(static_cast<std::size_t>(index)); });
    line_->insertWidget(line_->count() - 2, chip);
    chip->show();
    setTabOrder(index == 0 ? static_cast<QWidget*>(kind_) : chips_.back(), chip);
    chips_ += chip;
  }
  for (int i = 0; i < chips_.size(); ++i) {
    QToolButton* chip = chips_[i];
    const analysis::Condition& condition = filter[static_cast<std::size_t>(i)];
    chip->setText(chipText(condition));
    const QString whole = toQt(condition.label, 2000).toHtmlEscaped();
    chip->setToolTip(
        (condition.hide ? tr("<qt>Hidden: %1.<br>Click to remove</qt>") : tr("<qt>Only: %1.<br>Click to remove</qt>"))
            .arg(whole));
    chip->setAccessibleName(tr("Condition %1, removes itself").arg(chip->text()));
  }
  if (focused >= chips_.size()) {
    if (!chips_.empty()) chips_.back()->setFocus();
    else emit left();
  }
}

bool FilterBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Escape) {
    wanted_ = false;
    field_->clear();
    showFilter();
    emit left();
    return true;
  }
  if (watched == field_) {
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return false;
    add();
    return true;
  }
  if (watched->objectName() != kChip || (key->key() != Qt::Key_Delete && key->key() != Qt::Key_Backspace)) return false;
  static_cast<QToolButton*>(watched)->click();
  return true;
}

}  // namespace lanescope::views
