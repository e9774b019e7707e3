// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile files end in a trace or in one sentence: no crash, no hang, no exception.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "model/report/info.h"
#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

using test::K;
using test::N;
using test::R;
using test::ReportBuilder;

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// Everything that opens a file, once.
std::optional<Error> openAll(const std::filesystem::path& path) {
  const auto trace = load(path, {.projections = true}, [](const trace::TracePtr&) {}, Job());
  if (!trace) {
    EXPECT_EQ(sentence(trace.error()).find('\n'), std::string::npos);
    return trace.error();
  }
  const auto database = Database::open(path);
  EXPECT_TRUE(database);
  EXPECT_FALSE(toJson(readInfo(*database, (*trace)->issues)).empty());
  return std::nullopt;
}

std::string smallReport(const test::TemporaryFolder& folder) {
  ReportBuilder builder(folder / "sound.sqlite");
  for (std::int64_t i = 0; i < 200; ++i) {
    builder.add(R{.start = 100 * i, .end = 100 * i + 10, .correlation = i + 1});
    builder.add(K{.start = 100 * i + 20, .end = 100 * i + 90, .correlation = i + 1, .name = "k" + std::to_string(i)});
    builder.add(N{.start = 100 * i, .end = 100 * i + 99, .text = "range"});
  }
  return test::readFile(builder.write());
}

TEST(Hostile, AFileCutOffAnywhereIsRefusedAsDamaged) {
  const test::TemporaryFolder folder;
  const std::string sound = smallReport(folder);
  for (std::size_t size = 1; size < sound.size(); size += 487) {
    test::writeFile(folder / "cut.sqlite", std::string_view(sound).substr(0, size));
    const auto error = openAll(folder / "cut.sqlite");
    ASSERT_TRUE(error) << size;
    EXPECT_EQ(error->code, size < 16 ? ErrorCode::kNotAReport : ErrorCode::kDamaged) << size;
  }
}

TEST(Hostile, FlippedBytesNeverCrash) {
  const test::TemporaryFolder folder;
  const std::string sound = smallReport(folder);
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = sound;
    for (int flips = 1 + round % 8; flips > 0; --flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1 << random() % 8);
    test::writeFile(folder / "flipped.sqlite", damaged);
    openAll(folder / "flipped.sqlite");
  }
}

TEST(Hostile, ExtremeNumbersAreCountedAndOverflowNothing) {
  const test::TemporaryFolder folder;
  ReportBuilder builder(folder / "extreme.sqlite");
  builder.add(K{.start = kLeast, .end = kLeast}).add(K{.start = kLeast, .end = kMost}).add(K{.start = 0, .end = kMost});
  builder.add(K{.start = 100,
                .end = 200,
                .device = kMost,
                .context = kLeast,
                .stream = kMost,
                .correlation = kLeast,
                .process = kLeast});
  const auto path = builder.write();
  EXPECT_FALSE(openAll(path));
  const Info info = readInfo(*Database::open(path), {});
  EXPECT_EQ(info.kernels.count, 4u);
  EXPECT_EQ(info.kernels.totalNs, 100);
  EXPECT_EQ(info.span, std::pair(std::int64_t{100}, std::int64_t{200}));
}

TEST(Hostile, TextWhereNumbersBelongAndStringsThatAreMissingAreSkipped) {
  const test::TemporaryFolder folder;
  ReportBuilder builder(folder / "odd.sqlite");
  builder.add(K{.start = 100, .end = 200});
  builder.sql("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL");
  builder.sql("UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon', demangledName = 424242 WHERE rowid = 2");
  builder.add(N{.start = 1, .end = 5, .textId = 99}).add(N{.start = 2, .end = 3, .text = "k\xFF\xFEl\n\x01"});
  builder.add(N{.start = 3, .end = 4, .text = std::string(512 << 10, 'x')});
  EXPECT_FALSE(openAll(builder.write()));
}

TEST(Hostile, NamesOfTablesAndColumnsAreOnlyNames) {
  const test::TemporaryFolder folder;
  ReportBuilder builder(folder / "names.sqlite");
  builder.add(K{.start = 1, .end = 2});
  builder.sql("CREATE TABLE \"a\"\"; DROP TABLE StringIds; --\"(\"x\"\"y\" TEXT)");
  builder.sql("CREATE TABLE NVTX_EVENTS(start, end AS (start + 1), eventType DEFAULT 59)");
  EXPECT_FALSE(openAll(builder.write()));
}

}  // namespace
}  // namespace lanescope::report
