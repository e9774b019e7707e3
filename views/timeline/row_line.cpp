// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/row_line.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>

#include "views/elided.h"
#include "views/text.h"
#include "views/timeline/arrange.h"

namespace lanescope::views {
namespace {

constexpr std::size_t kMostListed = 40;   // hidden rows
constexpr std::size_t kLongestLabel = 120;  // bytes, in their list

std::string pathOf(const trace::Trace& trace, std::uint32_t row) {
  const std::string above = pathAbove(trace, row, kLongestLabel);
  return above + (above.empty() ? "" : " › ") + trace.rows[row].label.substr(0, kLongestLabel);
}

}  // namespace

RowLine::RowLine(ViewState& state, QWidget* parent)
    : QWidget(parent),
      state_(state),
      field_(new QLineEdit(this)),
      said_(new ElidedLabel(this)),
      hidden_(new QPushButton(this)),
      show_(new QPushButton(tr("Show all"), this)) {
  field_->setObjectName("rowField");
  field_->setPlaceholderText(tr("Find a row by its name"));
  field_->setAccessibleName(tr("Find a row by its name"));
  field_->setMaximumWidth(320);
  field_->installEventFilter(this);
  field_->hide();
  said_->setProperty("tone", "dim");
  hidden_->setObjectName("hiddenRows");
  hidden_->setFlat(true);
  hidden_->setToolTip(tr("Lists the hidden rows; a click on one shows it again"));
  hidden_->setMenu(new QMenu(hidden_));
  connect(hidden_->menu(), &QMenu::aboutToShow, this, [this] { listHidden(*hidden_->menu()); });
  show_->setObjectName("showRows");
  show_->setFlat(true);
  show_->setAccessibleName(tr("Show the hidden rows"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 2, 8, 2);
  row->addWidget(field_, 1);
  row->addWidget(said_);
  row->addWidget(hidden_);
  row->addWidget(show_);
  row->addStretch(1);
  connect(field_, &QLineEdit::textChanged, this, &RowLine::search);
  connect(show_, &QPushButton::clicked, this, [this] { showHiddenRows(state_); });
  connect(&state_, &ViewState::rowsChanged, this, &RowLine::refresh);
  connect(&state_, &ViewState::traceChanged, this, [this] {
    found_.clear();  // rows are numbered anew
    refresh();
  });
  refresh();
}

void RowLine::find() {
  field_->show();
  refresh();
  field_->setFocus();
  field_->selectAll();
}

QString RowLine::said() const { return said_->text(); }

void RowLine::search() {
  found_ = rowsNamed(state_, field_->text());
  at_ = 0;
  step(0);
}

void RowLine::step(int steps) {
  if (found_.empty() && steps != 0) found_ = rowsNamed(state_, field_->text());
  if (!found_.empty()) {
    const auto count = static_cast<std::ptrdiff_t>(found_.size());
    at_ = static_cast<std::size_t>((static_cast<std::ptrdiff_t>(at_) + steps + count) % count);
    const std::uint32_t row = found_[at_];
    uncoverRow(state_, row);
    state_.setCurrentRow(row);
    state_.revealRow(row);
  }
  refresh();
}

void RowLine::close() {
  field_->hide();
  refresh();
  emit left();
}

void RowLine::refresh() {
  const bool finding = !field_->isHidden();
  QString text;
  if (finding && !found_.empty()) text = tr("%1 of %2").arg(numberText(at_ + 1), numberText(found_.size()));
  else if (finding && !field_->text().isEmpty()) text = tr("No row has that in its name");
  said_->setText(text);
  said_->setVisible(finding);
  const std::size_t hidden = hiddenRows(state_).size();
  hidden_->setText(hidden == 1 ? tr("1 row hidden") : tr("%1 rows hidden").arg(numberText(hidden)));
  hidden_->setVisible(hidden > 0);
  show_->setVisible(hidden > 0);
  setVisible(finding || hidden > 0);
}

void RowLine::listHidden(QMenu& menu) {
  menu.clear();
  const std::vector<std::uint32_t> hidden = hiddenRows(state_);
  for (std::size_t i = 0; i < std::min(hidden.size(), kMostListed); ++i) {
    const QString path = toQt(pathOf(*state_.trace(), hidden[i])).replace('&', "&&");
    menu.addAction(path, this, [this, row = hidden[i]] {
      uncoverRow(state_, row);
      state_.setCurrentRow(row);
      state_.revealRow(row);
    });
  }
  if (hidden.size() > kMostListed)
    menu.addAction(tr("and %1 more").arg(numberText(hidden.size() - kMostListed)))->setEnabled(false);
}

bool RowLine::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
    case Qt::Key_Escape:
      close();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
      return true;
    case Qt::Key_Down:
      step(1);
      return true;
    case Qt::Key_Up:
      step(-1);
      return true;
    default:
      return QWidget::eventFilter(watched, event);
  }
}

}  // namespace lanescope::views
