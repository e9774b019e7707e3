// SPDX-License-Identifier: Apache-2.0
// What every file keeps: its licence, its size, and no trace of the machine it was written on.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include "tests/architecture/source_tree.h"

namespace lanescope::architecture {
namespace {

constexpr std::ptrdiff_t kLongestFile = 500;

/// Files that cannot carry a comment, or are a licence: REUSE.toml speaks for them.
bool carriesNoComment(const SourceFile& file) {
  if (file.path.starts_with("tests/golden/")) return true;
  const std::string extension = std::filesystem::path(file.path).extension();
  for (const std::string_view bare : {".bin", ".json", ".png", ".rep", ".txt"}) {
    if (extension == bare && file.path != "packaging/packages.txt" && !file.path.ends_with("CMakeLists.txt"))
      return true;
  }
  return false;
}

bool seesTheViewer(const SourceFile& file) {
  return file.text.find("\n#include \"views/") != std::string::npos ||
         file.text.find("\n#include <Q") != std::string::npos;
}

/// QCustomPlot is GPL, so what stands on views/ is; the rest stays Apache.
std::string_view licenceFor(const SourceFile& file) {
  if (file.path.ends_with(".metainfo.xml")) return "FSFAP";  // catalogues of programs take no other
  for (const std::string_view viewer :
       {"views/", "app/ui/", "tests/views/", "tests/app/ui/", "tests/bench/", "resources/"}) {
    if (file.path.starts_with(viewer)) return "GPL-3.0-or-later";
  }
  return isCode(file) && seesTheViewer(file) ? "GPL-3.0-or-later" : "Apache-2.0";
}

/// The licence on the first line, or on the second after a "#!" or an "<?xml"; empty if there is none.
std::string statedLicence(const SourceFile& file) {
  constexpr std::string_view kTag = "SPDX-License-Identifier: ";
  std::size_t end = file.text.find('\n');
  if (file.text.starts_with("#!") || file.text.starts_with("<?xml")) end = file.text.find('\n', end + 1);
  const std::string head = file.text.substr(0, end);
  const std::size_t tag = head.find(kTag);
  if (tag == std::string::npos) return {};
  const std::size_t begin = tag + kTag.size();
  return head.substr(begin, head.find_first_of(" \r", begin) - begin);
}

TEST(Files, EachStatesTheLicenceOfItsFolder) {
  for (const SourceFile& file : sourceTree()) {
    if (carriesNoComment(file)) continue;
    EXPECT_EQ(statedLicence(file), licenceFor(file)) << file.path;
  }
}

TEST(Files, NoneIsLongerThanAPersonReads) {
  for (const SourceFile& file : sourceTree()) {
    if (!isCode(file)) continue;
    EXPECT_LE(std::count(file.text.begin(), file.text.end(), '\n'), kLongestFile) << file.path;
  }
}

TEST(Files, NoneNamesAFolderOfTheMachineItWasWrittenOn) {
  const std::string slash = "/";  // apart from the names, or this file would find itself
  for (const SourceFile& file : sourceTree()) {
    for (const char* folder : {"work/", "root/", "home/"}) {
      const std::size_t at = file.text.find(slash + folder);
      const bool absolute =
          at != std::string::npos &&
          (at == 0 || std::string_view(" \"'(=<>\n`").find(file.text[at - 1]) != std::string_view::npos);
      EXPECT_FALSE(absolute && !file.path.ends_with(".rep")) << file.path << " names " << slash << folder;
    }
  }
}

TEST(Files, AMissingOrWrongLicenceIsFound) {
  EXPECT_EQ(statedLicence({"a.h", "// SPDX-License-Identifier: Apache-2.0\nint a;\n"}), "Apache-2.0");
  EXPECT_EQ(statedLicence({"a.svg", "<?xml version=\"1.0\"?>\n<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n"}),
            "GPL-3.0-or-later");
  EXPECT_EQ(statedLicence({"a.h", "int a;\n// SPDX-License-Identifier: Apache-2.0\n"}), "");
  EXPECT_EQ(licenceFor({"views/timeline/canvas.cpp", ""}), "GPL-3.0-or-later");
  EXPECT_EQ(licenceFor({"tests/bench/frames.cpp", "\n#include \"views/theme.h\"\n"}), "GPL-3.0-or-later");
  EXPECT_EQ(licenceFor({"app/cli/main.cpp", ""}), "Apache-2.0");
}

}  // namespace
}  // namespace lanescope::architecture
