// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/compare_bar.h"

#include <QMenu>
#include <QToolButton>

#include "model/format.h"
#include "views/chip.h"
#include "views/elided.h"
#include "views/flow_layout.h"
#include "views/text.h"
#include "views/timeline/legend.h"

namespace lanescope::views {
namespace {

constexpr int kLeastText = 240;

/// Asks for a little room and takes what is left.
class ShortLabel : public ElidedLabel {
 public:
  using ElidedLabel::ElidedLabel;
  QSize sizeHint() const override { return {kLeastText, ElidedLabel::sizeHint().height()}; }
};

}  // namespace

QString qualityText(const compare::Alignment& alignment) {
  const std::size_t can = alignment.ofA + alignment.ofB, matched = alignment.matchedA + alignment.matchedB;
  if (can == 0) return CompareBar::tr("nothing in them that could be matched");
  const QString share = toQt(formatShare(static_cast<trace::Ns>(matched), static_cast<trace::Ns>(can)));
  constexpr std::size_t kFew = 5;  // one of so many
  if (matched * kFew < can)
    return CompareBar::tr("only %1 of the events have a twin: the two hardly do the same").arg(share);
  return CompareBar::tr("%1 of the events have a twin, of GPU work %2 apart")
      .arg(share, toQt(formatDuration(alignment.residual, 3)));
}

CompareBar::CompareBar(QWidget* parent)
    : QFrame(parent),
      linked_(toggleChip(tr("Linked"), tr("Zoom, time, selection and rows of one go along with the other"), this)),
      align_(new QToolButton(this)),
      alignMenu_(new QMenu(align_)),
      beside_(toggleChip(tr("Side by side"), tr("B right of A, else below it"), this)),
      differing_(toggleChip(tr("Only rows that differ"),
                            tr("Hides rows in which no event is slower, faster or without a twin"), this)),
      text_(new ShortLabel(this)) {
  setObjectName("filterBar");  // looks like it
  align_->setText(tr("Align"));
  align_->setToolTip(tr("What stands above what"));
  align_->setMenu(alignMenu_);
  align_->setPopupMode(QToolButton::InstantPopup);
  align_->setFocusPolicy(Qt::TabFocus);
  align_->setObjectName("recent");  // room for the arrow
  text_->setObjectName("alignmentText");
  text_->setProperty("tone", "dim");
  auto* legend = new Legend(this);
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(8, 3, 8, 3);
  layout->setSpacing(6);
  for (QWidget* each : std::initializer_list<QWidget*>{together(this, {linked_, align_}),
                                                       together(this, {beside_, differing_}), text_, legend})
    layout->addWidget(each);
  layout->setExpanding(text_);
  setLinked(true);
  setBeside(false);
  connect(linked_, &QToolButton::clicked, this, &CompareBar::linkedWanted);
  connect(beside_, &QToolButton::clicked, this, &CompareBar::besideWanted);
  connect(differing_, &QToolButton::clicked, this, &CompareBar::onlyDifferingWanted);
}

void CompareBar::setLinked(bool linked) { linked_->setChecked(linked); }

void CompareBar::setBeside(bool beside) { beside_->setChecked(beside); }

void CompareBar::setOnlyDiffering(bool only) { differing_->setChecked(only); }

void CompareBar::setMatched(const Matched* matched, const QString& message) {
  differing_->setEnabled(matched);
  text_->setText(matched ? qualityText(matched->alignment) + QStringLiteral(" · ") + toQt(matched->alignment.method)
                         : message);
}

QString CompareBar::text() const { return text_->text(); }

}  // namespace lanescope::views
