// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_nvtx.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <bit>

#include "model/report/info.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using wire::RecordType;

class FinishNvtx : public FinishFixture {};

TEST_F(FinishNvtx, PushesAndPopsPairByThreadAndDomain) {
  process()
      .thread(101, 0)
      .push({.time = cpu(1), .text = "outer"})
      .push({.time = cpu(2), .text = "other", .domain = 3})
      .push({.time = cpu(3), .text = "inner"})
      .thread(102, 1)
      .pop(cpu(4))  // of nothing
      .thread(101, 0)
      .pop(cpu(5))
      .pop(cpu(6))
      .pop(cpu(7), 3)
      .push({.time = cpu(8), .text = "open"})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, text, domainId FROM NVTX_EVENTS ORDER BY start"),
              ElementsAre("1|6|outer|0", "2|7|other|3", "3|5|inner|0", "8|NULL|open|0"));
  EXPECT_THAT(issues(), ElementsAre("nvtx-unpaired"));
}

TEST_F(FinishNvtx, Col31RangesThatAThreadLeftOpenAreShownUpToItsEnd) {
  process()
      .thread(101, 0)
      .push({.time = cpu(1), .text = "left open"})
      .push({.time = cpu(2), .text = "closed"})
      .pop(cpu(3))
      .record(RecordType::kThreadEnd, wire::ThreadEnd{{}, cpu(50)}, 101)
      .thread(101, 0)  // another one of the same number
      .push({.time = cpu(60), .text = "open to the end"})
      .thread(102, 1)
      .mark({.time = cpu(100), .text = "last"})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, text FROM NVTX_EVENTS WHERE eventType = 59 ORDER BY start"),
              ElementsAre("1|NULL|left open", "2|3|closed", "60|NULL|open to the end"));
  EXPECT_THAT(rows("SELECT globalTid & 16777215, end FROM LANESCOPE_THREAD_ENDS"), ElementsAre("101|50"));
  EXPECT_THAT(issues(), IsEmpty());
  const trace::TracePtr loaded = trace();
  std::vector<std::pair<trace::Ns, trace::Ns>> open;
  for (const trace::LanePtr& lane : loaded->lanes)
    for (const std::uint32_t i : lane->unfinishedEvents()) open.emplace_back(lane->start(i), lane->end(i));
  EXPECT_THAT(open, UnorderedElementsAre(std::pair(1, 50), std::pair(60, 100)));
  std::vector<std::string> said;
  for (const trace::Issue& issue : loaded->issues) said.push_back(issue.text);
  EXPECT_THAT(said, ElementsAre("1 range was still open when the recording ended",
                                "1 range was still open when its thread ended"));
}

TEST_F(FinishNvtx, RangesEndOnOtherThreadsEvenWhereTheEndIsReadFirst) {
  process()
      .thread(102, 1)
      .end(cpu(90), 1)
      .thread(101, 0)
      .start({.time = cpu(10), .text = "a", .range = 1})
      .start({.time = cpu(20), .text = "b", .range = 2})
      .start({.time = cpu(30), .text = "c", .range = 3})
      .thread(102, 1)
      .end(cpu(80), 2)
      .end(cpu(85), 99)
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, eventType, rangeId, text, globalTid & 16777215, endGlobalTid & 16777215 FROM "
                   "NVTX_EVENTS ORDER BY start"),
              ElementsAre("10|90|60|1|a|101|102", "20|80|60|2|b|101|102", "30|NULL|60|3|c|101|NULL"));
  EXPECT_THAT(issues(), ElementsAre("nvtx-unpaired"));
}

TEST_F(FinishNvtx, NamesOfDomainsCategoriesAndThreadsAreRowsWithoutATime) {
  process()
      .thread(101)
      .named(RecordType::kNvtxDomain, 3, 0, "render")
      .named(RecordType::kNvtxCategory, 3, 8, "loop")
      .named(RecordType::kThreadName, 105, 0, "worker")
      .mark({.time = cpu(5), .text = "m", .domain = 3, .category = 8, .argb = 0xFF102030, .registered = true})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT eventType, domainId, category, text, globalTid & 16777215 FROM NVTX_EVENTS WHERE eventType "
                   "IN (33, 39, 75) ORDER BY eventType"),
              ElementsAre("33|3|8|loop|101", "39|NULL|NULL|worker|105", "75|3|NULL|render|101"));
  EXPECT_THAT(rows("SELECT start, end, category, color, NVTX_EVENTS.text, value FROM NVTX_EVENTS JOIN StringIds ON id "
                   "= textId WHERE eventType = 34"),
              ElementsAre("5|NULL|8|4279246896|NULL|m"));
  EXPECT_THAT(rows("SELECT value, globalTid & 16777215 FROM ThreadNames JOIN StringIds ON id = nameId"),
              ElementsAre("worker|105"));
  EXPECT_EQ(report::readInfo(*database_, {}).span, std::pair(trace::Ns{5}, trace::Ns{5}));
}

TEST_F(FinishNvtx, WhatTheSystemCallsAThreadIsItsNameUntilTheProgramSaysOtherwise) {
  process()
      .thread(101)
      .record(RecordType::kThreadComm, wire::ThreadComm{.header = {}, .name = "python3"}, 101)
      .record(RecordType::kThreadComm, wire::ThreadComm{.header = {}, .name = "pt_main"}, 101)
      .record(RecordType::kThreadComm, wire::ThreadComm{.header = {}, .name = "sixteen letters"}, 102)
      .record(RecordType::kThreadComm, wire::ThreadComm{}, 103)
      .record(RecordType::kThreadComm, wire::ThreadComm{.header = {}, .name = "python3"}, 105)
      .named(RecordType::kThreadName, 105, 0, "worker")
      .mark({.time = cpu(5), .text = "m"})
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT globalTid & 16777215, value FROM ThreadNames JOIN StringIds ON id = nameId ORDER BY 1"),
              ElementsAre("101|pt_main", "102|sixteen letters", "105|worker"));
  EXPECT_THAT(issues(), IsEmpty());
}

TEST_F(FinishNvtx, RangesOfALibraryThatWasAskedForAreItsCalls) {
  test::writeFile(folder_ / "options", "libraries=cublas,cudnn-verbose\n");
  process()
      .thread(102, 1)  // before the thread that made the domains
      .push({.time = cpu(10), .text = "cublasSgemm_v2", .domain = 3})
      .push({.time = cpu(20), .text = "cublasLtSSSMatmul", .domain = 4})
      .pop(cpu(30), 4)
      .pop(cpu(40), 3)
      .push({.time = cpu(50), .text = "cublasSetStream_v2", .domain = 3})
      .pop(cpu(51), 3)
      .push({.time = cpu(60), .text = "cudnnCreateTensorDescriptor", .domain = 5})
      .pop(cpu(61), 5)
      .push({.time = cpu(70), .text = "cusparseSpMM", .domain = 6})
      .pop(cpu(71), 6)
      .push({.time = cpu(80), .text = "cublasLtMatmul", .domain = 4})
      .thread(101)
      .named(RecordType::kNvtxDomain, 3, 0, "cuBLAS")
      .named(RecordType::kNvtxDomain, 4, 0, "cuBLAS")
      .named(RecordType::kNvtxDomain, 5, 0, "cuDNN")
      .named(RecordType::kNvtxDomain, 6, 0, "CUSPARSE")
      .ended()
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, eventClass, globalTid & 16777215, value FROM CUBLAS_EVENTS JOIN StringIds ON id "
                   "= nameId"),
              ElementsAre("10|40|29|102|cublasSgemm_v2"));
  EXPECT_THAT(rows("SELECT start, end, eventClass, value FROM CUDNN_EVENTS JOIN StringIds ON id = nameId"),
              ElementsAre("60|61|28|cudnnCreateTensorDescriptor"));
  // Of a library that nobody asked for, and of a call that did not return.
  EXPECT_THAT(rows("SELECT start, end, text FROM NVTX_EVENTS WHERE eventType = 59 ORDER BY start"),
              ElementsAre("70|71|cusparseSpMM", "80|NULL|cublasLtMatmul"));
}

TEST_F(FinishNvtx, EachTypeOfPayloadHasItsColumn) {
  auto stream = process();
  stream.thread(101);
  const std::uint64_t values[] = {
      0, ~0ull, ~0ull, std::bit_cast<std::uint64_t>(0.25), 0xFFFFFFFF, 0xFFFFFFFF, std::bit_cast<std::uint32_t>(0.5f)};
  for (std::uint32_t type = 0; type <= 6; ++type)
    stream.mark({.time = cpu(type + 1), .text = "m", .payloadType = type, .payload = values[type]});
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT uint64Value, int64Value, doubleValue, uint32Value, int32Value, floatValue FROM NVTX_EVENTS "
                   "ORDER BY start"),
              ElementsAre("NULL|NULL|NULL|NULL|NULL|NULL", "-1|NULL|NULL|NULL|NULL|NULL", "NULL|-1|NULL|NULL|NULL|NULL",
                          "NULL|NULL|0.25|NULL|NULL|NULL", "NULL|NULL|NULL|4294967295|NULL|NULL",
                          "NULL|NULL|NULL|NULL|-1|NULL", "NULL|NULL|NULL|NULL|NULL|0.5"));
}

TEST_F(FinishNvtx, ExtendedPayloadsStandBehindTheirHeaderWithTheSchemasThatReadThem) {
  auto stream = process();
  stream.thread(101);
  const std::uint64_t name = stream.text("comm"), field = stream.text("rank"), flag = stream.text("sum");
  stream.record(RecordType::kNvtxSchema, wire::NvtxSchema{{}, 16777227, name, 1, 2, 24}, 1)
      .record(RecordType::kNvtxSchemaEntry, wire::NvtxSchemaEntry{{}, field, 0, 8, 0, 0, 0}, 5)
      .record(RecordType::kNvtxSchemaEntry, wire::NvtxSchemaEntry{{}, field, 0, 16, 0, 0, 1ull << 33}, 0)
      .record(RecordType::kNvtxSchema, wire::NvtxSchema{{}, 16777236, name, 256, 0, 4}, 1)
      .record(RecordType::kNvtxSchemaEntry, wire::NvtxSchemaEntry{{}, flag, 0, 42, 0, 1, 0}, 0)
      .push({.time = cpu(1), .text = "p", .domain = 1})
      .payload(16777227, "abcde")
      .push({.time = cpu(2), .text = "q", .domain = 1})
      .pop(cpu(3), 1)
      .payload(7, "xy")
      .payload(8, "z")
      .pop(cpu(4), 1)
      .start({.time = cpu(5), .text = "s", .range = 1})
      .payload(9, "!")
      .end(cpu(6), 1)
      .ended()
      .write();
  finished();
  const auto header = [](int domain, int schema, int size, int offset) {
    std::string hex;
    for (const int value : {domain, schema, size, offset})
      for (int byte = 0; byte < 8; ++byte) hex += fmt::format("{:02X}", byte < 4 ? value >> 8 * byte & 255 : 0);
    return hex;
  };
  EXPECT_THAT(rows("SELECT text, typeof(binaryData), hex(binaryData) FROM NVTX_EVENTS ORDER BY start"),
              ElementsAre("p|blob|" + header(1, 16777227, 5, 32) + "6162636465",
                          "q|blob|" + header(1, 7, 2, 32) + "7879" + header(1, 8, 1, 66) + "7A",
                          "s|blob|" + header(0, 9, 1, 32) + "21"));
  EXPECT_THAT(rows("SELECT domainId, schemaId, name, type, flags, numEntries, payloadSize FROM NVTX_PAYLOAD_SCHEMAS"),
              ElementsAre("1|16777227|comm|1|2|2|24"));
  EXPECT_THAT(rows("SELECT domainId, schemaId, idx, type, name, offset FROM NVTX_PAYLOAD_SCHEMA_ENTRIES"),
              ElementsAre("1|16777227|0|5|rank|8", "1|16777227|1|8589934592|rank|16"));
  EXPECT_THAT(rows("SELECT schemaId, name, numEntries, size FROM NVTX_PAYLOAD_ENUMS"),
              ElementsAre("16777236|comm|1|4"));
  EXPECT_THAT(rows("SELECT schemaId, idx, name, value, isFlag FROM NVTX_PAYLOAD_ENUM_ENTRIES"),
              ElementsAre("16777236|0|sum|42|1"));
}

TEST_F(FinishNvtx, WhatAKilledProcessLeftInItsRingIsInTheReport) {
  process()
      .thread(101)
      .push({.time = cpu(1), .text = "in the stream"})
      .unflushed(101)
      .push({.time = cpu(2), .text = "in the ring"})
      .pop(cpu(3))
      .write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, text FROM NVTX_EVENTS ORDER BY start"),
              ElementsAre("1|NULL|in the stream", "2|3|in the ring"));
}

TEST_F(FinishNvtx, BehindALostChunkNoRangeIsPairedAcrossTheHole) {
  auto stream = process();
  stream.thread(101).push({.time = cpu(1), .text = "a"}).thread(101).pop(cpu(2)).push({.time = cpu(3), .text = "b"});
  stream.stream();
  const std::size_t lost = stream.lastChunk();
  stream.thread(101).pop(cpu(4)).mark({.time = cpu(5), .text = "c"}).ended();
  stream.stream()[lost + sizeof(wire::ChunkHeader)] ^= 1;
  stream.write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, text FROM NVTX_EVENTS ORDER BY start"), ElementsAre("1|NULL|a", "5|NULL|c"));
  EXPECT_THAT(issues(), ElementsAre("nvtx-unpaired", "stream-damaged", "stream-gap"));
}

}  // namespace
}  // namespace lanescope::launch
