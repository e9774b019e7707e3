// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/remarks.h"

#include "views/timeline/marks.h"

namespace lanescope::views {

Remarks& Remarks::of(ViewState& view) {
  auto* remarks = view.findChild<Remarks*>(QString(), Qt::FindDirectChildrenOnly);
  return remarks ? *remarks : *new Remarks(view);
}

Remarks::Remarks(ViewState& view) : QObject(&view) {
  for (const auto acted :
       {&ViewState::currentChanged, &ViewState::visibleChanged, &ViewState::selectionChanged,
        &ViewState::currentRowChanged, &ViewState::selectedRowsChanged, &ViewState::chosenNameChanged,
        &ViewState::hitsChanged, &ViewState::passingChanged, &ViewState::measureChanged, &ViewState::rowsChanged})
    connect(&view, acted, this, [this] {
      if (!text_.isEmpty()) say({});
    });
  connect(&view.marks(), &Marks::changed, this, [this] {
    if (!text_.isEmpty()) say({});
  });
}

void Remarks::say(const QString& sentence) {
  text_ = sentence;
  emit said(text_);
}

}  // namespace lanescope::views
