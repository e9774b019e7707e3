// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/stream_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "collector/wire/checksum.h"
#include "tests/support/files.h"
#include "tests/support/stream_builder.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;

class StreamReaderTest : public testing::Test {
 protected:
  /// Facts chunks "a", "b", … of 8 bytes each.
  static std::string chunks(std::string_view names) {
    test::StreamBuilder stream("unused");
    for (const char name : names) stream.facts(std::string(8, name));
    return stream.stream();
  }
  /// The first byte of every chunk read.
  std::string read(std::string_view file) {
    test::writeFile(folder_ / "s", file);
    reader_.emplace(std::move(*InputFile::open(folder_ / "s")));
    std::string names;
    for (Chunk chunk; reader_->next(chunk);) names += chunk.records.substr(0, 1);
    return names;
  }

  static constexpr std::size_t kChunk = sizeof(wire::ChunkHeader) + 8;
  test::TemporaryFolder folder_;
  std::optional<StreamReader> reader_;
};

TEST_F(StreamReaderTest, WholeChunksComeInOrder) {
  EXPECT_EQ(read(chunks("abc")), "abc");
  EXPECT_EQ(reader_->damage().places, 0u);
}

TEST_F(StreamReaderTest, ATruncatedFileLosesItsLastChunkOnly) {
  const std::string whole = chunks("abc");
  for (std::size_t cut = 1; cut < kChunk; ++cut) {
    EXPECT_EQ(read(whole.substr(0, whole.size() - cut)), "ab") << cut;
    EXPECT_EQ(reader_->damage().places, 1u) << cut;
    EXPECT_EQ(reader_->damage().bytes, kChunk - cut) << cut;
  }
}

TEST_F(StreamReaderTest, AnOverwrittenByteOfHeaderOrRecordsLosesItsChunkOnly) {
  const std::string whole = chunks("abc");
  for (std::size_t at = kChunk; at < 2 * kChunk; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    EXPECT_EQ(read(damaged), "ac") << at;
    EXPECT_EQ(reader_->damage().bytes, kChunk) << at;
  }
}

TEST_F(StreamReaderTest, ForeignBytesBetweenChunksAreSkippedAndCountedByPlace) {
  const std::string foreign = "LCK1 is no chunk, LCK1 neither.";
  EXPECT_EQ(read(foreign + chunks("a") + foreign + foreign + chunks("b")), "ab");
  EXPECT_EQ(reader_->damage().places, 2u);
  EXPECT_EQ(reader_->damage().bytes, 3 * foreign.size());
}

TEST_F(StreamReaderTest, AMagicAcrossTheReadWindowIsFound) {
  for (std::size_t rest = 0; rest < 8; ++rest)
    EXPECT_EQ(read(std::string((1 << 20) - rest, 'x') + chunks("a")), "a") << rest;
}

TEST_F(StreamReaderTest, SizesBeyondTheFileAreNotBelieved) {
  for (const std::uint32_t bytes : {9u, 1u << 20, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    std::string damaged = chunks("ab");
    std::memcpy(damaged.data() + offsetof(wire::ChunkHeader, bytes), &bytes, sizeof bytes);
    EXPECT_EQ(read(damaged), "b") << bytes;
  }
}

TEST_F(StreamReaderTest, AFileOfMisleadingHeadersIsReadInBoundedWork) {
  // Each header claims all that follows, so that checking every one would cost the square of the size.
  constexpr std::size_t kHeaders = 50'000;
  std::string file(kHeaders * sizeof(wire::ChunkHeader), '\0');
  for (std::size_t i = 0; i < kHeaders; ++i) {
    wire::ChunkHeader header;
    header.type = wire::ChunkType::kRing;
    header.bytes = static_cast<std::uint32_t>(file.size() - (i + 1) * sizeof header);
    std::memcpy(file.data() + i * sizeof header, &header, sizeof header);
  }
  EXPECT_EQ(read(file), "");
  EXPECT_EQ(reader_->damage().bytes, file.size());
}

TEST_F(StreamReaderTest, RandomDamageNeverHarms) {
  std::mt19937 random(3);
  const std::string whole = chunks("abcdefgh");
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    for (int i = 0; i < 6; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    EXPECT_LE(read(damaged).size(), 8u);
  }
}

std::string recordOf(std::uint16_t size, std::uint32_t aux, std::uint16_t type = 16) {
  const wire::RecordHeader header{static_cast<wire::RecordType>(type), size, aux};
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  bytes.resize(std::max<std::size_t>(bytes.size(), size), 'r');
  return bytes;
}

std::pair<std::vector<std::size_t>, bool> sizesOf(std::string_view records) {
  std::vector<std::size_t> sizes;
  const bool whole = forEachRecord(records, [&](const Record& record) { sizes.push_back(record.bytes.size()); });
  return {sizes, whole};
}

TEST(Records, PadsAreSteppedOverAndOthersVisited) {
  std::string pad = recordOf(0, 24, 0);
  pad.resize(24);
  const auto [sizes, whole] = sizesOf(recordOf(16, 0) + pad + recordOf(40, 0));
  EXPECT_THAT(sizes, ElementsAre(16, 40));
  EXPECT_TRUE(whole);
}

TEST(Records, ImpossibleSizesEndTheWalk) {
  for (const std::string& bad : {recordOf(0, 8), recordOf(4, 0).substr(0, 8), recordOf(64, 0).substr(0, 32),
                                 recordOf(0, 0, 0), recordOf(0, 4, 0), recordOf(0, 0xFFFFFFFF, 0)}) {
    const auto [sizes, whole] = sizesOf(recordOf(16, 0) + bad + recordOf(16, 0));
    EXPECT_EQ(sizes.front(), 16u);
    EXPECT_LE(sizes.size(), 2u);
  }
  EXPECT_FALSE(sizesOf(recordOf(0, 8)).second);
  EXPECT_FALSE(sizesOf(recordOf(16, 0) + "abc").second);
}

TEST(Records, AShorterRecordOfAnotherVersionReadsAsZeroBehindItsEnd) {
  std::string bytes = recordOf(16, 7);
  const std::uint64_t time = 42;
  std::memcpy(bytes.data() + 8, &time, sizeof time);
  const Record record{wire::RecordType::kNvtxPush, 7, bytes};
  EXPECT_EQ(record.as<wire::NvtxEvent>().time, 42u);
  EXPECT_EQ(record.as<wire::NvtxEvent>().text, 0u);
}

TEST(Records, TextBehindARecordNeverReachesBeyondIt) {
  std::string bytes = recordOf(24, 0xFFFFFFFF);
  EXPECT_EQ((Record{wire::RecordType::kString, 0xFFFFFFFF, bytes}.behind<wire::String>().size()), 8u);
  EXPECT_EQ((Record{wire::RecordType::kString, 3, bytes}.behind<wire::String>()), "rrr");
}

TEST(InputFiles, WhatIsNoFileIsRefused) {
  const test::TemporaryFolder folder;
  EXPECT_FALSE(InputFile::open(folder.path()));
  EXPECT_FALSE(InputFile::open(folder / "missing"));
  EXPECT_FALSE(InputFile::open("/dev/zero"));
}

}  // namespace
}  // namespace lanescope::launch
