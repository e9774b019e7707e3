// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/remarks.h"

namespace lanescope::views {

Remarks& Remarks::of(ViewState& view) {
  auto* remarks = view.findChild<Remarks*>(QString(), Qt::FindDirectChildrenOnly);
  return remarks ? *remarks : *new Remarks(view);
}

Remarks::Remarks(ViewState& view) : QObject(&view) {
  connect(&view, &ViewState::currentChanged, this, [this] {
    if (!text_.isEmpty()) say({});
  });
}

void Remarks::say(const QString& sentence) {
  text_ = sentence;
  emit said(text_);
}

}  // namespace lanescope::views
