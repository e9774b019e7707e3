// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/process_tree.h"

#include <gmock/gmock.h>

#include "tests/support/files.h"

namespace lanescope::sample {
namespace {

using testing::UnorderedElementsAre;

/// A folder like /proc.
class ProcessTreeTest : public testing::Test {
 protected:
  void process(int number, int parent, const std::string& name = "python3") {
    std::filesystem::create_directory(folder_ / std::to_string(number));
    test::writeFile(folder_ / std::to_string(number) / "stat",
                    std::to_string(number) + " (" + name + ") S " + std::to_string(parent) + " 1 1 0");
  }
  void end(int number) { std::filesystem::remove_all(folder_ / std::to_string(number)); }

  test::TemporaryFolder folder_;
  ProcessTree tree_{100, folder_.path().string()};
};

TEST_F(ProcessTreeTest, HasChildrenOfChildrenAndNobodyElse) {
  process(1, 0), process(100, 1), process(200, 100), process(150, 200), process(300, 1), process(301, 300);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre(200, 150));
}

TEST_F(ProcessTreeTest, KeepsWhoHasAnotherParentLater) {
  process(100, 1), process(200, 100), process(201, 200);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre(200, 201));
  end(200);
  process(201, 1);
  process(202, 201);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre(201, 202));
  end(201), end(202);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre());
  process(201, 1);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre()) << "another process of that number";
}

TEST_F(ProcessTreeTest, ReadsNamesThatLookLikeMoreOfTheLine) {
  process(100, 1), process(200, 100, "a) R 1 (b"), process(201, 1, "x) S 100");
  EXPECT_THAT(tree_.look(), UnorderedElementsAre(200));
}

TEST_F(ProcessTreeTest, EndsWhereParentsGoInACircle) {
  process(100, 1), process(200, 201), process(201, 200);
  EXPECT_THAT(tree_.look(), UnorderedElementsAre());
}

}  // namespace
}  // namespace lanescope::sample
