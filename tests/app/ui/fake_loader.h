// SPDX-License-Identifier: GPL-3.0-or-later
// A loader that does what a test tells it, step by step. Shared between the test and the loading thread.
#pragma once

#include <atomic>
#include <latch>
#include <memory>

#include "app/ui/session.h"

namespace lanescope::test {

inline trace::TracePtr traceOf(trace::TimeRange range, bool complete) {
  auto made = std::make_shared<trace::Trace>();
  made->names = std::make_shared<trace::NameTable>();
  made->range = range;
  made->complete = complete;
  return made;
}

/// Publishes nothing, gives this trace.
inline ui::Loader loaderOf(trace::TracePtr trace) {
  return [trace](auto&&...) -> Result<trace::TracePtr> { return trace; };
}

/// Reports half of the work, then blocks until released or cancelled.
struct BlockingLoader {
  std::shared_ptr<std::atomic<bool>> entered = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<std::latch> released = std::make_shared<std::latch>(1);
  trace::TracePtr trace = traceOf({0, 100}, true);

  Result<trace::TracePtr> operator()(const std::filesystem::path& path, const report::LoadOptions&,
                                     const report::Publish&, const Job& job) const {
    job.progress(0.5, "kernels");
    *entered = true;
    entered->notify_all();
    while (!released->try_wait()) {
      if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
      std::this_thread::yield();
    }
    return trace;
  }
};

}  // namespace lanescope::test
