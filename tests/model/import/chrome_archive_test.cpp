// SPDX-License-Identifier: Apache-2.0
// Several files in one: each is a world of its own.
#include <cstdio>

#include "tests/model/import/chrome_text.h"

namespace lanescope::imported {
namespace {

/// A file as tar writes it: a head of 512 bytes, then the text in blocks of as many.
std::string tarred(std::string_view name, std::string_view text) {
  std::string head(512, '\0');
  const auto put = [&](std::size_t at, std::string_view what) { head.replace(at, what.size(), what); };
  char number[16];
  const auto octal = [&](std::size_t value, int digits) {
    std::snprintf(number, sizeof number, "%0*zo", digits, value);
    return std::string_view(number);
  };
  put(0, name);
  put(100, "0000644");
  put(124, octal(text.size(), 11));
  put(156, "0");
  put(257, std::string_view("ustar\00000", 8));
  put(148, "        ");
  std::size_t sum = 0;
  for (const char c : head) sum += static_cast<unsigned char>(c);
  put(148, octal(sum, 6));
  head[154] = '\0';
  return head + std::string(text) + std::string((512 - text.size() % 512) % 512, '\0');
}

std::string ofRank(int rank, std::string_view name) {
  return R"j({"schemaVersion":1,"distributedInfo":{"rank":)j" + std::to_string(rank) + R"j(},"traceEvents":[
    {"ph":"M","name":"process_name","pid":4242,"tid":0,"args":{"name":")j" +
         std::string(name) + R"j("}},
    {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":4242,"tid":1,"ts":1,"dur":2},
    {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":5,"dur":2},
    {"ph":"s","cat":"ac2g","name":"ac2g","id":1,"pid":4242,"tid":1,"ts":1},
    {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":1,"pid":0,"tid":7,"ts":5}]})j";
}

TEST(ChromeArchive, TwoRanksShareNothingThoughAllTheirIdsAreEqual_IMP25) {
  Recording recording = readText(tarred("rank0.json", ofRank(0, "first")) + tarred("rank1.json", ofRank(1, "")) +
                                 std::string(1024, '\0'));
  ASSERT_EQ(recording.processes.size(), 2U);
  EXPECT_EQ(recording.processes[0].name, "first");
  EXPECT_EQ(recording.processes[1].name, "");
  EXPECT_EQ(recording.processes[0].rank, "0");
  EXPECT_EQ(recording.processes[1].rank, "1");
  EXPECT_EQ(recording.gpus.size(), 2U);
  EXPECT_EQ(recording.streams.size(), 2U);
  EXPECT_EQ(launchesOf(recording), (Lines{"cudaLaunchKernel = k", "cudaLaunchKernel = k"}));
  EXPECT_EQ(recording.written->entries, 10U);

  const auto trace = toTrace(std::move(recording), {}, {});
  ASSERT_TRUE(trace);
  std::size_t arrows = 0;
  for (trace::LaneId lane = 0; lane < (*trace)->lanes.size(); ++lane)
    if ((*trace)->laneInfo[lane].kind == trace::EventKind::kKernel) {
      EXPECT_EQ((*trace)->lanes[lane]->size(), 1U);
      for (const trace::EventId launch : (*trace)->partners({lane, 0})) {
        ++arrows;
        EXPECT_EQ((*trace)->info((*trace)->ref(launch)).process, (*trace)->laneInfo[lane].process);
      }
    }
  EXPECT_EQ(arrows, 2U);
}

TEST(ChromeArchive, TimesThatBeginAtDifferentMomentsAreTold) {
  const std::string one =
      R"j({"baseTimeNanoseconds":1000,"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1}]})j";
  const std::string other =
      R"j({"baseTimeNanoseconds":2000,"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1}]})j";
  EXPECT_EQ(issueCount(readText(tarred("a", one) + tarred("b", one) + std::string(1024, '\0')).issues,
                       "import-different-clocks"),
            0U);
  EXPECT_EQ(issueCount(readText(tarred("a", one) + tarred("b", other) + std::string(1024, '\0')).issues,
                       "import-different-clocks"),
            1U);
}

}  // namespace
}  // namespace lanescope::imported
