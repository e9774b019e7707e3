// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/interruptible.h"

namespace lanescope::launch {

Job interruptible(const Job& job, const std::function<int()>& asked, const std::function<void()>& answerFirst) {
  std::stop_source stop;
  const int before = asked();
  return Job(stop.get_token(), [=, answered = false](double fraction, std::string_view step) mutable {
    const int more = asked() - before;
    if (more > 0 && !answered) answerFirst();
    answered |= more > 0;
    if (more > 1) stop.request_stop();
    job.progress(fraction, step);
  });
}

}  // namespace lanescope::launch
