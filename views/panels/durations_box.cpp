// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/durations_box.h"

#include <QLabel>
#include <QVBoxLayout>
#include <utility>

#include "model/format.h"
#include "views/elided.h"
#include "views/plots/histogram.h"
#include "views/theme.h"

namespace lanescope::views {
namespace {

constexpr int kLeastWidth = 200;
constexpr int kLongestName = 200;  // characters

}  // namespace

DurationsBox::DurationsBox(QWidget* parent)
    : QWidget(parent), title_(new ElidedLabel(this)), text_(new ElidedLabel(this)), histogram_(new Histogram(this)) {
  histogram_->setAccessibleName(tr("Histogram of durations"));
  for (QLabel* label : {title_, text_}) {
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label->setProperty("tone", "dim");
  }
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 4, 8, 8);
  layout->setSpacing(4);
  layout->addWidget(title_);
  layout->addWidget(text_);
  layout->addWidget(histogram_, 1);
  layout->addStretch(0);
  setMinimumWidth(kLeastWidth);
  connect(histogram_, &Histogram::said, this, &DurationsBox::say);
}

void DurationsBox::setDurations(const QString& name, std::size_t count, Bins bins, QColor colour) {
  title_->setFont(Theme::font(0, true));
  const QString events = QString::fromStdString(formatCount(count));
  title_->setText((bins.logarithmic ? tr("Durations of %1 (%2), logarithmic axis") : tr("Durations of %1 (%2)"))
                      .arg(name.left(kLongestName), events));
  histogram_->setVisible(!bins.empty());
  histogram_->setBins(std::move(bins), colour);
}

void DurationsBox::say(const QString& ofBars) {
  text_->setText(histogram_->bins().empty() ? tr("No events in the selection")
                 : ofBars.isEmpty()         ? tr("Click a bar to step through its events")
                                            : ofBars);
}

}  // namespace lanescope::views
