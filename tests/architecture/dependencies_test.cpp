// SPDX-License-Identifier: Apache-2.0
// The architecture as a table: which folder may include which. CMake's link lines say the same per library.
#include <gtest/gtest.h>

#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace lanescope::architecture {
namespace {

/// `folder` may include files of itself and of `may`. "model" is model/*.h alone; "model/**" is all below it too.
struct FolderRule {
  std::string_view folder;
  std::vector<std::string_view> may;
};

const std::vector<FolderRule> kFolders = {
    {"model", {}},
    {"model/trace", {"model"}},
    {"model/demangle", {}},
    {"model/report", {"model", "model/trace"}},
    {"model/analysis", {"model", "model/trace", "model/report"}},
    {"model/compare", {"model", "model/trace", "model/report", "model/analysis"}},
    {"model/together", {"model", "model/trace", "model/report", "model/analysis"}},
    {"model/page", {"model", "model/trace", "model/report", "model/analysis", "model/compare"}},
    {"model/record", {"model"}},
    {"model/export", {"model", "model/trace", "model/report"}},
    {"model/import", {"model", "model/trace", "model/report", "model/demangle"}},
    {"model/remote", {"model"}},
    {"collector/wire", {}},
    {"collector/python", {}},
    {"collector/inject", {"collector/wire", "collector/python"}},
    {"collector/preload", {"collector/inject"}},
    {"collector/sample", {"collector/wire", "collector/python"}},
    {"collector/unwind", {"model", "model/trace", "model/demangle"}},
    {"collector/launch", {"model/**", "collector/wire", "collector/sample", "collector/unwind"}},
    {"views", {"model/**"}},
    {"views/plots", {"model/**", "views"}},
    {"views/timeline", {"model/**", "views", "views/plots"}},
    {"views/tables", {"model/**", "views", "views/timeline"}},
    {"views/panels", {"model/**", "views", "views/timeline", "views/plots", "views/tables"}},
    {"views/compare", {"model/**", "views", "views/timeline", "views/tables"}},
    {"views/dialogs", {"model/**", "views"}},
    {"app/manual", {"model"}},
    {"app/cli", {"app", "app/manual", "model/**", "collector/launch"}},
    {"app/ui", {"app", "app/manual", "model/**", "views/**", "collector/launch"}},
};

/// A library's headers and the only folders that may include them.
struct LibraryRule {
  std::string_view name;
  std::regex header;
  std::vector<std::string_view> folders;
};

const std::vector<LibraryRule> kLibraries = {
    {"SQLite", std::regex("sqlite3.*"), {"model/report"}},
    {"QCustomPlot", std::regex("qcustomplot.*"), {"views/plots"}},
    {"CUPTI", std::regex("(cupti|nvml|cuda|nvtx).*"), {"collector/**"}},
    {"JSON", std::regex("simdjson.*"), {"model/import"}},
    {"libarchive", std::regex("archive(_entry)?\\.h"), {"model/import"}},
    {"elfutils", std::regex("((gelf|libelf|dwarf|lzma)\\.h|elfutils/.*)"), {"collector/unwind"}},
    {"zlib", std::regex("zlib\\.h"), {"model/import"}},
    {"Boost", std::regex("boost/.*"), {"model/compare"}},
    {"RE2", std::regex("re2/.*"), {"model/analysis"}},
    {"CLI11", std::regex("CLI/.*"), {"app/**"}},
    {"Qt", std::regex("Q[A-Z].*|Qt.*/.*|q(?!customplot)[a-z]+\\.h"), {"views/**", "app/ui"}},
};

bool matches(std::string_view folder, std::string_view pattern) {
  if (!pattern.ends_with("/**")) return folder == pattern;
  const std::string_view base = pattern.substr(0, pattern.size() - 3);
  return folder == base || (folder.starts_with(base) && folder.substr(base.size()).starts_with('/'));
}

bool matchesAny(std::string_view folder, const std::vector<std::string_view>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view p) { return matches(folder, p); });
}

std::string folderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

bool isOurs(std::string_view include) {
  for (const std::string_view top : {"app/", "collector/", "model/", "views/", "tests/"}) {
    if (include.starts_with(top)) return true;
  }
  return false;
}

/// What is wrong with this include in a file of this folder.
std::optional<std::string> complaint(const std::string& folder, const std::string& include) {
  if (isOurs(include)) {
    const std::string target = folderOf(include);
    if (target == folder) return std::nullopt;
    const auto rule =
        std::find_if(kFolders.begin(), kFolders.end(), [&](const FolderRule& r) { return r.folder == folder; });
    if (rule == kFolders.end()) return folder + " has no row in this table";
    if (!matchesAny(target, rule->may)) return folder + " may not see " + target;
    return std::nullopt;
  }
  for (const LibraryRule& rule : kLibraries) {
    if (std::regex_match(include, rule.header) && !matchesAny(folder, rule.folders)) {
      return std::string(rule.name) + " has no place in " + folder;
    }
  }
  return std::nullopt;
}

/// "FILE includes INCLUDE: why not", for every include of the file that the tables forbid.
std::vector<std::string> forbiddenIncludes(const SourceFile& file) {
  static const std::regex kInclude(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<std::string> found;
  std::istringstream lines(file.text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, kInclude)) continue;
    if (const auto why = complaint(folderOf(file.path), match[1])) {
      found.push_back(file.path + " includes " + match[1].str() + ": " + *why);
    }
    if (match[1].str().starts_with('.'))
      found.push_back(file.path + ": write " + match[1].str() + " from the repository root");
  }
  return found;
}

TEST(Architecture, EveryIncludeFollowsTheTable) {
  std::size_t seen = 0;
  for (const SourceFile& file : sourceTree()) {
    // Tests see what they test and their own support; that they mirror the sources is checked by eye.
    if (!isCode(file) || file.path.starts_with("tests/")) continue;
    ++seen;
    for (const std::string& complaint : forbiddenIncludes(file)) ADD_FAILURE() << complaint;
  }
  EXPECT_GT(seen, 20u) << "the sources were not found";
}

TEST(Architecture, ThePublicHeadersOfTheModelDoNotShowSqlite) {
  for (const SourceFile& file : sourceTree()) {
    if (!file.path.starts_with("tests/") && !file.path.starts_with("model/report/")) {
      EXPECT_EQ(file.text.find("sqlite3_"), std::string::npos) << file.path;
    }
  }
}

TEST(Architecture, AForbiddenIncludeIsFoundAndNamed) {
  const auto complaintsOf = [](const char* path, const char* include) {
    return forbiddenIncludes({path, std::string("#pragma once\n  #  include ") + include + "\n"});
  };
  EXPECT_EQ(complaintsOf("model/trace/lane.cpp", "\"views/theme.h\""),
            std::vector<std::string>{"model/trace/lane.cpp includes views/theme.h: model/trace may not see views"});
  EXPECT_EQ(complaintsOf("model/trace/lane.cpp", "\"model/report/load.h\"").size(), 1u);
  EXPECT_EQ(complaintsOf("model/report/load.cpp", "<QString>").size(), 1u);
  EXPECT_EQ(complaintsOf("model/report/load.cpp", "<QtCore/qstring.h>").size(), 1u);
  EXPECT_EQ(complaintsOf("model/trace/lane.cpp", "<qrgb.h>").size(), 1u);
  EXPECT_EQ(complaintsOf("views/timeline/canvas.cpp", "<qcustomplot.h>").size(), 1u);
  EXPECT_EQ(complaintsOf("app/cli/info.cpp", "<sqlite3.h>").size(), 1u);
  EXPECT_EQ(complaintsOf("collector/inject/cupti.cpp", "\"model/error.h\"").size(), 1u);
  EXPECT_EQ(complaintsOf("views/theme.h", "\"app/ui/session.h\"").size(), 1u);
  EXPECT_EQ(complaintsOf("model/invented/thing.h", "\"model/error.h\"").size(), 1u);
  EXPECT_EQ(complaintsOf("model/trace/lane.cpp", "\"../error.h\"").size(), 1u);

  EXPECT_EQ(complaintsOf("model/trace/lane.cpp", "\"model/trace/lane.h\""), std::vector<std::string>{});
  EXPECT_EQ(complaintsOf("model/report/load.cpp", "<sqlite3.h>"), std::vector<std::string>{});
  EXPECT_EQ(complaintsOf("app/ui/session.cpp", "\"views/timeline/canvas.h\""), std::vector<std::string>{});
}

}  // namespace
}  // namespace lanescope::architecture
