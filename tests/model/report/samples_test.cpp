// SPDX-License-Identifier: Apache-2.0
// The samples that come with Lanescope: whole, small, and of what resources/samples/README.md says.
#include <gmock/gmock.h>

#include <map>

#include "model/analysis/losses.h"
#include "model/report/info.h"
#include "model/report/load.h"
#include "tests/support/files.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> samples() { return test::filesIn(test::sourceFolder() / "resources/samples", ".rep"); }

std::size_t count(const trace::Trace& trace, trace::EventKind kind) {
  std::size_t events = 0;
  for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
    if (trace.laneInfo[lane].kind == kind) events += trace.lanes[lane]->size();
  return events;
}

TEST(Samples, LoadStrictlyAndLostNothing) {
  const std::vector<fs::path> files = samples();
  ASSERT_EQ(files.size(), 6u);
  std::uintmax_t bytes = 0;
  for (const fs::path& file : files) {
    bytes += fs::file_size(file);
    const auto trace = load(file, {.strict = true}, {}, Job());
    ASSERT_TRUE(trace) << sentence(trace.error());
    EXPECT_TRUE(analysis::affected(**trace).empty()) << file;
  }
  EXPECT_LE(bytes, 3'000'000u);
}

TEST(Samples, HoldWhatTheirProgramsDid) {
  using enum trace::EventKind;
  std::map<std::string, std::vector<std::size_t>> found;
  for (const fs::path& file : samples()) {
    const auto trace = *load(file, {}, {}, Job());
    found[file.stem().string()] = {count(*trace, kKernel), count(*trace, kCopy), count(*trace, kNvtxRange),
                                   trace->counters.size()};
  }
  using Counts = std::vector<std::size_t>;  // kernels, copies, NVTX ranges, counters
  EXPECT_EQ(found["overlap_bad"], (Counts{128, 64, 196, 15}));
  EXPECT_EQ(found["overlap_good"], (Counts{128, 64, 256, 15}));
  EXPECT_EQ(found["training"], (Counts{746, 4, 14, 14}));
  EXPECT_EQ(found["ddp_rank0"], (Counts{403, 59, 45, 0}));
  EXPECT_EQ(found["ddp_rank1"], (Counts{403, 59, 45, 0}));
  EXPECT_EQ(found["graphs"], (Counts{1362, 68, 2, 0}));
}

}  // namespace
}  // namespace lanescope::report
