// SPDX-License-Identifier: GPL-3.0-or-later
// Runs work away from the GUI thread where only the newest answer counts: starting another asks the running one to
// stop, and only the last one asked for runs next. Never blocks but in its destructor, which waits for the work to look
// at its job. Answers arrive on the GUI thread, or not at all. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <functional>
#include <memory>
#include <thread>

#include "model/job.h"

namespace lanescope::views {

class LatestJob : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~LatestJob() override = default;  // thread_ is stopped and joined first

  /// `work(job)` runs on another thread and must own all it reads; `done(result)` on this one, unless something else
  /// was started or cancel() called meanwhile.
  template <class Work, class Done>
  void start(Work work, Done done) {
    using Answer = decltype(work(std::declval<const Job&>()));
    startRun([work = std::move(work), done = std::move(done)](const Job& job) -> std::function<void()> {
      return [done, answer = std::make_shared<Answer>(work(job))] { done(std::move(*answer)); };
    });
  }
  void cancel();
  bool running() const { return thread_.joinable(); }

 private:
  using Deliver = std::function<void()>;
  using Run = std::function<Deliver(const Job&)>;
  void startRun(Run run);
  void launch(Run run);
  void finished(const Deliver& deliver);

  std::jthread thread_;
  Run next_;
  bool wanted_ = false;  // the running one's answer
};

}  // namespace lanescope::views
