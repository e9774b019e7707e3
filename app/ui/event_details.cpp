// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/event_details.h"

namespace lanescope::ui {

Result<EventDetails> DetailsSource::of(const trace::Trace& trace, trace::EventRef event, const Job& job) {
  if (!file_) file_ = report::Details::open(path_);
  report::Details* const file = *file_ ? &**file_ : nullptr;
  if (!file) return tl::unexpected(file_->error());
  EventDetails details;
  details.fields = file->of(trace, event, job);
  if (!job.cancelled()) details.stack = file->callStack(trace, event, job);
  if (!job.cancelled()) details.ncuCommand = file->ncuCommand(trace, event, job);
  return details;
}

}  // namespace lanescope::ui
