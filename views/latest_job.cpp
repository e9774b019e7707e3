// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/latest_job.h"

#include <utility>

namespace lanescope::views {

void LatestJob::startRun(Run run) {
  if (!thread_.joinable()) return launch(std::move(run));
  thread_.request_stop();
  wanted_ = false;
  next_ = std::move(run);
}

void LatestJob::cancel() {
  thread_.request_stop();
  wanted_ = false;
  next_ = nullptr;
}

void LatestJob::launch(Run run) {
  wanted_ = true;
  thread_ = std::jthread([run = std::move(run), to = QPointer(this)](std::stop_token stop) {
    Deliver deliver = run(Job(stop));
    // The application lives longer than every job; posting to the job itself would race with its end.
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [to, deliver = std::move(deliver)] {
          if (to) to->finished(deliver);
        },
        Qt::QueuedConnection);
  });
}

void LatestJob::finished(const Deliver& deliver) {
  thread_ = {};
  const bool wanted = std::exchange(wanted_, false);
  if (next_) launch(std::exchange(next_, nullptr));
  if (wanted) deliver();
}

}  // namespace lanescope::views
