// SPDX-License-Identifier: Apache-2.0
#include "model/trace/kind_words.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

TEST(KindWords, RangesOfOtherToolsAreNoNvtx) {
  Trace trace;
  for (const char* name : {"NCCL", "PyTorch", "Python", "Annotations", "Slices"})
    trace.domains.push_back({.name = name, .isNvtx = trace.domains.empty()});
  const auto word = [&](EventKind kind, std::uint32_t domain) {
    LaneInfo info;
    info.kind = kind;
    info.domain = domain;
    return kindWord(trace, info);
  };
  EXPECT_EQ(word(EventKind::kNvtxRange, 0), "NVTX range");
  EXPECT_EQ(word(EventKind::kNvtxRange, 1), "operator");
  EXPECT_EQ(word(EventKind::kNvtxRange, 2), "Python function");
  EXPECT_EQ(word(EventKind::kNvtxRange, 3), "annotation");
  EXPECT_EQ(word(EventKind::kNvtxStartEnd, 4), "slice");
  EXPECT_EQ(word(EventKind::kNvtxMark, 4), "mark");
  EXPECT_EQ(word(EventKind::kNvtxMark, 0), "NVTX mark");
  EXPECT_EQ(word(EventKind::kKernel, kNone), "kernel");
}

}  // namespace
}  // namespace lanescope::trace
