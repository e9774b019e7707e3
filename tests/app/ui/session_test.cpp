// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/session.h"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/app/ui/event_loop.h"
#include "tests/app/ui/fake_loader.h"

namespace lanescope::ui {
namespace {

using test::BlockingLoader;
using test::runUntil;
using test::traceOf;
using Phase = Session::Phase;

TEST(Session, IsReadyWithTheTraceThatTheLoaderGave) {
  const auto trace = traceOf({5, 50}, true);
  Session session("a.rep", test::loaderOf(trace));
  EXPECT_EQ(session.phase(), Phase::kLoading);
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() != Phase::kLoading; }));
  EXPECT_EQ(session.phase(), Phase::kReady);
  EXPECT_EQ(session.view().trace(), trace);
}

TEST(Session, ShowsSnapshotsBeforeTheLoadIsDone) {
  const auto early = traceOf({0, 10}, false), whole = traceOf({0, 20}, true);
  auto released = std::make_shared<std::latch>(1);
  Session session("a.rep",
                  [=](const auto&, const auto&, const report::Publish& publish, const Job&) -> Result<trace::TracePtr> {
                    publish(early);
                    released->wait();
                    return whole;
                  });
  session.load();
  EXPECT_TRUE(runUntil([&] { return session.view().trace() == early; }));
  EXPECT_EQ(session.phase(), Phase::kLoading);
  released->count_down();
  EXPECT_TRUE(runUntil([&] { return session.phase() == Phase::kReady; }));
  EXPECT_EQ(session.view().trace(), whole);
}

TEST(Session, DropsWhatAnEarlierLoadStillSends) {
  const auto stale = traceOf({0, 10}, true), fresh = traceOf({0, 20}, true);
  auto calls = std::make_shared<std::atomic<int>>(0);
  Session session("a.rep",
                  [=](const auto&, const auto&, const report::Publish& publish, const Job&) -> Result<trace::TracePtr> {
                    const auto& mine = calls->fetch_add(1) == 0 ? stale : fresh;
                    publish(mine);
                    return mine;
                  });
  session.load();
  session.load();  // waits for the first one, whose results are in the event queue now
  std::vector<trace::TracePtr> shown;
  QObject::connect(&session.view(), &views::ViewState::traceChanged, &session,
                   [&] { shown.push_back(session.view().trace()); });
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kReady; }));
  QCoreApplication::processEvents();
  EXPECT_EQ(session.view().trace(), fresh);
  EXPECT_EQ(std::ranges::count(shown, stale), 0);
}

TEST(Session, ReportsProgressAndStopsWhenItIsCancelled) {
  const BlockingLoader loader;
  Session session("a.rep", loader);
  std::vector<std::pair<double, QString>> progress;
  QObject::connect(&session, &Session::progressed, &session,
                   [&](double fraction, const QString& step) { progress.emplace_back(fraction, step); });
  session.load();
  ASSERT_TRUE(runUntil([&] { return !progress.empty(); }));
  EXPECT_EQ(progress.front(), std::pair(0.5, QString("kernels")));
  session.cancel();
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kFailed; }));
  EXPECT_EQ(session.error().code, ErrorCode::kCancelled);
}

TEST(Session, EndsWhileItsLoaderIsAtWorkAndWhatIsSentAfterwardsGoesNowhere) {
  const BlockingLoader loader;
  {
    Session session("a.rep", loader);
    session.load();
    loader.entered->wait(false);
  }
  QCoreApplication::processEvents();
}

TEST(Session, SaysWhyTheFileCouldNotBeRead) {
  Session session("gone.rep", [](const auto& path, auto&&...) -> Result<trace::TracePtr> {
    return tl::unexpected(Error{ErrorCode::kNotFound, path.string(), {}});
  });
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kFailed; }));
  EXPECT_EQ(session.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(session.error().subject, "gone.rep");
}

}  // namespace
}  // namespace lanescope::ui
