// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/stack_copy.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

#include "collector/inject/modules.h"
#include "collector/inject/ring_file.h"

namespace lanescope::inject {
namespace {

void wake() {}

/// A ring in memory, and the last record of it.
class StackCopies : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(file_->createInMemory(wake));
    ring_ = file_->claim(1);
    ASSERT_NE(ring_, nullptr);
  }
  std::string record() {
    std::string bytes;
    file_->drain([&](const RingFile::Piece& piece) {
      bytes.assign(piece.bytes, piece.count);
      return true;
    });
    return bytes;
  }
  wire::StackCopy copyOf(std::uint64_t sp, std::uint32_t bytes) {
    wire::StackCopy here;
    here.sp = sp;
    appendStack(*ring_, here, bytes);
    wire::StackCopy copy;
    behind_ = record();
    if (behind_.size() < sizeof copy) return {};
    std::memcpy(static_cast<void*>(&copy), behind_.data(), sizeof copy);
    behind_.erase(0, sizeof copy);
    return copy;
  }

  std::unique_ptr<RingFile> file_ = std::make_unique<RingFile>();
  ThreadRing* ring_ = nullptr;
  std::string behind_;
};

TEST_F(StackCopies, AStackEndsWhereItsMemoryDoes) {
  auto* pages = static_cast<char*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_EQ(mprotect(pages + 4096, 4096, PROT_NONE), 0);
  std::memset(pages, 'x', 4096);
  const auto last = reinterpret_cast<std::uint64_t>(pages + 4096);
  EXPECT_EQ(copyOf(last - 1000, 6144).header.aux, 1000u);
  EXPECT_EQ(behind_, std::string(1000, 'x'));
  EXPECT_EQ(copyOf(last - 1000, 400).header.aux, 400u);
  EXPECT_EQ(copyOf(last + 8, 6144).header.aux, 0u);
  EXPECT_EQ(copyOf(last - 4000, 0xFFFFFFFF).header.aux, 4000u);
  munmap(pages, 8192);
}

TEST_F(StackCopies, RegistersAreThoseOfThisPlace) {
  const wire::StackCopy here = registersHere();
#if defined(__x86_64__)
  const auto local = reinterpret_cast<std::uint64_t>(&here);
  EXPECT_LE(here.sp, local);
  EXPECT_LT(local - here.sp, 65536u);
  EXPECT_EQ(copyOf(here.sp, 512).header.aux, 512u);
#else
  EXPECT_EQ(copyOf(here.sp, 512).header.size, 0u);
#endif
}

TEST(KnownModules, EachIsNewOnce) {
  const auto known = std::make_unique<KnownModules>();
  for (std::uint64_t i = 1; i <= 4000; ++i) EXPECT_TRUE(known->insert(i * 0x9E3779B97F4A7C15ull)) << i;
  for (std::uint64_t i = 1; i <= 4000; ++i) EXPECT_FALSE(known->insert(i * 0x9E3779B97F4A7C15ull)) << i;
}

}  // namespace
}  // namespace lanescope::inject
