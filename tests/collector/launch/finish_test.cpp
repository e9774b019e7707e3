// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/report/details.h"
#include "model/report/info.h"
#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/stream_builder.h"

namespace lanescope::launch {
namespace {

using report::Database;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::RecordType;

constexpr std::uint64_t kZero = 1'000'000;       // CLOCK_MONOTONIC when the session began
constexpr std::uint64_t kOffset = 5'000'000'000;  // CLOCK_REALTIME is so far ahead

class Finish : public testing::Test {
 protected:
  Finish() { test::writeFile(folder_ / "facts", "command=./app\nargument.0=-n\nstart-monotonic=1000000\n"); }

  test::StreamBuilder process(std::uint32_t pid = 100, std::uint64_t time = 1) {
    test::StreamBuilder stream(folder_.path(), pid, time);
    stream.facts("pid=" + std::to_string(pid) + "\nexe=/opt/app\n").clock(kZero, kZero + kOffset);
    return stream;
  }
  /// A time of CUPTI.
  static std::uint64_t gpu(std::uint64_t time) { return kZero + kOffset + time; }
  static std::uint64_t cpu(std::uint64_t time) { return kZero + time; }

  /// Finishes the session and opens the report.
  const Database& finished() {
    auto result = finish(folder_.path(), folder_ / "out.rep", report::IfExists::kReplace, Job());
    EXPECT_TRUE(result) << (result ? "" : sentence(result.error()));
    if (result) result_ = *result;
    auto database = Database::open(folder_ / "out.rep");
    EXPECT_TRUE(database);
    database_.emplace(std::move(*database));
    return *database_;
  }
  trace::TracePtr trace() {
    auto loaded = report::load(folder_ / "out.rep", {.strict = true}, {}, Job());
    EXPECT_TRUE(loaded) << (loaded ? "" : sentence(loaded.error()));
    return loaded ? *loaded : nullptr;
  }
  /// The rows of a query, values joined by "|".
  std::vector<std::string> rows(const std::string& sql) {
    std::vector<std::string> all;
    auto query = database_->prepare(sql);
    EXPECT_TRUE(query) << sql;
    while (query && query->step()) {
      std::string row;
      for (int i = 0; i < query->columns(); ++i) {
        row += i > 0 ? "|" : "";
        row += query->isNull(i) ? "NULL" : std::string(query->text(i));
      }
      all.push_back(row);
    }
    return all;
  }
  std::vector<std::string> issues() { return rows("SELECT kind FROM LANESCOPE_ISSUES ORDER BY kind"); }

  test::TemporaryFolder folder_;
  FinishResult result_;
  std::optional<Database> database_;
};

TEST_F(Finish, AProcessWithACallAKernelAndARangeBecomesAReport) {
  process()
      .thread(101)
      .push({.time = cpu(100), .text = "step"})
      .call({.start = cpu(110), .end = cpu(120), .correlation = 9})
      .pop(cpu(500))
      .cupti()
      .kernel({.start = gpu(200), .end = gpu(400), .correlation = 9})
      .ended()
      .write();
  finished();
  EXPECT_EQ(result_.events, 3u);
  EXPECT_EQ(result_.lost, 0u);
  EXPECT_THAT(result_.notes, IsEmpty());

  const trace::TracePtr loaded = trace();
  ASSERT_TRUE(loaded);
  const report::Info info = report::readInfo(*database_, loaded->issues);
  EXPECT_EQ(info.kernels.count, 1u);
  EXPECT_EQ(info.kernels.totalNs, 200);
  EXPECT_EQ(info.cudaCalls, 1u);
  EXPECT_EQ(info.nvtxRanges, 1u);
  EXPECT_EQ(info.processes, 1u);
  EXPECT_EQ(info.span, std::pair(trace::Ns{100}, trace::Ns{500}));
  EXPECT_THAT(info.issues, IsEmpty());
  EXPECT_THAT(rows("SELECT start, end, correlationId, globalPid >> 24 & 16777215, streamId, launchType, d.value, "
                   "s.value, m.value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds d ON d.id = demangledName JOIN "
                   "StringIds s ON s.id = shortName JOIN StringIds m ON m.id = mangledName"),
              ElementsAre("200|400|9|100|7|1|spin(float *, int, int)|spin|_Z4spinPfii"));
  EXPECT_THAT(rows("SELECT start, end, eventClass, globalTid & 16777215, correlationId, value, returnValue FROM "
                   "CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId"),
              ElementsAre("110|120|0|101|9|cudaLaunchKernel_v7000|0"));
  EXPECT_THAT(rows("SELECT start, end, eventType, text, textId, domainId, globalTid FROM NVTX_EVENTS"),
              ElementsAre("100|500|59|step|NULL|0|" + std::to_string((1ll << 48) + (100ll << 24) + 101)));
  EXPECT_THAT(rows("SELECT pid, name FROM PROCESSES"), ElementsAre("100|app"));
  EXPECT_THAT(rows("SELECT value FROM META_DATA_CAPTURE WHERE name LIKE 'PROCESS_0:%'"), ElementsAre("./app", "-n"));
}

}  // namespace
}  // namespace lanescope::launch
