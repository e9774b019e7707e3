// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/stream_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/files.h"
#include "tests/support/stream_builder.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ProcessStreamTest : public testing::Test {
 protected:
  /// The times of all pops in the order they are read.
  std::vector<std::uint64_t> times(test::StreamBuilder& stream) {
    stream.write();
    auto process = ProcessStream::open(stream.path(".stream"));
    EXPECT_TRUE(process);
    process_.emplace(std::move(*process));
    std::vector<std::uint64_t> all;
    process_->walk({.chunk =
                        [&](const Chunk& chunk) {
                          forEachRecord(chunk.records, [&](const Record& record) {
                            if (record.type == wire::RecordType::kNvtxPop)
                              all.push_back(record.as<wire::NvtxEnd>().time);
                          });
                        },
                    .gap = [&](std::uint32_t slot) { gaps_.push_back(slot); }});
    return all;
  }

  test::TemporaryFolder folder_;
  test::StreamBuilder stream_{folder_.path(), 12, 34};
  std::optional<ProcessStream> process_;
  std::vector<std::uint32_t> gaps_;
};

TEST_F(ProcessStreamTest, TheNameOfTheFileSaysWhoseAndWhen) {
  times(stream_.thread(1).pop(1));
  EXPECT_EQ(process_->pid(), 12u);
  EXPECT_EQ(process_->time(), 34u);
}

TEST_F(ProcessStreamTest, TheTimeInItsNameIsHexadecimal) {
  test::writeFile(folder_ / "7.000001d2a9f3c0be.stream", "");
  const auto process = ProcessStream::open(folder_ / "7.000001d2a9f3c0be.stream");
  ASSERT_TRUE(process);
  EXPECT_EQ(process->time(), 0x1d2a9f3c0beu);
}

TEST_F(ProcessStreamTest, AStreamCanBeWalkedAgainAndOneThatIsGoneByThenIsDamage) {
  times(stream_.thread(1).pop(1));
  int chunks = 0;
  const ProcessStream::Visitor count{.chunk = [&](const Chunk&) { ++chunks; }};
  EXPECT_TRUE(process_->walk(count));
  EXPECT_TRUE(process_->walk(count));
  EXPECT_EQ(chunks, 2);
  EXPECT_EQ(process_->damage().places, 0u);
  std::filesystem::remove(stream_.path(".stream"));
  EXPECT_TRUE(process_->walk(count));
  EXPECT_EQ(chunks, 2);
  EXPECT_EQ(process_->damage().bytes, process_->size());
}

TEST_F(ProcessStreamTest, WhatTheWriterHadNotTakenOutIsReadFromTheRing) {
  EXPECT_THAT(times(stream_.thread(1).pop(1).pop(2).unflushed(1).pop(3).thread(2, 1).pop(9)), ElementsAre(1, 2, 9, 3));
  EXPECT_GT(process_->recoveredBytes(), 0u);
  EXPECT_THAT(gaps_, IsEmpty());
}

TEST_F(ProcessStreamTest, AChunkWrittenTwiceCountsOnce) {
  stream_.thread(1).pop(1).pop(2);
  const std::string once = stream_.stream();
  const std::string chunk = once.substr(stream_.lastChunk());
  stream_.stream() += chunk;
  EXPECT_THAT(times(stream_.thread(1).pop(3)), ElementsAre(1, 2, 3));
}

TEST_F(ProcessStreamTest, WhatIsInTheStreamAlreadyIsNotTakenFromTheRingAgain) {
  // Killed between the write and the move of the tail: the ring still holds what the stream has.
  stream_.unflushed(1).pop(1).pop(2).pop(3);
  stream_.stream();
  wire::ChunkHeader header;
  header.type = wire::ChunkType::kRing;
  header.tid = 1;
  std::string records;
  for (const std::uint64_t time : {1, 2}) {
    wire::NvtxEnd pop{{wire::RecordType::kNvtxPop, sizeof(wire::NvtxEnd), 0}, time, 0};
    records.append(reinterpret_cast<const char*>(&pop), sizeof pop);
  }
  stream_.rawChunk(header, records);
  EXPECT_THAT(times(stream_), ElementsAre(1, 2, 3));
}

TEST_F(ProcessStreamTest, ALostChunkOfARingIsAGapOfThatRing) {
  stream_.thread(1, 4).pop(1).thread(1, 4).pop(2);
  stream_.stream();
  const std::size_t lost = stream_.lastChunk();
  stream_.thread(1, 4).pop(3);
  stream_.stream()[lost] = 'x';
  EXPECT_THAT(times(stream_), ElementsAre(1, 3));
  EXPECT_THAT(gaps_, ElementsAre(4));
  EXPECT_EQ(process_->missingRingBytes(), sizeof(wire::NvtxEnd));
}

TEST_F(ProcessStreamTest, ADamagedOffsetCostsItsChunkAndHidesNothingOfWhatFollows) {
  stream_.thread(1).pop(1).thread(1).pop(2);
  std::string& bytes = stream_.stream();
  const std::uint64_t offset = 1ull << 40;
  std::memcpy(bytes.data() + stream_.lastChunk() + offsetof(wire::ChunkHeader, offset), &offset, sizeof offset);
  EXPECT_THAT(times(stream_.thread(1).pop(3).thread(1).pop(4).unflushed(1).pop(5)), ElementsAre(1, 3, 4, 5));
  EXPECT_EQ(process_->missingRingBytes(), sizeof(wire::NvtxEnd));
}

TEST_F(ProcessStreamTest, RecordsThatWrapInTheRingComeInOrder) {
  std::string filler(wire::kRingBytes - sizeof(wire::NvtxEnd) - 8, '\0');
  const wire::RecordHeader pad{wire::RecordType::kPad, 0, static_cast<std::uint32_t>(filler.size())};
  std::memcpy(filler.data(), &pad, sizeof pad);
  std::string last(8, '\0');
  const wire::RecordHeader lastPad{wire::RecordType::kPad, 0, 8};
  std::memcpy(last.data(), &lastPad, sizeof lastPad);
  EXPECT_THAT(times(stream_.thread(1).bytes(filler).unflushed(1).pop(1).bytes(last).pop(2)), ElementsAre(1, 2));
}

TEST_F(ProcessStreamTest, RingHeadersThatMakeNoSenseAreLeftAlone) {
  stream_.thread(1).pop(1).unflushed(1).pop(2).write();
  for (const auto& [tail, head] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{
           {24, 8}, {0, 1ull << 40}, {~0ull, 0}, {0, ~0ull}, {1ull << 63, (1ull << 63) + wire::kRingBytes + 8}}) {
    std::string rings = test::readFile(stream_.path(".rings"));
    std::memcpy(rings.data() + offsetof(wire::RingHeader, tail), &tail, sizeof tail);
    std::memcpy(rings.data() + offsetof(wire::RingHeader, head), &head, sizeof head);
    test::writeFile(folder_ / "bad.rings", rings);
    auto process = ProcessStream::open(stream_.path(".stream"));
    process->useRings(folder_ / "bad.rings");
    std::size_t chunks = 0;
    process->walk({.chunk = [&](const Chunk&) { ++chunks; }});
    EXPECT_EQ(chunks, 1u) << tail << ' ' << head;
  }
}

TEST_F(ProcessStreamTest, ATruncatedRingFileGivesWhatItHas) {
  stream_.unflushed(1).pop(1).pop(2).write();
  std::filesystem::resize_file(stream_.path(".rings"), wire::kRingHeaderBytes + sizeof(wire::NvtxEnd) + 3);
  auto process = ProcessStream::open(stream_.path(".stream"));
  std::size_t pops = 0;
  process->walk({.chunk = [&](const Chunk& chunk) { forEachRecord(chunk.records, [&](const Record&) { ++pops; }); }});
  EXPECT_EQ(pops, 1u);
}

TEST_F(ProcessStreamTest, EventsThatFoundNoRoomAreCountedOverAllRings) {
  stream_.thread(1).pop(1).write();
  std::string rings = test::readFile(stream_.path(".rings"));
  const std::uint64_t dropped = 17;
  std::memcpy(rings.data() + offsetof(wire::RingHeader, dropped), &dropped, sizeof dropped);
  test::writeFile(stream_.path(".rings"), rings);
  auto process = ProcessStream::open(stream_.path(".stream"));
  process->walk({.chunk = [](const Chunk&) {}});
  EXPECT_EQ(process->droppedInRings(), 17u);
}

}  // namespace
}  // namespace lanescope::launch
