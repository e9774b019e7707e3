// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/rows_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/panels/panel_parts.h"
#include "views/tables/figure_table.h"
#include "views/text.h"

namespace lanescope::views {

RowsLine::RowsLine(FigureTable& table, QWidget* parent) : QWidget(parent), table_(table), text_(new QLabel(this)) {
  text_->setTextFormat(Qt::PlainText);
  text_->setProperty("tone", "dim");
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 2, 8, 2);
  layout->setSpacing(4);
  layout->addWidget(text_);
  const auto add = [&](const QString& text, const QString& name, auto place) {
    QPushButton* button = flatButton(text, this);
    button->setAccessibleName(name);
    layout->addWidget(button);
    connect(button, &QPushButton::clicked, this, [this, place] { table_.showFrom(place()); });
    return button;
  };
  first_ = add(tr("First"), tr("First rows"), [] { return std::size_t{0}; });
  previous_ = add(tr("Previous"), tr("Previous rows"), [this] { return table_.firstShown() - 1; });
  next_ = add(tr("Next"), tr("Next rows"), [this] { return table_.firstShown() + table_.shownRows(); });
  last_ = add(tr("Last"), tr("Last rows"), [this] { return table_.content().rows - 1; });
  layout->addStretch();
  connect(&table, &FigureTable::shownChanged, this, &RowsLine::refresh);
  connect(&table, &FigureTable::copiedFirstOf, this, [this](std::size_t selected) {
    refresh();
    text_->setText(text_->text() + tr(" · copied the first %1 of %2 selected rows")
                                       .arg(numberText(FigureTable::kMostCopied), numberText(selected)));
    show();
  });
  table.setWindow(kMost);
}

void RowsLine::refresh() {
  const std::size_t all = table_.content().rows, first = table_.firstShown(), shown = table_.shownRows();
  setVisible(shown < all);
  text_->setText(tr("Rows %1 – %2 of %3").arg(numberText(first + 1), numberText(first + shown), numberText(all)));
  for (QPushButton* button : {first_, previous_}) button->setEnabled(first > 0);
  for (QPushButton* button : {next_, last_}) button->setEnabled(first + shown < all);
}

QString RowsLine::text() const { return isHidden() ? QString() : text_->text(); }

QWidget* withRowsLine(FigureTable* table, QWidget* parent) {
  auto* both = new QWidget(parent);
  auto* layout = new QVBoxLayout(both);
  layout->setContentsMargins({});
  layout->setSpacing(0);
  layout->addWidget(table, 1);
  layout->addWidget(new RowsLine(*table, both));
  return both;
}

}  // namespace lanescope::views
