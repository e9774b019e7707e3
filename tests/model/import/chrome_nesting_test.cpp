// SPDX-License-Identifier: Apache-2.0
// Ranges: whole ones, beginnings and ends, asynchronous ones, instants.
#include "tests/model/import/chrome_text.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;

/// "name depth", in the order of lanes and time.
Lines depths(Recording recording) {
  const auto trace = toTrace(std::move(recording), {}, {});
  EXPECT_TRUE(trace);
  Lines lines;
  for (std::size_t lane = 0; trace && lane < (*trace)->lanes.size(); ++lane)
    for (std::uint32_t i = 0; i < (*trace)->lanes[lane]->size(); ++i)
      lines.push_back(std::string((*(*trace)->names)[(*trace)->lanes[lane]->name(i)].text) + " " +
                      std::to_string((*trace)->laneInfo[lane].depth));
  return lines;
}

TEST(ChromeRanges, EndsAndBeginningsAloneDoNotShiftTheOthers_IMP10) {
  const Recording recording = readEntries(R"j(
    {"ph":"E","pid":1,"tid":1,"ts":1},
    {"ph":"B","name":"X","pid":1,"tid":1,"ts":2},
    {"ph":"B","name":"Y","pid":1,"tid":1,"ts":4},
    {"ph":"E","pid":1,"tid":1,"ts":6},
    {"ph":"X","name":"last","pid":1,"tid":2,"ts":9,"dur":1})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range X 2000… on 1/1/Slices", "NVTX range Y 4000+2000 on 1/1/Slices",
                                    "NVTX range last 9000+1000 on 1/2/Slices"}));
  EXPECT_EQ(issueCount(recording.issues, "import-end-without-begin"), 1U);
  const auto issue = std::ranges::find(recording.issues, "import-end-without-begin", &trace::Issue::kind);
  EXPECT_NE(issue->text.find("the first is entry 0"), std::string::npos) << issue->text;
}

TEST(ChromeRanges, OfEqualStartsTheLongerIsTheParent_IMP11) {
  EXPECT_EQ(depths(readEntries(R"j(
    {"ph":"X","name":"FIRST","pid":1,"tid":1,"ts":0,"dur":10},
    {"ph":"X","name":"SECOND","pid":1,"tid":1,"ts":0,"dur":20})j")),
            (Lines{"SECOND 0", "FIRST 1"}));
  EXPECT_EQ(depths(readEntries(R"j(
    {"ph":"X","name":"FIRST","pid":1,"tid":1,"ts":0,"dur":20},
    {"ph":"X","name":"SECOND","pid":1,"tid":1,"ts":0,"dur":20})j")),
            (Lines{"FIRST 0", "SECOND 1"}));
}

TEST(ChromeRanges, PartialOverlapsKeepTheirNumbers_IMP13) {
  Recording recording = readEntries(R"j(
    {"ph":"X","name":"outer","pid":1,"tid":1,"ts":0,"dur":1000},
    {"ph":"X","name":"op","pid":1,"tid":1,"ts":900,"dur":200})j");
  EXPECT_EQ(told(recording),
            (Lines{"NVTX range outer 0+1000000 on 1/1/Slices", "NVTX range op 900000+200000 on 1/1/Slices"}));
  const auto trace = toTrace(std::move(recording), {}, {});
  ASSERT_TRUE(trace);
  EXPECT_EQ((*trace)->lanes.size(), 2U);
  EXPECT_EQ(issueCount((*trace)->issues, "partial-overlap"), 1U);
}

TEST(ChromeRanges, FilesNeedNotBeInOrder) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"B","name":"B","pid":0,"tid":0,"ts":1}, {"ph":"E","name":"B","pid":0,"tid":0,"ts":9},
    {"ph":"B","name":"A","pid":0,"tid":0,"ts":0}, {"ph":"E","name":"A","pid":0,"tid":0,"ts":10},
    {"ph":"B","name":"C","pid":0,"tid":0,"ts":2}, {"ph":"E","name":"C","pid":0,"tid":0,"ts":8})j")),
            (Lines{"NVTX range B 1000+8000 on 0/0/Slices", "NVTX range A 0+10000 on 0/0/Slices",
                   "NVTX range C 2000+6000 on 0/0/Slices"}));
}

TEST(ChromeRanges, AnEndOfAnotherNameClosesAndIsCounted) {
  const Recording recording = readEntries(R"j(
    {"ph":"B","name":"alpha","pid":0,"tid":0,"ts":0}, {"ph":"E","name":"beta","pid":0,"tid":0,"ts":10})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range alpha 0+10000 on 0/0/Slices"}));
  EXPECT_EQ(issueCount(recording.issues, "import-other-name-at-end"), 1U);
}

TEST(ChromeRanges, AnEndThatIsWrittenBeforeItsBeginningOfTheSameTimeClosesThatOne) {
  const Recording recording = readEntries(R"j(
    {"ph":"B","name":"A","pid":0,"tid":0,"ts":0}, {"ph":"E","name":"C","pid":0,"tid":0,"ts":2},
    {"ph":"B","name":"C","pid":0,"tid":0,"ts":2}, {"ph":"E","name":"A","pid":0,"tid":0,"ts":10})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range A 0+10000 on 0/0/Slices", "NVTX range C 2000+0 on 0/0/Slices"}));
  EXPECT_TRUE(recording.issues.empty());
}

TEST(ChromeRanges, EachKindOfAThreadHasItsRow) {
  EXPECT_EQ(
      told(readEntries(R"j(
    {"ph":"X","cat":"python_function","name":"a.py(1): f","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"Operator","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"Operator","name":"ProfilerStep#3","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"user_annotation","name":"mine","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"whatever","name":"w","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"X","cat":"overhead","name":"Buffer","pid":-1,"tid":0,"ts":1,"dur":1},
    {"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":1,"dur":1})j")),
      (Lines{"NVTX range a.py(1): f 1000+1000 on 1/1/Python", "NVTX range aten::add 1000+1000 on 1/1/PyTorch",
             "NVTX range ProfilerStep#3 1000+1000 on 1/1/Annotations", "NVTX range mine 1000+1000 on 1/1/Annotations",
             "NVTX range w 1000+1000 on 1/1/PyTorch", "overhead Buffer 1000+1000 on 1/0",
             "NVTX range PyTorch Profiler (0) 1000+1000 on Spans/PyTorch Profiler/PyTorch"}));
}

TEST(ChromeRanges, AsynchronousOnesNestByIdentityAndName) {
  const Recording recording = readEntries(R"j(
    {"ph":"b","cat":"net","name":"request","id":"0x1","pid":1,"tid":1,"ts":1},
    {"ph":"b","cat":"net","name":"read","id":"0x1","pid":1,"tid":1,"ts":2},
    {"ph":"b","cat":"net","name":"read","id":"0x2","pid":1,"tid":1,"ts":3},
    {"ph":"n","cat":"net","name":"byte","id":"0x1","pid":1,"tid":1,"ts":3},
    {"ph":"e","cat":"net","name":"read","id":"0x1","pid":1,"tid":2,"ts":4},
    {"ph":"e","cat":"net","name":"request","id":"0x1","pid":1,"tid":1,"ts":5},
    {"ph":"e","cat":"net","name":"request","id":"0x1","pid":1,"tid":1,"ts":6},
    {"ph":"e","cat":"disk","name":"read","id":"0x2","pid":1,"tid":1,"ts":7})j");
  EXPECT_EQ(told(recording),
            (Lines{"NVTX start/end range request 1000+4000 on 1/net", "NVTX start/end range read 2000+2000 on 1/net",
                   "NVTX start/end range read 3000… on 1/net", "NVTX mark byte 3000+0 on 1/1/Slices"}));
  EXPECT_EQ(issueCount(recording.issues, "import-async-end-without-begin"), 2U);
}

TEST(ChromeRanges, AnAsynchronousEndWithoutANameClosesTheInnermost) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"b","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":1},
    {"ph":"b","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":2},
    {"ph":"b","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":3},
    {"ph":"e","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":4},
    {"ph":"e","cat":"c","id":1,"pid":1,"tid":1,"ts":5},
    {"ph":"e","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":6})j")),
            (Lines{"NVTX start/end range x 1000+3000 on 1/c", "NVTX start/end range y 2000+4000 on 1/c",
                   "NVTX start/end range y 3000+2000 on 1/c"}));
}

TEST(ChromeRanges, LocalIdentitiesAreOfTheirProcess) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"b","cat":"c","name":"x","id2":{"local":"0x1"},"pid":1,"tid":1,"ts":1},
    {"ph":"b","cat":"c","name":"x","id2":{"local":"0x1"},"pid":2,"tid":1,"ts":2},
    {"ph":"e","cat":"c","name":"x","id2":{"local":"0x1"},"pid":1,"tid":1,"ts":3},
    {"ph":"e","cat":"c","name":"x","id2":{"local":"0x1"},"pid":2,"tid":1,"ts":5})j")),
            (Lines{"NVTX start/end range x 1000+2000 on 1/c", "NVTX start/end range x 2000+3000 on 2/c"}));
}

TEST(ChromeRanges, TheOlderAsynchronousOnesHaveTheirNameInTheIdentity) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"S","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":1},
    {"ph":"S","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":2},
    {"ph":"T","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":2},
    {"ph":"F","cat":"c","name":"x","id":1,"pid":1,"tid":1,"ts":3},
    {"ph":"F","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":4})j")),
            (Lines{"NVTX start/end range x 1000+2000 on 1/c", "NVTX start/end range y 2000+2000 on 1/c",
                   "NVTX mark x 2000+0 on 1/1/Slices"}));
}

TEST(ChromeRanges, InstantsAreMarks) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"i","name":"a","pid":1,"tid":1,"ts":1,"s":"t"}, {"ph":"I","name":"b","pid":1,"tid":1,"ts":2},
    {"ph":"R","name":"c","pid":1,"tid":1,"ts":3}, {"ph":"i","name":"","pid":1,"tid":1,"ts":4})j")),
            (Lines{"NVTX mark a 1000+0 on 1/1/Slices", "NVTX mark b 2000+0 on 1/1/Slices",
                   "NVTX mark c 3000+0 on 1/1/Slices", "NVTX mark (unnamed) 4000+0 on 1/1/Slices"}));
}

TEST(ChromeRanges, WithoutATimeThereIsNoEvent) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":null,"dur":1}, {"ph":"X","name":"b","pid":1,"tid":1,"ts":-5,"dur":1},
    {"ph":"X","name":"c","pid":1,"tid":1,"ts":10,"dur":1}, {"ph":"B","name":"d","pid":1,"tid":1})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range b -5000+1000 on 1/1/Slices", "NVTX range c 10000+1000 on 1/1/Slices"}));
  EXPECT_EQ(issueCount(recording.issues, "import-no-time"), 2U);
  EXPECT_EQ(recording.written->span, std::pair(trace::Ns{-5000}, trace::Ns{11000}));
}

TEST(ChromeRanges, ADurationThatIsNoneIsCounted) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":"long"}, {"ph":"X","name":"b","pid":1,"tid":1,"ts":1})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range a 1000… on 1/1/Slices", "NVTX range b 1000… on 1/1/Slices"}));
  EXPECT_EQ(issueCount(recording.issues, "import-no-duration"), 1U);
}

TEST(ChromeRanges, NvtxOfLanescopesOwnExportIsNvtx) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"user_annotation","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{"domain":"NCCL"}},
    {"ph":"X","cat":"user_annotation","name":"b","pid":1,"tid":1,"ts":2,"dur":1,"args":{"domain":""}},
    {"ph":"b","cat":"user_annotation","name":"c","id":1,"pid":1,"tid":1,"ts":3,"args":{"domain":"NCCL"}},
    {"ph":"e","cat":"user_annotation","name":"c","id":1,"pid":1,"tid":1,"ts":4})j");
  EXPECT_EQ(told(recording), (Lines{"NVTX range a 1000+1000 on 1/1/NCCL", "NVTX range b 2000+1000 on 1/1/",
                                    "NVTX start/end range c 3000+1000 on 1/NCCL"}));
  for (const Domain& domain : recording.domains) EXPECT_TRUE(domain.isNvtx);
}

TEST(ChromeRanges, OtherKindsOfLanescopesOwnExport) {
  EXPECT_EQ(told(readEntries(R"j(
    {"ph":"X","cat":"osrt","name":"poll","pid":1,"tid":1,"ts":1,"dur":1},
    {"ph":"i","cat":"cpu_sample","name":"CPU sample","pid":1,"tid":1,"ts":2},
    {"ph":"i","cat":"python_sample","name":"Python sample","pid":1,"tid":1,"ts":2.5},
    {"ph":"i","cat":"cpu_page_fault","name":"CPU page fault","pid":1,"tid":1,"ts":3},
    {"ph":"X","cat":"cuda_graph","name":"Graph 3","pid":0,"tid":7,"ts":4,"dur":1,"args":{"device":0,"stream":7}},
    {"ph":"X","cat":"cuda_graph","name":"cudaGraphCreate","pid":1,"tid":1,"ts":5,"dur":1},
    {"ph":"X","cat":"gpu_page_fault","name":"GPU page fault","pid":0,"tid":7,"ts":6,"dur":1,
     "args":{"device":0}})j")),
            (Lines{"OS runtime poll 1000+1000 on 1/1", "CPU sample  2000+0 on 1/1", "Python sample  2500+0 on 1/1",
                   "CPU page fault CPU page fault 3000+0 on 1/1", "graph launch Graph 3 4000+1000 on 1/GPU 0/0/7",
                   "NVTX range cudaGraphCreate 5000+1000 on 1/1/Slices",
                   "GPU page fault GPU page fault 6000+1000 on 1/GPU 0"}));
}

/// As many entries as would take hours if any of them were looked through for each other.
TEST(ChromeRanges, WhatNeverFitsTakesNoLongerThanWhatDoes) {
  std::string entries;
  constexpr int kMany = 20'000;
  const auto add = [&](std::string_view entry) {
    if (!entries.empty()) entries += ',';
    entries += entry;
  };
  for (int i = 0; i < kMany; ++i) {
    add(R"j({"ph":"b","name":"a","id":1,"pid":1,"tid":1,"ts":1})j");
    add(R"j({"ph":"E","name":"a","pid":1,"tid":2,"ts":1})j");
    add(R"j({"ph":"s","name":"a","id":1,"pid":1,"tid":3,"ts":1})j");
  }
  for (int i = 0; i < kMany; ++i) {
    add(R"j({"ph":"e","name":"b","id":1,"pid":1,"tid":1,"ts":1})j");
    add(R"j({"ph":"B","name":"a","pid":1,"tid":2,"ts":1})j");
    add(R"j({"ph":"f","name":"a","id":1,"pid":1,"tid":3,"ts":1})j");
  }
  add(R"j({"ph":"X","name":"a","pid":1,"tid":3,"ts":1,"dur":1})j");
  const Recording recording = readEntries(entries);
  EXPECT_EQ(issueCount(recording.issues, "import-async-end-without-begin"), std::uint64_t{kMany});
  EXPECT_LE(recording.links.size(), std::size_t{16} * kMany);
}

}  // namespace
}  // namespace lanescope::imported
