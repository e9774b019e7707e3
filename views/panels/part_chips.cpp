// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/part_chips.h"
#include "views/chip.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace lanescope::views {

PartChips::PartChips(QWidget* parent) : QWidget(parent) {
  const QString texts[] = {tr("Visible"), tr("Selection"), tr("Whole report")};
  const QString tips[] = {tr("Events that touch the visible range, whole"),
                          tr("Events that touch the selection, whole"), tr("Every event of the report")};
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins({});
  layout->setSpacing(4);
  for (std::size_t i = 0; i < buttons_.size(); ++i) {
    buttons_[i] = toggleChip(texts[i], tips[i], this);
    buttons_[i]->setChecked(i == 0);
    layout->addWidget(buttons_[i]);
    connect(buttons_[i], &QToolButton::clicked, this, [this, i] { choose(static_cast<Part>(i)); });
  }
}

void PartChips::choose(Part part) {
  part_ = part;
  for (std::size_t i = 0; i < buttons_.size(); ++i) buttons_[i]->setChecked(i == static_cast<std::size_t>(part));
  emit changed();
}

void PartChips::follow(ViewState* view) {
  disconnect(visible_);
  disconnect(selection_);
  if (!view) return;
  visible_ = connect(view, &ViewState::visibleChanged, this, [this] {
    if (part_ == Part::kVisible) emit changed();
  });
  selection_ = connect(view, &ViewState::selectionChanged, this, [this] {
    if (part_ == Part::kSelection) emit changed();
  });
}

std::optional<trace::TimeRange> PartChips::time(const ViewState& view) const {
  if (part_ == Part::kVisible) return view.visibleRecorded();
  return part_ == Part::kSelection ? view.selection() : std::nullopt;
}

QString PartChips::emptyText() const { return tr("Nothing is selected. Drag over the timeline to select a range"); }

}  // namespace lanescope::views
