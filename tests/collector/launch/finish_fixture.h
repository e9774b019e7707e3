// SPDX-License-Identifier: Apache-2.0
// A session folder made by hand, finished, and looked at through SQL and as a trace.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "collector/launch/finish.h"
#include "model/report/database.h"
#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/stream_builder.h"

namespace lanescope::launch {

using report::Database;

inline constexpr std::uint64_t kZero = 1'000'000;       // CLOCK_MONOTONIC when the session began
inline constexpr std::uint64_t kOffset = 5'000'000'000;  // CLOCK_REALTIME is so far ahead

class FinishFixture : public testing::Test {
 protected:
  FinishFixture() { test::writeFile(folder_ / "facts", "command=./app\nargument.0=-n\nstart-monotonic=1000000\n"); }

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
  std::vector<std::string> issues() {
    if (!database_->has("LANESCOPE_ISSUES")) return {};
    return rows("SELECT kind FROM LANESCOPE_ISSUES ORDER BY kind");
  }

  test::TemporaryFolder folder_;
  FinishResult result_;
  std::optional<Database> database_;
};

}  // namespace lanescope::launch
