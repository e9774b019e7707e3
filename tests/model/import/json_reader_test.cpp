// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_reader.h"

#include <gmock/gmock.h>

#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Writes down what it is given.
class Notes : public JsonVisitor {
 public:
  void endDocument(const JsonDocument& document) override { top = document.top; }
  void entry(const JsonEvent& event) override {
    names.emplace_back(event.name);
    times.push_back(event.ts.value_or(-1));
    durations.push_back(event.duration.value_or(-1));
    badTimes.push_back(event.badTime);
    ordinals.push_back(event.ordinal);
    gpus.push_back(event.gpu);
    args.emplace_back(event.args);
  }
  std::vector<std::string> names, args;
  std::vector<trace::Ns> times, durations;
  std::vector<bool> badTimes;
  std::vector<std::uint64_t> ordinals;
  std::vector<JsonEvent::OfGpu> gpus;
  std::map<std::string, std::string> top;
};

struct Reading {
  Notes notes;
  Result<JsonRead> result = tl::unexpected(Error{ErrorCode::kNotFound, {}, {}});
};

Reading reading(std::string_view text, bool timesAreNanoseconds = false) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "trace.json", text);
  Reading reading;
  reading.result = readJson(folder / "trace.json", timesAreNanoseconds, reading.notes, Job());
  return reading;
}

TEST(JsonReader, TimesAreExactToTheNanosecond) {  // IMP-03
  const Reading read = reading(R"([{"ph":"X","name":"a","ts": 1682666453031165.466, "dur": 1.376},
      {"ph":"X","name":"b","ts": 1682666453031166.842, "dur": 1.0}])");
  ASSERT_TRUE(read.result);
  EXPECT_THAT(read.notes.times, ElementsAre(1682666453031165466, 1682666453031166842));
  EXPECT_THAT(read.notes.durations, ElementsAre(1376, 1000));
}

TEST(JsonReader, AnObjectKeepsWhatStandsBesideItsEvents) {  // IMP-24
  const Reading read = reading(R"({"displayTimeUnit":"ns","traceEvents":[{"ph":"X","name":"a","ts":1236,"dur":13837451,
      "args":{"x":[1,{"y":2}]}}],"after":{"z":1}})");
  ASSERT_TRUE(read.result);
  EXPECT_THAT(read.notes.times, ElementsAre(1236000));
  EXPECT_THAT(read.notes.durations, ElementsAre(13837451000));
  EXPECT_THAT(read.notes.args, ElementsAre(R"({"x":[1,{"y":2}]})"));
  EXPECT_THAT(read.notes.top, ElementsAre(Pair("after", R"({"z":1})"), Pair("displayTimeUnit", "\"ns\"")));
}

}  // namespace
}  // namespace lanescope::imported
