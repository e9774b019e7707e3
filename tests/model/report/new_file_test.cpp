// SPDX-License-Identifier: Apache-2.0
#include "model/report/new_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/files.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;

class NewFile : public testing::Test {
 protected:
  /// What became of it, in a word or a sentence.
  std::string put(std::string_view name, IfExists ifExists = IfExists::kReplace) {
    const auto temporary = createBeside(folder / name, ifExists);
    if (!temporary) return sentence(temporary.error());
    test::writeFile(*temporary, "ours");
    const auto moved = moveIntoPlace(*temporary, folder / name, ifExists);
    return moved ? "put" : sentence(moved.error());
  }

  test::TemporaryFolder folder;
};

TEST_F(NewFile, WhatALinkStandsForIsReplacedAndTheLinkStays) {
  fs::create_directory(folder / "sub");
  test::writeFile(folder / "sub/a", "theirs");
  fs::create_symlink("sub/a", folder / "link");
  fs::create_symlink("link", folder / "chain");
  EXPECT_NE(put("chain", IfExists::kRefuse), "put");
  EXPECT_EQ(put("chain"), "put");
  EXPECT_TRUE(fs::is_symlink(folder / "chain"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(test::readFile(folder / "sub/a"), "ours");
  EXPECT_EQ(folder.names().size(), 3u);
}

TEST_F(NewFile, ALinkThatLeadsNowhereIsFilledOnlyWhenAsked) {
  fs::create_symlink("a", folder / "link");
  EXPECT_NE(put("link", IfExists::kRefuse), "put");
  EXPECT_FALSE(fs::exists(folder / "a"));
  EXPECT_EQ(put("link"), "put");
  EXPECT_EQ(test::readFile(folder / "a"), "ours");
}

TEST_F(NewFile, ALinkToItselfIsAnError) {
  fs::create_symlink("link", folder / "link");
  EXPECT_NE(put("link"), "put");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(folder.names().size(), 1u);
}

TEST_F(NewFile, WhatIsNoFileIsNotReplaced) {
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", folder / "link");
  fs::create_directory(folder / "sub");
  for (const char* name : {"fifo", "link"})
    EXPECT_EQ(put(name),
              (folder / name).string() + ": cannot be written (a FIFO where a file is wanted); choose another place");
  EXPECT_EQ(put("sub"), sentence({ErrorCode::kIsFolder, (folder / "sub").string(), ""}));
  EXPECT_TRUE(fs::is_fifo(folder / "fifo"));
  EXPECT_EQ(folder.names().size(), 3u);
}

TEST_F(NewFile, WhatBecameAFifoMeanwhileIsNotReplaced) {
  const auto temporary = createBeside(folder / "a", IfExists::kReplace);
  ASSERT_TRUE(temporary);
  ASSERT_EQ(mkfifo((folder / "a").c_str(), 0600), 0);
  EXPECT_FALSE(moveIntoPlace(*temporary, folder / "a", IfExists::kReplace));
  EXPECT_TRUE(fs::is_fifo(folder / "a"));
}

}  // namespace
}  // namespace lanescope::report
