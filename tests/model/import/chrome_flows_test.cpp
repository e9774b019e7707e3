// SPDX-License-Identifier: Apache-2.0
// Arrows: which ends belong together, and on which event each stands.
#include "tests/model/import/chrome_text.h"

namespace lanescope::imported {
namespace {

TEST(ChromeFlows, IdsAbove2To53AreNotOne_IMP04) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"c","name":"a","pid":1,"tid":1,"ts":"1682666453031165.466","dur":1},
    {"ph":"X","cat":"c","name":"b","pid":1,"tid":1,"ts":"1682666453031170.466","dur":1},
    {"ph":"X","cat":"c","name":"A","pid":1,"tid":2,"ts":"1682666453031180.466","dur":1},
    {"ph":"X","cat":"c","name":"B","pid":1,"tid":2,"ts":"1682666453031190.466","dur":1},
    {"ph":"s","cat":"c","name":"f","id":9007199254740992,"pid":1,"tid":1,"ts":"1682666453031165.466"},
    {"ph":"s","cat":"c","name":"f","id":9007199254740993,"pid":1,"tid":1,"ts":"1682666453031170.466"},
    {"ph":"f","bp":"e","cat":"c","name":"f","id":9007199254740993,"pid":1,"tid":2,"ts":"1682666453031190.466"},
    {"ph":"f","bp":"e","cat":"c","name":"f","id":9007199254740992,"pid":1,"tid":2,"ts":"1682666453031180.466"})j");
  EXPECT_EQ(linksOf(recording), (Lines{"a -> A", "b -> B"}));
}

constexpr std::string_view kOneLaunch = R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":4242,"tid":1,"ts":1,"dur":2},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":2},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":1,"pid":4242,"tid":1,"ts":1},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":1,"pid":0,"tid":7,"ts":5})j";

TEST(ChromeFlows, AnArrowFromACallToItsWorkTiesThem_IMP25) {
  const Recording recording = readEntries(kOneLaunch);
  EXPECT_EQ(launchesOf(recording), (Lines{"cudaLaunchKernel = k"}));
  EXPECT_TRUE(recording.links.empty());
  EXPECT_TRUE(recording.issues.empty());
}

TEST(ChromeFlows, OfSeveralCallsTheLaunchComesFirst_IMP28) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaEventRecord","pid":1,"tid":1,"ts":5,"dur":1},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":6,"dur":1},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":20,"dur":1},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":9,"pid":1,"tid":1,"ts":5},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":9,"pid":1,"tid":1,"ts":6},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":9,"pid":0,"tid":7,"ts":20})j");
  EXPECT_EQ(launchesOf(recording), (Lines{"cudaLaunchKernel = k"}));
  EXPECT_EQ(linksOf(recording), (Lines{"cudaEventRecord -> k"}));
}

TEST(ChromeFlows, TheLastMomentOfAnEventIsInsideIt_IMP29) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"c","name":"outer","pid":1,"tid":1,"ts":326461000,"dur":1000},
    {"ph":"X","cat":"c","name":"inner","pid":1,"tid":1,"ts":326461495.395,"dur":0.122},
    {"ph":"X","cat":"c","name":"to","pid":1,"tid":2,"ts":326461600,"dur":1},
    {"ph":"s","cat":"c","name":"f","id":1,"pid":1,"tid":1,"ts":326461495.517},
    {"ph":"f","bp":"e","cat":"c","name":"f","id":1,"pid":1,"tid":2,"ts":326461600})j");
  EXPECT_EQ(linksOf(recording), (Lines{"inner -> to"}));
}

TEST(ChromeFlows, CallsThatTellTheirNumberNeedNoArrow) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":3}},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":1,"args":{"correlation":3}},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":3,"pid":1,"tid":1,"ts":1},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":3,"pid":0,"tid":7,"ts":5},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":3,"pid":0,"tid":9,"ts":9})j");
  EXPECT_EQ(launchesOf(recording), (Lines{"cudaLaunchKernel = k"}));
  EXPECT_TRUE(recording.links.empty());
  EXPECT_TRUE(recording.issues.empty());
}

TEST(ChromeFlows, ANumberThatOneSideTellsIsTheOthersToo) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":3}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaMemcpyAsync","pid":1,"tid":1,"ts":3,"dur":1},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":1},
    {"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":7,"dur":1,"args":{"correlation":8}},
    {"ph":"s","cat":"x","name":"y","id":"one","pid":1,"tid":1,"ts":1},
    {"ph":"f","bp":"e","cat":"x","name":"y","id":"one","pid":0,"tid":7,"ts":5},
    {"ph":"s","cat":"x","name":"y","id":"two","pid":1,"tid":1,"ts":3},
    {"ph":"f","bp":"e","cat":"x","name":"y","id":"two","pid":0,"tid":7,"ts":7})j");
  EXPECT_EQ(launchesOf(recording), (Lines{"cudaLaunchKernel = k", "cudaMemcpyAsync = [CUDA memcpy Host-to-Device]"}));
  EXPECT_TRUE(recording.links.empty());
}

TEST(ChromeFlows, StepsLeadOnAndBeginningsCanBranch) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"c","name":"a","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"c","name":"b","pid":1,"tid":2,"ts":3,"dur":1},
    {"ph":"X","cat":"c","name":"c","pid":1,"tid":3,"ts":5,"dur":1},
    {"ph":"X","cat":"c","name":"d","pid":1,"tid":4,"ts":6,"dur":1},
    {"ph":"s","cat":"c","name":"f","id":1,"pid":1,"tid":1,"ts":1.5},
    {"ph":"t","cat":"c","name":"f","id":1,"pid":1,"tid":2,"ts":3},
    {"ph":"f","cat":"c","name":"f","id":1,"pid":1,"tid":3,"ts":4},
    {"ph":"f","bp":"e","cat":"c","name":"f","id":1,"pid":1,"tid":4,"ts":6})j");
  EXPECT_EQ(linksOf(recording), (Lines{"a -> b", "b -> c", "b -> d"}));
  EXPECT_TRUE(recording.issues.empty());
}

TEST(ChromeFlows, NoArrowEndsAtASample) {
  EXPECT_EQ(linksOf(readEntries(R"j(
    {"ph":"X","name":"ask","pid":1,"tid":1,"ts":1,"dur":5},
    {"ph":"i","cat":"cpu_sample","name":"CPU sample","pid":1,"tid":1,"ts":3},
    {"ph":"i","cat":"python_sample","name":"Python sample","pid":1,"tid":1,"ts":3},
    {"ph":"i","cat":"python_sample","name":"Python sample","pid":1,"tid":2,"ts":19},
    {"ph":"X","name":"answer","pid":1,"tid":2,"ts":20,"dur":5},
    {"ph":"s","id":1,"name":"f","pid":1,"tid":1,"ts":3},
    {"ph":"f","id":1,"name":"f","pid":1,"tid":2,"ts":18.5})j")),
            Lines{"ask -> answer"});
}

TEST(ChromeFlows, IdsAreReusedAndOfTheirCategory) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"c","name":"a","pid":1,"tid":1,"ts":1,"dur":1}, {"ph":"X","cat":"c","name":"b","pid":1,"tid":2,"ts":2,"dur":1},
    {"ph":"X","cat":"c","name":"A","pid":1,"tid":1,"ts":5,"dur":1}, {"ph":"X","cat":"c","name":"B","pid":1,"tid":2,"ts":7,"dur":1},
    {"ph":"s","cat":"c","name":"f","id":1,"pid":1,"tid":1,"ts":1}, {"ph":"f","bp":"e","cat":"c","name":"f","id":1,"pid":1,"tid":2,"ts":2},
    {"ph":"s","cat":"c","name":"f","id":1,"pid":1,"tid":1,"ts":5}, {"ph":"f","bp":"e","cat":"c","name":"f","id":1,"pid":1,"tid":2,"ts":7},
    {"ph":"s","cat":"d","name":"f","id":1,"pid":1,"tid":1,"ts":5})j");
  EXPECT_EQ(linksOf(recording), (Lines{"a -> b", "A -> B"}));
  EXPECT_EQ(issueCount(recording.issues, "import-arrow-without-end"), 1U);
}

TEST(ChromeFlows, WhatLeadsNowhereIsCounted) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"cudaFree","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":2}},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":2,"pid":1,"tid":1,"ts":1},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":7,"pid":1,"tid":1,"ts":1},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":8,"pid":1,"tid":1,"ts":1},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":9,"pid":0,"tid":7,"ts":1},
    {"ph":"s","cat":"x","name":"x","id":1,"pid":5,"tid":1,"ts":1},
    {"ph":"f","cat":"x","name":"x","id":1,"pid":5,"tid":2,"ts":1})j");
  EXPECT_EQ(issueCount(recording.issues, "import-arrow-without-end"), 2U);
  EXPECT_EQ(issueCount(recording.issues, "import-arrow-without-begin"), 1U);  // not that of a call that starts nothing
  EXPECT_EQ(issueCount(recording.issues, "import-arrow-without-event"), 3U);
  EXPECT_TRUE(recording.links.empty());
}

TEST(ChromeFlows, ACallThatStartsNoWorkLosesNoArrow) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cuda_runtime","name":"hipMalloc","pid":1,"tid":1,"ts":1,"dur":2,"args":{"correlation":7}},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":7,"pid":1,"tid":1,"ts":1})j");
  EXPECT_EQ(issueCount(recording.issues, "import-arrow-without-end"), 0U);
}

TEST(ChromeFlows, TheQueueTimeCountsFromTheLaunch) {
  const auto trace = toTrace(readEntries(kOneLaunch), {}, {});
  ASSERT_TRUE(trace);
  std::size_t partners = 0;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane)
    if ((*trace)->laneInfo[lane].kind == trace::EventKind::kKernel)
      for (const trace::EventId id : (*trace)->partners({lane, 0})) {
        ++partners;
        EXPECT_EQ((*trace)->time((*trace)->ref(id)).end, 3000);
      }
  EXPECT_EQ(partners, 1U);
}

}  // namespace
}  // namespace lanescope::imported
