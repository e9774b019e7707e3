// SPDX-License-Identifier: Apache-2.0
// Waits and the records of CUDA events that they wait for.
#include "model/trace/event_uses.h"

#include <gmock/gmock.h>

#include <random>

#include "model/report/details.h"
#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::trace {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Records and waits with the calls beside them, one every ten nanoseconds in the order they are added.
class EventUses : public testing::Test {
 public:
  struct Numbers {
    std::int64_t event = 0, sync = 0, process = gpid(1);
  };

  EventUses& record(Numbers numbers, std::int64_t stream = 13) {
    call("cudaEventRecord_v3020", numbers.process);
    file.insert("CUPTI_ACTIVITY_KIND_CUDA_EVENT", {{"deviceId", 0},
                                                   {"contextId", 1},
                                                   {"streamId", stream},
                                                   {"correlationId", calls},
                                                   {"globalPid", numbers.process},
                                                   {"eventId", numbers.event},
                                                   {"eventSyncId", numbers.sync}});
    return *this;
  }

  EventUses& wait(Numbers numbers, const char* name = "cudaStreamWaitEvent_v3020") {
    call(name, numbers.process);
    file.insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {{"start", 10 * calls},
                                                        {"end", 10 * calls + 2},
                                                        {"deviceId", 0},
                                                        {"contextId", 1},
                                                        {"streamId", 14},
                                                        {"correlationId", calls},
                                                        {"globalPid", numbers.process},
                                                        {"syncType", 2},
                                                        {"eventId", numbers.event},
                                                        {"eventSyncId", numbers.sync}});
    return *this;
  }

  void call(const char* name, std::int64_t process) {
    ++calls;
    file.add(R{.start = 10 * calls, .end = 10 * calls + 5, .thread = process | 1, .correlation = calls, .name = name});
  }

  /// "record→wait" by the number of the call, in order.
  std::vector<std::string> pairs() {
    path = file.write();
    trace = report::load(path, {}, {}, Job{}).value_or(std::make_shared<Trace>());
    std::vector<std::string> texts;
    for (std::int64_t number = 1; number <= calls; ++number) {
      const EventRef from = callAt(number);
      for (const EventId id : trace->links(from)) {
        const EventRef to = trace->ref(id);
        const auto back = trace->links(to);
        EXPECT_NE(std::find(back.begin(), back.end(), trace->id(from)), back.end());
        EXPECT_NE(trace->recordedOn(from).has_value(), trace->recordedOn(to).has_value());
        if (trace->recordedOn(from))
          texts.push_back(std::to_string(number) + "→" + std::to_string(trace->time(to).begin / 10));
      }
    }
    return texts;
  }

  EventRef callAt(std::int64_t number) const {
    for (LaneId lane = 0; lane < trace->lanes.size(); ++lane)
      if (trace->laneInfo[lane].kind == EventKind::kCudaApi)
        for (std::uint32_t i = 0; i < trace->lanes[lane]->size(); ++i)
          if (trace->lanes[lane]->start(i) == 10 * number) return {lane, i};
    return {kNone, 0};
  }

  std::string details(EventRef event) const {
    auto opened = report::Details::open(path);
    std::string text;
    for (const report::Field& field : opened->of(*trace, event)) text += field.label + ": " + field.value + "\n";
    return text;
  }

  TemporaryFolder folder;
  ReportBuilder file{folder / "a.sqlite"};
  std::filesystem::path path;
  TracePtr trace;
  std::int64_t calls = 0;
};

TEST_F(EventUses, TheNumberThatTiesThemDecides) {
  record({.event = 1, .sync = 1}).record({.event = 1, .sync = 2}).wait({.event = 1, .sync = 1});
  wait({.event = 1, .sync = 2}).wait({.event = 1, .sync = 2});
  EXPECT_THAT(pairs(), ElementsAre("1→3", "2→4", "2→5"));
}

TEST_F(EventUses, WithoutItTheLatestRecordOfTheEventBeforeTheWaitDoes) {
  record({.event = 5}).wait({.event = 5}).record({.event = 5}).record({.event = 6});
  wait({.event = 5, .sync = 0}).wait({.event = 6, .sync = 0xFFFFFFFF}).record({.event = 5});
  EXPECT_THAT(pairs(), ElementsAre("1→2", "3→5", "4→6"));
}

TEST_F(EventUses, OfACallThatADamagedFileTiesToManyRecordsDetailsListsTheFirst) {
  for (int i = 1; i <= 40; ++i) record({.event = i, .sync = i});
  call("cudaStreamWaitEvent_v3020", gpid(1));
  for (int i = 1; i <= 40; ++i)
    file.insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {{"start", 10 * calls},
                                                        {"end", 10 * calls + 2},
                                                        {"deviceId", 0},
                                                        {"contextId", 1},
                                                        {"streamId", 14},
                                                        {"correlationId", calls},
                                                        {"globalPid", gpid(1)},
                                                        {"syncType", 2},
                                                        {"eventId", i},
                                                        {"eventSyncId", i}});
  ASSERT_EQ(pairs().size(), 40u);
  const std::string text = details(callAt(41));
  std::size_t waits = 0;
  for (std::size_t at = 0; (at = text.find("Waits for: ", at)) != std::string::npos; ++at) ++waits;
  EXPECT_EQ(waits, 4u) << text;
  EXPECT_THAT(text, HasSubstr("…: 36 more\n"));
}

TEST_F(EventUses, ATieToARecordThatIsNotThereFallsBackOnTheEvent) {
  record({.event = 5, .sync = 1}).wait({.event = 5, .sync = 77});
  EXPECT_THAT(pairs(), ElementsAre("1→2"));
}

TEST_F(EventUses, WhatNamesNoEventOrIsOfAnotherProcessHasNoRecord) {
  record({.event = 0}).wait({.event = 0}).record({.event = 0xFFFFFFFF}).wait({.event = 0xFFFFFFFF});
  record({.event = -1, .sync = -1}).wait({.event = -1, .sync = -1});
  record({.event = 9, .sync = 9, .process = gpid(2)}).wait({.event = 9, .sync = 9});
  wait({.event = 4, .sync = 4}).record({.event = 4, .sync = 4});
  EXPECT_THAT(pairs(), IsEmpty());
}

TEST_F(EventUses, BothEndsTellOfEachOther) {
  record({.event = 1, .sync = 1}, 13).wait({.event = 1, .sync = 1}).wait({.event = 1, .sync = 1});
  wait({.event = 1, .sync = 1}, "cudaEventQuery_v3020");
  pairs();
  EXPECT_THAT(details(callAt(1)), HasSubstr("Waited for: by 2 calls\n")) << "to ask is not to wait";
  EXPECT_THAT(details(callAt(4)), HasSubstr("Asks about: cudaEventRecord at 10 ns on stream 13\n"));
  EXPECT_THAT(details(callAt(2)), HasSubstr("Waits for: cudaEventRecord at 10 ns on stream 13\n"));
  EXPECT_THAT(details(callAt(2)), Not(HasSubstr("GPU work started"))) << "a wait is none";
  for (LaneId lane = 0; lane < trace->lanes.size(); ++lane)
    if (trace->laneInfo[lane].kind == EventKind::kSync) {
      EXPECT_THAT(details({lane, 0}), HasSubstr("Waits for: cudaEventRecord at 10 ns on stream 13\n"));
    }
}

TEST_F(EventUses, ARowWithoutItsCallIsNotTied) {
  record({.event = 1, .sync = 1}).wait({.event = 1, .sync = 1});
  file.sql("UPDATE CUPTI_ACTIVITY_KIND_CUDA_EVENT SET correlationId = 99");
  EXPECT_THAT(pairs(), IsEmpty());
}

TEST_F(EventUses, ARandomMixPairsAsANaiveSearchDoes) {
  std::mt19937_64 random(5);
  struct Use {
    bool isRecord;
    Numbers numbers;
  };
  std::vector<Use> uses;
  for (int i = 0; i < 400; ++i) {
    const Numbers numbers{.event = static_cast<std::int64_t>(random() % 6),
                          .sync = static_cast<std::int64_t>(random() % 3 == 0 ? random() % 40 : 0)};
    uses.push_back({random() % 2 == 0, numbers});
    if (uses.back().isRecord) record(numbers);
    else wait(numbers);
  }
  std::vector<std::pair<std::size_t, std::size_t>> expected;
  for (std::size_t w = 0; w < uses.size(); ++w) {
    if (uses[w].isRecord) continue;
    std::optional<std::size_t> found;
    const auto search = [&](std::int64_t Numbers::* number) {
      for (std::size_t r = 0; r < w && uses[w].numbers.*number != 0; ++r)
        if (uses[r].isRecord && uses[r].numbers.*number == uses[w].numbers.*number) found = r;
    };
    search(&Numbers::sync);
    if (!found) search(&Numbers::event);
    if (found) expected.emplace_back(*found + 1, w + 1);
  }
  std::sort(expected.begin(), expected.end());
  std::vector<std::string> texts;
  for (const auto& [r, w] : expected) texts.push_back(std::to_string(r) + "→" + std::to_string(w));
  ASSERT_GT(texts.size(), 100u);
  EXPECT_EQ(pairs(), texts);
}

TEST(EventUsesOfGolden, EveryWaitForARecordedEventIsTied) {
  LANESCOPE_NEEDS_SHARED();
  for (const auto& [name, expected] : {std::pair("metrics", 120u), {"overlap_good", 120u}, {"ddp_rank0", 579u}}) {
    const auto loaded = report::load(sharedFolder() / "golden" / name / "nsys.sqlite", {}, {}, Job{});
    ASSERT_TRUE(loaded);
    const Trace& trace = **loaded;
    std::size_t waits = 0;
    for (LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (std::uint32_t i = 0; i < trace.lanes[lane]->size() && trace.laneInfo[lane].kind == EventKind::kCudaApi; ++i)
        if (!trace.links({lane, i}).empty() && !trace.recordedOn({lane, i})) {
          ++waits;
          const std::string_view text = (*trace.names)[trace.name({lane, i})].text;
          EXPECT_TRUE(text.find("WaitEvent") != text.npos || text.find("EventSynchronize") != text.npos ||
                      text.find("EventQuery") != text.npos)
              << text;
          const EventRef record = trace.ref(trace.links({lane, i}).front());
          EXPECT_NE((*trace.names)[trace.name(record)].text.find("EventRecord"), std::string_view::npos);
          EXPECT_LE(trace.time(record).begin, trace.time({lane, i}).begin);
        }
    EXPECT_GE(waits, expected) << name;
  }
}

}  // namespace
}  // namespace lanescope::trace
