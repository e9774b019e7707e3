// SPDX-License-Identifier: Apache-2.0
// What readers of the stream count on: sizes, alignment and numbers that may never change once files exist.
#include "collector/wire/records.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "collector/wire/session.h"

namespace lanescope::wire {
namespace {

template <class... Records>
void expectRecords() {
  (..., [] {
    EXPECT_EQ(sizeof(Records) % 8, 0u);
    EXPECT_LT(sizeof(Records), 65536u);
    EXPECT_TRUE(std::is_trivially_copyable_v<Records>);
    EXPECT_EQ(offsetof(Records, header), 0u);
  }());
}

TEST(Records, AreWholeWordsWithTheirHeaderFirst) {
  expectRecords<String, NvtxEvent, NvtxEnd, Named, NvtxPayload, NvtxSchema, NvtxSchemaEntry, Api, Kernel, Copy, Memset,
                Sync, Overhead, Graph, Context, Stream, Device, CudaEvent, Jit, Memory, UnifiedMemory, CaptureMark,
                Loss, Message>();
}

TEST(Records, KeepTheirSizes) {
  EXPECT_EQ(sizeof(NvtxEvent), 56u);
  EXPECT_EQ(sizeof(NvtxEnd), 24u);
  EXPECT_EQ(sizeof(NvtxSchemaEntry), 56u);
  EXPECT_EQ(sizeof(Api), 48u);
  EXPECT_EQ(sizeof(ChunkHeader), 40u);
  EXPECT_EQ(sizeof(ControlPage), 56u);
  EXPECT_EQ(offsetof(ControlPage, capture), 12u);
}

TEST(Records, HaveRingsThatFillWholePages) {
  EXPECT_EQ(kRingStride % 4096, 0u);
  EXPECT_LE(sizeof(RingHeader), kRingHeaderBytes);
  EXPECT_EQ(offsetof(RingHeader, head) % 64, 0u);
  EXPECT_EQ(offsetof(RingHeader, tail) % 64, 0u);
}

}  // namespace
}  // namespace lanescope::wire
