// SPDX-License-Identifier: Apache-2.0
// Memory that holds anything: reading it ends, soon, and tells what was no stack.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "collector/python/code.h"

namespace lanescope::python {
namespace {

/// A few pages in which everything points to everything, and a count of how often it was asked.
class Arena {
 public:
  static constexpr Address kStart = 0x10000;
  explicit Arena(std::size_t bytes) : bytes_(bytes) {}

  Memory memory() { return {&read, this}; }
  template <class T>
  void put(Address at, const T& value) {
    std::memcpy(bytes_.data() + (at - kStart), &value, sizeof value);
  }
  std::vector<char>& bytes() { return bytes_; }
  std::size_t asked() const { return asked_; }

 private:
  static bool read(void* self, Address from, void* to, std::size_t count) {
    auto& arena = *static_cast<Arena*>(self);
    ++arena.asked_;
    if (from < kStart || from - kStart > arena.bytes_.size() || count > arena.bytes_.size() - (from - kStart)) {
      return false;
    }
    std::memcpy(to, arena.bytes_.data() + (from - kStart), count);
    return true;
  }
  std::vector<char> bytes_;
  std::size_t asked_ = 0;
};

/// All that a sampler does; how much of it made sense does not matter.
void readAll(const Memory& memory, unsigned minor) {
  Python python{.layout = {}, .runtime = Arena::kStart, .codeType = 0};
  if (findLayout(memory, Arena::kStart, minor, python.layout) != Refusal::kNo) return;
  Thread threads[64];
  std::size_t count = 0;
  readThreads(memory, python, threads, count);
  ASSERT_LE(count, std::size(threads));
  for (std::size_t i = 0; i < count; ++i) {
    Frame frames[kMostFrames];
    std::size_t depth = 0;
    bool isCut = false;
    readFrames(memory, python, threads[i].state, frames, depth, isCut);
    ASSERT_LE(depth, kMostFrames);
    for (std::size_t k = 0; k < std::min<std::size_t>(depth, 4); ++k) {
      Code code;
      if (!readCode(memory, python, frames[k].code, code)) continue;
      char text[100];
      std::size_t length = 0;
      readText(memory, python, code.name, text, length);
      ASSERT_LE(length, sizeof text);
      readLine(memory, python, code, frames[k]);
    }
  }
}

TEST(HostileMemory, OfNoiseIsRefused) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Arena arena(64u << 10);
    for (std::size_t at = 0; at + 8 <= arena.bytes().size(); at += 8) arena.put(Arena::kStart + at, random());
    for (unsigned minor = 8; minor < 15; ++minor) readAll(arena.memory(), minor);
    EXPECT_LT(arena.asked(), 1000u);
  }
}

TEST(HostileMemory, OfPointersInCirclesIsReadForABoundedTime) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 200; ++round) {
    Arena arena(16u << 10);
    for (std::size_t at = 0; at + 8 <= arena.bytes().size(); at += 8) {
      const Address target = Arena::kStart + random() % (arena.bytes().size() / 8) * 8;
      arena.put(Arena::kStart + at, random() % 8 == 0 ? random() % 4 : target);
    }
    for (unsigned minor = 9; minor < 13; ++minor) readAll(arena.memory(), minor);
    EXPECT_LT(arena.asked(), 400'000u);
  }
}

TEST(HostileMemory, OfAThreadThatIsItsOwnNextGivesAsManyAsThereIsRoomFor) {
  Arena arena(4096);
  const Layout& layout = *layoutOf(11);
  const Address interpreter = Arena::kStart + 1024, thread = Arena::kStart + 2048, cframe = Arena::kStart + 3072;
  arena.put(Arena::kStart + layout.interpreters, interpreter);
  arena.put(interpreter + layout.threads, thread);
  arena.put(thread + layout.nextThread, thread);
  arena.put(thread + layout.interpreter, interpreter);
  arena.put(thread + layout.frame, cframe);
  arena.put(cframe + layout.frameBehind, cframe);  // a frame that is its own caller
  arena.put(cframe + layout.back, cframe);
  const Python python{.layout = layout, .runtime = Arena::kStart, .codeType = 0};
  Thread threads[8];
  std::size_t count = 0;
  EXPECT_TRUE(readThreads(arena.memory(), python, threads, count));
  EXPECT_EQ(count, 8u);
  Frame frames[8];
  bool isCut = false;
  EXPECT_FALSE(readFrames(arena.memory(), python, thread, frames, count, isCut));
}

TEST(HostileMemory, OfTextIsCutAtCharacters) {
  Arena arena(4096);
  const Python python{.layout = *layoutOf(12), .runtime = Arena::kStart, .codeType = 0};
  const Address text = Arena::kStart;
  const auto tell = [&](std::uint64_t characters, unsigned width, bool isAscii) {
    arena.put(text + python.layout.textLength, characters);
    arena.put(text + python.layout.textState, width << 2 | 0x20u | (isAscii ? 0x40u : 0u));
  };
  const auto read = [&](std::size_t room) {
    char bytes[64];
    std::size_t length = 0;
    return readText(arena.memory(), python, text, {bytes, room}, length) ? std::string(bytes, length) : "refused";
  };
  tell(5, 1, true);
  std::memcpy(arena.bytes().data() + python.layout.asciiText, "hello", 5);
  EXPECT_EQ(read(64), "hello");
  EXPECT_EQ(read(3), "hel");
  tell(2, 2, false);
  arena.put(text + python.layout.compactText, std::uint16_t{0x65E5});
  arena.put(text + python.layout.compactText + 2, std::uint16_t{0xD800});
  EXPECT_EQ(read(64), "\u65e5\uFFFD");
  EXPECT_EQ(read(5), "\u65e5");
  tell(1, 4, false);
  arena.put(text + python.layout.compactText, std::uint32_t{0x1F40D});
  EXPECT_EQ(read(64), "\U0001F40D");
  tell(std::uint64_t{1} << 40, 1, true);
  EXPECT_EQ(read(64), "refused");
  tell(5000, 1, true);
  std::fill(arena.bytes().begin() + python.layout.asciiText + 5, arena.bytes().end(), 'x');
  EXPECT_EQ(read(64), "hello" + std::string(59, 'x')) << "what is not asked for need not be there";
}

TEST(Layout, TellsWhyItIsNotKnown) {
  Arena arena(4096);
  Layout layout;
  EXPECT_EQ(findLayout(arena.memory(), Arena::kStart, 8, layout), Refusal::kTooOld);
  EXPECT_EQ(findLayout(arena.memory(), Arena::kStart, 13, layout), Refusal::kUnreadable);
  std::memcpy(arena.bytes().data(), "xdebugpy", 8);
  arena.put(Arena::kStart + 8, std::uint64_t{0x030E00F0});
  EXPECT_EQ(findLayout(arena.memory(), Arena::kStart, 14, layout), Refusal::kTooNew);
  arena.put(Arena::kStart + 8, std::uint64_t{0x030D00F0});
  arena.put(Arena::kStart + 16, std::uint64_t{1});
  EXPECT_EQ(findLayout(arena.memory(), Arena::kStart, 13, layout), Refusal::kFreeThreaded);
  EXPECT_NE(std::string(reasonOf(Refusal::kFreeThreaded)), "");
  arena.put(Arena::kStart + 16, std::uint64_t{0});
  EXPECT_EQ(findLayout(arena.memory(), Arena::kStart, 13, layout), Refusal::kUnreadable) << "all offsets are 0";
}

}  // namespace
}  // namespace lanescope::python
