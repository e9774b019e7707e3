// SPDX-License-Identifier: Apache-2.0
// Where the symbols are found that a file was stripped of.
#include <gmock/gmock.h>

#include "collector/unwind/symbols.h"
#include "tests/collector/unwind/small_file.h"
#include "tests/support/files.h"

namespace lanescope::unwind {
namespace {

class DebugFiles : public testing::Test {
 protected:
  DebugFiles() {
    SmallFile stripped;
    stripped.sections[1].sh_type = SHT_NULL;
    test::writeFile(folder_ / "program", stripped.bytes());
    std::filesystem::create_directories(debug_ / ".build-id" / "01");
  }

  /// The function at 0x401000 of the stripped file.
  std::string name() {
    Modules modules;
    Symbols symbols(modules, {.debugFolders = {folder_ / "nowhere", debug_}});
    return symbols.functionOf(folder_ / "program", 0x400000, 0x401000);
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path debug_ = folder_ / "debug";
  const std::filesystem::path byId_ = debug_ / ".build-id" / "01" / "02030405060708.debug";
};

TEST_F(DebugFiles, AreFoundByTheirBuildId) {
  EXPECT_EQ(name(), "");
  test::writeFile(byId_, SmallFile().bytes());
  EXPECT_EQ(name(), "first");
}

TEST_F(DebugFiles, AreFoundByTheirName) {
  test::writeFile(debug_ / "program.debug", SmallFile().bytes());
  EXPECT_EQ(name(), "first");
}

TEST_F(DebugFiles, OfAnotherBuildNameNothing) {
  SmallFile other;
  other.note.id[7] = 0;
  test::writeFile(byId_, other.bytes());
  test::writeFile(debug_ / "program", other.bytes());
  EXPECT_EQ(name(), "");
}

TEST_F(DebugFiles, ThatAreNoneNameNothing) {
  test::writeFile(byId_, "no file of symbols");
  std::filesystem::create_directory(debug_ / "program");
  EXPECT_EQ(name(), "");
}

}  // namespace
}  // namespace lanescope::unwind
