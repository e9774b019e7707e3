// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/ring_file.h"

#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include "tests/support/files.h"

namespace lanescope::inject {
namespace {

using test::TemporaryFolder;

std::atomic<int> wakes{0};
void wake() { wakes.fetch_add(1, std::memory_order_relaxed); }

/// Rings in a file of a folder of its own.
struct Rings {
  TemporaryFolder folder;
  std::unique_ptr<RingFile> file = std::make_unique<RingFile>();
  Rings() { EXPECT_TRUE(file->create((folder / "rings").c_str(), wake)); }
};

/// A record that tells who made it, its number, and as many bytes as it says.
bool put(ThreadRing& ring, std::uint64_t number, std::uint32_t extra) {
  wire::String record;
  record.id = number;
  const std::string bytes(extra, static_cast<char>('a' + number % 26));
  return ring.append(record, wire::RecordType::kString, bytes.data(), extra);
}

/// Takes pieces in and checks that they follow each other and hold whole records in their order.
struct Taken {
  std::map<std::uint32_t, std::string> bytes;  ///< by slot
  std::map<std::uint32_t, std::uint64_t> next;

  bool operator()(const RingFile::Piece& piece) {
    EXPECT_EQ(piece.offset, next[piece.slot]);
    next[piece.slot] = piece.offset + piece.count;
    bytes[piece.slot].append(piece.bytes, piece.count);
    return true;
  }
  std::vector<std::uint64_t> numbers(std::uint32_t slot) {
    std::vector<std::uint64_t> found;
    const std::string& all = bytes[slot];
    for (std::size_t at = 0; at < all.size();) {
      wire::String record;
      std::memcpy(static_cast<void*>(&record), all.data() + at, sizeof record);
      if (record.header.type == wire::RecordType::kPad) {
        at += record.header.aux;
        continue;
      }
      EXPECT_EQ(record.header.type, wire::RecordType::kString);
      EXPECT_EQ(all.substr(at + sizeof record, record.header.aux),
                std::string(record.header.aux, static_cast<char>('a' + record.id % 26)));
      found.push_back(record.id);
      at += record.header.size;
    }
    return found;
  }
};

TEST(Ring, GivesBackWhatWasPutInItsOrderOverManyWraps) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(7);
  ASSERT_NE(ring, nullptr);
  std::mt19937 random(3);
  Taken taken;
  std::uint64_t number = 0;
  while (number < 30000) {
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(put(*ring, number++, random() % 600));
    rings.file->drain(taken);
  }
  const std::vector<std::uint64_t> numbers = taken.numbers(ring->slot);
  ASSERT_EQ(numbers.size(), 30000u);
  for (std::uint64_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
  EXPECT_GT(taken.next[ring->slot], 5ull * wire::kRingBytes);
  EXPECT_EQ(rings.file->dropped(), 0u);
}

TEST(Ring, CountsWhatFindsNoRoomAndGoesOnOnceItIsEmptied) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(7);
  std::uint64_t kept = 0;
  for (int i = 0; i < 2000; ++i) kept += put(*ring, kept, 1000) ? 1 : 0;
  EXPECT_LT(kept, 2000u);
  EXPECT_EQ(rings.file->dropped(), 2000 - kept);
  Taken taken;
  EXPECT_TRUE(rings.file->drain(taken));
  EXPECT_EQ(taken.numbers(ring->slot).size(), kept);
  EXPECT_TRUE(put(*ring, kept, 1000));
}

RingFile* emptied = nullptr;
Taken* emptiedInto = nullptr;

TEST(Ring, AFullRingMayBeEmptiedByItsOwnThread) {
  TemporaryFolder folder;
  RingFile file;
  ASSERT_TRUE(file.create((folder / "rings").c_str(), wake,
                          [](ThreadRing& ring) { return emptied->drainOnly(ring.slot, *emptiedInto); }));
  Taken taken;
  emptied = &file;
  emptiedInto = &taken;
  ThreadRing* ring = file.claim(7);
  for (std::uint64_t number = 0; number < 5000; ++number) ASSERT_TRUE(put(*ring, number, 1000));
  file.drain(taken);
  EXPECT_EQ(taken.numbers(ring->slot).size(), 5000u);
  EXPECT_EQ(file.dropped(), 0u);
}

TEST(Ring, WhatTheWriterRefusesStaysInTheRing) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(7);
  put(*ring, 0, 8);
  EXPECT_FALSE(rings.file->drain([](const RingFile::Piece&) { return false; }));
  Taken taken;
  EXPECT_TRUE(rings.file->drain(taken));
  EXPECT_EQ(taken.numbers(ring->slot), std::vector<std::uint64_t>{0});
}

TEST(Ring, WakesTheWriterWhenItIsHalfFull) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(7);
  wakes = 0;
  for (int i = 0; i < 516; ++i) put(*ring, 0, 1000);
  EXPECT_EQ(wakes, 0);
  for (int i = 0; i < 2; ++i) put(*ring, 0, 1000);
  EXPECT_EQ(wakes, 1);
}

TEST(Ring, ASlotOfAThreadThatLeftIsGivenAwayOnlyOnceItIsEmpty) {
  Rings rings;
  ThreadRing* first = rings.file->claim(1);
  put(*first, 0, 8);
  rings.file->leave(first);
  ThreadRing* second = rings.file->claim(2);
  EXPECT_NE(second, first);
  Taken taken;
  rings.file->drain(taken);
  ThreadRing* third = rings.file->claim(3);
  EXPECT_EQ(third, first);
  EXPECT_EQ(third->header->tid, 3u);
}

TEST(Ring, ThreadsBeyondTheSlotsGetNone) {
  Rings rings;
  std::vector<ThreadRing*> all;
  for (std::uint32_t i = 0; i < wire::kRingSlots; ++i) all.push_back(rings.file->claim(i));
  EXPECT_EQ(std::count(all.begin(), all.end(), nullptr), 0);
  EXPECT_EQ(rings.file->claim(9999), nullptr);
  rings.file->leave(all[5]);
  Taken taken;
  rings.file->drain(taken);
  EXPECT_EQ(rings.file->claim(9999), all[5]);
}

TEST(Ring, ARecordWhileAnotherIsBeingWrittenIsCountedAndLeftOut) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(7);
  char* at = ring->reserve(24);
  ASSERT_NE(at, nullptr);
  EXPECT_FALSE(put(*ring, 1, 8));  // as a signal handler would
  const wire::RecordHeader header{wire::RecordType::kString, 24, 8};
  std::memset(at, 'a', 24);
  std::memcpy(at, &header, sizeof header);
  std::memset(at + 8, 0, 8);
  ring->commit(24);
  Taken taken;
  rings.file->drain(taken);
  EXPECT_EQ(taken.numbers(ring->slot), std::vector<std::uint64_t>{0});
  EXPECT_EQ(rings.file->dropped(), 1u);
}

TEST(Ring, ThreadsThatComeAndGoUnderOneWriterLoseNothing) {
  Rings rings;
  std::atomic<bool> done{false};
  std::map<std::uint32_t, std::vector<std::uint64_t>> byThread;
  Taken taken;
  std::map<std::uint32_t, std::uint64_t> bytesOf;
  const auto take = [&](const RingFile::Piece& piece) {
    bytesOf[piece.tid] += piece.count;
    return taken(piece);
  };
  std::thread writer([&] {
    while (!done.load()) rings.file->drain(take);
    rings.file->drain(take);
  });
  constexpr std::uint64_t kEach = 2000;
  std::uint64_t dropped = 0;
  for (std::uint32_t wave = 0; wave < 5; ++wave) {
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < 8; ++i) {
      threads.emplace_back([&rings, tid = wave * 8 + i + 1] {
        ThreadRing* ring = rings.file->claim(tid);
        for (std::uint64_t number = 0; number < kEach; ++number) put(*ring, number, 40);
        rings.file->leave(ring);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  done = true;
  writer.join();
  dropped = rings.file->dropped();
  std::uint64_t seen = 0;
  for (auto& [slot, bytes] : taken.bytes) seen += taken.numbers(slot).size();
  EXPECT_EQ(seen + dropped, 40 * kEach);
  if (dropped == 0) {
    EXPECT_EQ(bytesOf.size(), 40u);
    for (const auto& [tid, bytes] : bytesOf) EXPECT_GE(bytes, kEach * 56) << tid;
  }
}

TEST(Ring, WhatAProcessLeftCanBeReadFromItsFile) {
  Rings rings;
  ThreadRing* ring = rings.file->claim(42);
  for (std::uint64_t number = 0; number < 100; ++number) put(*ring, number, 16);
  ASSERT_EQ(std::filesystem::file_size(rings.folder / "rings"), wire::kRingSlots * wire::kRingStride);
  std::string file(wire::kRingStride, 0);
  std::ifstream(rings.folder / "rings").read(file.data(), static_cast<std::streamsize>(file.size()));
  wire::RingHeader header;
  std::memcpy(static_cast<void*>(&header), file.data(), sizeof header);
  EXPECT_EQ(header.magic, wire::kRingMagic);
  EXPECT_EQ(header.tid, 42u);
  Taken taken;
  taken.bytes[0] = file.substr(wire::kRingHeaderBytes + header.tail, header.head - header.tail);
  EXPECT_EQ(taken.numbers(0).size(), 100u);
}

TEST(Ring, TheFileTakesDiskOnlyForWhatWasTouched) {
  Rings rings;
  put(*rings.file->claim(1), 0, 8);
  struct stat found{};
  ASSERT_EQ(stat((rings.folder / "rings").c_str(), &found), 0);
  EXPECT_LE(found.st_blocks * 512, 128 << 10);
}

TEST(Ring, APlaceThatRunsFullCostsEventsAndNoSignal) {
  TemporaryFolder folder;
  if (mount("none", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0) GTEST_SKIP() << "may not mount a small disk";
  {
    RingFile file;
    ASSERT_TRUE(file.create((folder / "rings").c_str(), wake));
    ThreadRing* first = file.claim(1);
    ASSERT_NE(first, nullptr);
    std::uint64_t kept = 0;
    for (int i = 0; i < 500; ++i) kept += put(*first, kept, 1000) ? 1 : 0;
    EXPECT_GT(kept, 100u);
    EXPECT_LT(kept, 256u);
    EXPECT_EQ(file.dropped(), 500 - kept);
    EXPECT_EQ(file.claim(2), nullptr);  // nor is there room for another
    Taken taken;
    EXPECT_TRUE(file.drain(taken));
    EXPECT_EQ(taken.numbers(first->slot).size(), kept);
  }
  umount2(folder.path().c_str(), MNT_DETACH);
}

TEST(Ring, AFolderThatTakesNoFileIsToldAtOnce) {
  RingFile file;
  EXPECT_FALSE(file.create("/nonexistent/rings", wake));
  EXPECT_EQ(file.claim(1), nullptr);
  EXPECT_TRUE(file.createInMemory(wake));
  EXPECT_NE(file.claim(1), nullptr);
}

}  // namespace
}  // namespace lanescope::inject
