// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dialogs/go_to_time.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "model/analysis/time_filter.h"
#include "model/format.h"
#include "views/dialogs/marked_field.h"
#include "views/text.h"

namespace lanescope::views {

namespace {

/// "1.5s/2s", "+3ms" from where the recording begins, "2s" alone: a range, empty for an instant.
Result<trace::TimeRange> parsePlace(std::string_view text, trace::TimeRange recorded) {
  const bool isRange = text.find('/') != std::string_view::npos;
  const auto filter = analysis::parseTimeFilter(isRange ? std::string(text) : std::string(text) + '/');
  if (!filter) return tl::unexpected(filter.error());
  const auto found = analysis::resolve(*filter, recorded, recorded, std::string(text));
  if (!found) return found;
  if (!isRange) return trace::TimeRange{found->begin, found->begin};
  return trace::TimeRange{std::max(found->begin, recorded.begin), std::min(found->end, recorded.end)};
}

}  // namespace

GoToTime::GoToTime(trace::TimeRange recorded, std::function<void(trace::TimeRange)> chosen, QWidget* parent)
    : QDialog(parent),
      recorded_(recorded),
      chosen_(std::move(chosen)),
      field_(new MarkedField(tr("Time or range"), tr("12.5ms, or from/to: 1.5s/2s"), this)) {
  constexpr int kWidth = 420;
  setWindowTitle(tr("Go to time"));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(kWidth);
  auto* lines = new QVBoxLayout(this);
  lines->setContentsMargins(16, 16, 16, 16);
  lines->setSpacing(12);
  field_->setHint(tr("Recorded: %1 to %2. With + before it, counted from the beginning")
                      .arg(toQt(formatExact(recorded.begin)), toQt(formatExact(recorded.end))));
  lines->addWidget(field_);
  auto* buttons = new QDialogButtonBox(this);
  buttons->addButton(tr("Go"), QDialogButtonBox::AcceptRole)->setDefault(true);
  buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
  lines->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::accepted, this, &GoToTime::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(field_, &MarkedField::edited, this, [this] { field_->setComplaint({}); });
  field_->edit().setFocus();
}

void GoToTime::accept() {
  const auto place = parsePlace(field_->text(), recorded_);
  if (!place) return field_->setComplaint(toQt(place.error().detail));
  chosen_(*place);
  QDialog::accept();
}

}  // namespace lanescope::views
