// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/fact_lines.h"

#include <gtest/gtest.h>

namespace lanescope::launch {
namespace {

TEST(FactLines, TheLastValueOfANameCountsAndLinesWithoutANameDoNot) {
  FactLines facts;
  facts.add("pid=1\n=x\nnothing\nexe=/a=b\npid=22");
  facts.add("odd=\xFF\n\n");
  EXPECT_EQ(facts.number("pid"), 22);
  EXPECT_EQ(facts.text("exe"), "/a=b");
  EXPECT_EQ(facts.text("odd"), "\xEF\xBF\xBD");
  EXPECT_EQ(facts.number("exe"), std::nullopt);
  EXPECT_EQ(facts.find("nothing"), std::nullopt);
  EXPECT_EQ(facts.all().size(), 4u);
}

}  // namespace
}  // namespace lanescope::launch
