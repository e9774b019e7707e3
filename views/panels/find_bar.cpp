// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QToolButton>

#include "model/format.h"
#include "views/elided.h"
#include "views/panels/search.h"
#include "views/restyle.h"
#include "views/text.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kLeastField = 140, kMostField = 420;

QString terms() {
  return FindBar::tr(
      "<p style='white-space:pre'>Part of a name, in any case, and terms that every hit satisfies:</p>"
      "<table cellspacing='2'>"
      "<tr><td><b>kind:</b>kernel,copy&nbsp;&nbsp;</td><td>kinds of events</td></tr>"
      "<tr><td><b>dur&gt;</b>10us&nbsp; dur&lt;=1ms&nbsp;&nbsp;</td><td>durations</td></tr>"
      "<tr><td><b>stream:</b>14&nbsp; stream:compute&nbsp; <b>gpu:</b>0&nbsp;&nbsp;</td><td>where it ran</td></tr>"
      "<tr><td><b>thread:</b>worker&nbsp; <b>tid:</b>123&nbsp; <b>pid:</b>123&nbsp;&nbsp;</td><td>who called</td></tr>"
      "<tr><td>\"kind:x\"</td><td>in quotes: a text</td></tr>"
      "</table>"
      "<p style='white-space:pre'><b>Enter</b>, <b>F3</b> next hit · <b>Shift+Enter</b>, <b>Shift+F3</b> previous · "
      "<b>Esc</b> back</p>");
}

}  // namespace

FindBar::FindBar(QWidget* parent)
    : QWidget(parent),
      field_(new QLineEdit(this)),
      regex_(new QToolButton(this)),
      count_(new ElidedLabel(this)),
      previous_(new QToolButton(this)),
      next_(new QToolButton(this)) {
  setObjectName("findBar");
  field_->setObjectName("findField");
  field_->setPlaceholderText(tr("Find  Ctrl+F"));
  field_->setAccessibleName(tr("Find events"));
  field_->setMinimumWidth(kLeastField);
  field_->setMaximumWidth(kMostField);
  field_->installEventFilter(this);
  regex_->setText(QStringLiteral(".*"));
  regex_->setCheckable(true);
  regex_->setToolTip(tr("The text is a regular expression (RE2), in any case"));
  regex_->setAccessibleName(tr("Regular expression"));
  count_->setProperty("tone", "dim");
  count_->setAccessibleName(tr("Hits"));
  previous_->setArrowType(Qt::LeftArrow);
  previous_->setToolTip(tr("Previous hit (Shift+F3)"));
  previous_->setAccessibleName(tr("Previous hit"));
  next_->setArrowType(Qt::RightArrow);
  next_->setToolTip(tr("Next hit (F3)"));
  next_->setAccessibleName(tr("Next hit"));

  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(4);
  layout->addWidget(field_, 1);
  layout->addWidget(regex_);
  layout->addWidget(previous_);
  layout->addWidget(next_);
  layout->addWidget(count_);

  connect(field_, &QLineEdit::textEdited, this, &FindBar::look);
  connect(regex_, &QToolButton::toggled, this, &FindBar::look);
  connect(previous_, &QToolButton::clicked, this, [this] { step(false); });
  connect(next_, &QToolButton::clicked, this, [this] { step(true); });
  connect(&Theme::instance(), &Theme::changed, this, &FindBar::showSearch);
  showSearch();
}

void FindBar::setSearch(Search* search) {
  if (search_) search_->disconnect(this);
  search_ = search;
  if (search) connect(search, &Search::changed, this, &FindBar::showSearch);
  showSearch();
}

void FindBar::focus() {
  field_->setFocus(Qt::ShortcutFocusReason);
  field_->selectAll();
}

void FindBar::look() {
  if (search_) search_->look(field_->text(), regex_->isChecked());
}

void FindBar::step(bool forward) {
  if (search_) search_->step(forward);
}

QString FindBar::countText() const {
  if (!search_) return {};
  if (search_->mistake()) return *search_->mistake();
  if (search_->running()) return QStringLiteral("…");
  if (!search_->view().hits()) return {};
  const std::uint64_t hits = search_->count(), rank = search_->rank();
  const QString among = search_->view().passing() ? tr(", filtered") : QString();
  if (hits == 0) return tr("no hits") + among;
  if (rank != 0) return tr("%1 of %2").arg(numberText(rank), numberText(hits)) + among;
  return (hits == 1 ? tr("1 hit") : tr("%1 hits").arg(numberText(hits))) + among;
}

void FindBar::showSearch() {
  setEnabled(search_);
  const bool wrong = search_ && search_->mistake();
  {
    const QSignalBlocker silence(regex_);
    const QString text = search_ ? search_->text() : QString();
    if (field_->text() != text) field_->setText(text);
    if (search_) regex_->setChecked(search_->isRegex());
  }
  field_->setPlaceholderText(search_ && !search_->name().isEmpty() ? search_->name() : tr("Find  Ctrl+F"));
  field_->setToolTip(wrong ? *search_->mistake() : terms());
  field_->setAccessibleDescription(wrong ? *search_->mistake() : QString());
  restyle(*field_, "wrong", wrong);
  // As wide as most counts are, so that the field does not move while somebody types.
  count_->setMinimumWidth(count_->fontMetrics().horizontalAdvance(QStringLiteral("10 000 of 10 000")));
  count_->setText(countText());
  restyle(*count_, "tone", wrong ? "error" : "dim");
  const bool hits = search_ && (search_->count() != 0 || search_->running());
  previous_->setEnabled(hits);
  next_->setEnabled(hits);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
      step(!(key->modifiers() & Qt::ShiftModifier));
      return true;
    case Qt::Key_Escape:
      emit left();
      return true;
    default:
      return false;
  }
}

}  // namespace lanescope::views
