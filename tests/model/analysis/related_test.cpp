// SPDX-License-Identifier: Apache-2.0
#include "model/analysis/related.h"

#include <gtest/gtest.h>

#include "tests/support/launch_trace.h"

namespace lanescope::analysis {
namespace {

using trace::eventNamed;
using trace::EventRef;

class RelatedTest : public testing::Test {
 protected:
  EventRef event(std::string_view name, std::size_t n = 0) const { return eventNamed(*trace, name, n); }
  const trace::TracePtr trace = trace::launchTrace();
};

TEST_F(RelatedTest, AKernelAndItsLaunchAreEachOthersEnd) {
  const EventRef kernel = event("one"), call = event("cudaLaunchKernel");
  const Related ofKernel(trace, kernel), ofCall(trace, call);
  EXPECT_EQ(ofKernel.ends(), std::vector{call});
  EXPECT_EQ(ofCall.ends(), std::vector{kernel});
  EXPECT_TRUE(ofCall.leadsTo(kernel));
  EXPECT_FALSE(ofKernel.leadsTo(call));
  EXPECT_TRUE(ofKernel.includes(kernel));
  EXPECT_TRUE(ofKernel.includes(call));
  EXPECT_FALSE(ofKernel.includes(event("late")));
  EXPECT_FALSE(ofKernel.includesMore());
}

TEST_F(RelatedTest, AGraphLaunchLeadsToAllItsNodesInOrder) {
  const Related related(trace, event("cudaGraphLaunch"));
  EXPECT_EQ(related.ends(), (std::vector{event("node", 0), event("node", 1), event("node", 2)}));
  EXPECT_EQ(related.endCount(), 3u);
}

TEST_F(RelatedTest, ANodeIncludesTheOthersOfItsLaunchButHasOneEnd) {
  const Related related(trace, event("node", 1));
  EXPECT_EQ(related.ends(), std::vector{event("cudaGraphLaunch")});
  EXPECT_TRUE(related.includesMore());
  EXPECT_TRUE(related.includes(event("node", 0)));
  EXPECT_TRUE(related.includes(event("node", 2)));
  EXPECT_FALSE(related.includes(event("one")));
}

TEST_F(RelatedTest, ARangeIncludesWhatItsThreadDidInsideAndTheWorkThatLedTo) {
  const Related related(trace, event("layer"));
  EXPECT_TRUE(related.includesMore());
  for (const auto& [name, n] : {std::pair("cudaLaunchKernel", 0), {"cudaGraphLaunch", 0}, {"one", 0}, {"node", 2}})
    EXPECT_TRUE(related.includes(event(name, static_cast<std::size_t>(n)))) << name;
  EXPECT_FALSE(related.includes(event("cudaLaunchKernel", 1)));
  EXPECT_FALSE(related.includes(event("late"))) << "launched after the range";
}

}  // namespace
}  // namespace lanescope::analysis
