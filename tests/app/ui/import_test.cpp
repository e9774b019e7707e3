// SPDX-License-Identifier: GPL-3.0-or-later
// Other tools' files in the viewer: shown as soon as they are read, and then asked like any report.
#include <gmock/gmock.h>

#include "app/ui/report_tabs.h"
#include "app/ui/session.h"
#include "tests/app/ui/event_loop.h"
#include "tests/support/files.h"

namespace lanescope::ui {
namespace {

using test::runUntil;
using testing::Contains;
using Phase = Session::Phase;

class ImportInViewer : public testing::Test {
 protected:
  ImportInViewer() {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    test::writeFile(file_, R"({"schemaVersion": 1, "traceEvents": [
      {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": 10, "dur": 2,
       "args": {"correlation": 5}},
      {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 5,
       "args": {"device": 0, "context": 1, "stream": 7, "correlation": 5, "est. achieved occupancy %": 44}}
    ]})");
  }
  ~ImportInViewer() override { unsetenv("XDG_CACHE_HOME"); }

  static std::optional<trace::EventRef> find(const trace::Trace& trace, std::string_view name) {
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size(); ++i)
        if ((*trace.names)[trace.lanes[lane]->name(i)].text == name) return trace::EventRef{lane, i};
    return std::nullopt;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "trace.json";
};

TEST_F(ImportInViewer, ItsTraceIsShownBeforeItsReportIsMadeAndStaysTheSame) {
  Session session(file_);
  std::vector<trace::TracePtr> shown;
  QObject::connect(&session.view(), &views::ViewState::traceChanged, &session, [&] {
    shown.push_back(session.view().trace());
    if (session.phase() == Phase::kLoading && !session.view().trace()->complete) {
      EXPECT_TRUE(session.isImporting());
      EXPECT_TRUE(session.path().empty());
    }
  });
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() != Phase::kLoading; }));
  ASSERT_EQ(session.phase(), Phase::kReady) << sentence(session.error());
  ASSERT_GE(shown.size(), 2U);
  EXPECT_FALSE(shown.front()->complete);
  const auto early = find(*shown.front(), "gemm"), late = find(*shown.back(), "gemm");
  ASSERT_TRUE(early && late);
  EXPECT_EQ(*early, *late);
  EXPECT_FALSE(session.isImporting());
  EXPECT_EQ(session.path().filename(), "trace.json.rep");
  EXPECT_EQ(session.file(), file_);
  EXPECT_EQ(session.fileName(), "trace.json");
}

TEST_F(ImportInViewer, ItsDetailsAndArgumentsAreThere) {
  Session session(file_);
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kReady; }));
  const trace::Trace& trace = *session.view().trace();
  const auto kernel = find(trace, "gemm");
  ASSERT_TRUE(kernel);
  const auto details = session.detailsSource()->of(trace, *kernel, nullptr, Job());
  ASSERT_TRUE(details) << sentence(details.error());
  std::vector<std::pair<std::string, std::string>> arguments;
  for (const report::Field& field : details->fields) {
    if (field.group == report::FieldGroup::kArguments) arguments.emplace_back(field.label, field.value);
    EXPECT_NE(field.label, "Grid") << "which the file does not tell";
  }
  EXPECT_THAT(arguments, Contains(std::pair<std::string, std::string>("est. achieved occupancy %", "44")));
  EXPECT_TRUE(session.fields(*kernel));
}

TEST_F(ImportInViewer, AGapOfTheGpuHasNoArgumentsOfAnEventOfTheFile) {
  test::writeFile(file_, R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 5,
     "args": {"device": 0, "context": 1, "stream": 7, "est. achieved occupancy %": 44}},
    {"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 500, "dur": 5,
     "args": {"device": 0, "context": 1, "stream": 7, "est. achieved occupancy %": 55}}
  ]})");
  Session session(file_);
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kReady; }));
  const trace::Trace& trace = *session.view().trace();
  std::size_t gaps = 0;
  for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane) {
    if (trace.laneInfo[lane].kind != trace::EventKind::kIdle) continue;
    ++gaps;
    const auto details = session.detailsSource()->of(trace, {lane, 0}, nullptr, Job());
    ASSERT_TRUE(details) << sentence(details.error());
    for (const report::Field& field : details->fields) EXPECT_NE(field.group, report::FieldGroup::kArguments);
  }
  EXPECT_GT(gaps, 0u);
}

TEST_F(ImportInViewer, TheSecondTimeItsReportIsLoaded) {
  std::vector<std::filesystem::path> loaded;
  const Loader loader = [&loaded](const auto& path, const auto& options, const auto& publish, const Job& job) {
    loaded.push_back(path);
    return loadForViewer(path, options, publish, job);
  };
  for (int i = 0; i < 2; ++i) {
    Session session(file_, loader);
    session.load();
    ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kReady; }));
  }
  ASSERT_EQ(loaded.size(), 1U);
  EXPECT_EQ(loaded.front().filename(), "trace.json.rep");
}

TEST_F(ImportInViewer, WhatIsNoTraceIsNamedAsTheUserDid) {
  test::writeFile(file_, "{\"a\": 1}");
  Session session(file_);
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() == Phase::kFailed; }));
  EXPECT_EQ(session.error().subject, file_.string());
}

TEST_F(ImportInViewer, SeveralStandOnOneTimeline) {
  const auto other = folder_.path() / "other.json";
  std::filesystem::copy(file_, other);
  Session session(std::vector{file_, other});
  session.load();
  ASSERT_TRUE(runUntil([&] { return session.phase() != Phase::kLoading; }));
  ASSERT_EQ(session.phase(), Phase::kReady) << sentence(session.error());
  EXPECT_EQ(session.oneTimeline()->joined->parts.size(), 2U);
  EXPECT_EQ(session.oneTimeline()->joined->parts[0].title, "other.json");
  EXPECT_EQ(session.path().filename(), "other.json.rep");
  EXPECT_EQ(session.file(), other);
}

TEST_F(ImportInViewer, TheDialogOffersItsEnding) {
  for (const char* pattern : {"*.rep", "*.json", "*.nvvp", "*.rpd"})
    EXPECT_TRUE(ReportTabs::fileFilter().contains(pattern)) << pattern;
}

}  // namespace
}  // namespace lanescope::ui
