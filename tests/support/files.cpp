// SPDX-License-Identifier: Apache-2.0
#include "tests/support/files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace lanescope::test {

namespace fs = std::filesystem;

fs::path sourceFolder() { return LANESCOPE_SOURCE_DIR; }

fs::path binaryFolder() { return LANESCOPE_BINARY_DIR; }

fs::path sharedFolder() { return sourceFolder().parent_path() / "shared"; }

std::vector<fs::path> filesIn(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().native().ends_with(ending)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> goldenExports() {
  std::vector<fs::path> files;
  for (const fs::path& folder : filesIn(sharedFolder() / "golden")) {
    if (fs::exists(folder / "nsys.sqlite")) files.push_back(folder / "nsys.sqlite");
  }
  return files;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "lanescope-test-XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::permissions(path_, fs::perms::owner_all, ignored);
  fs::remove_all(path_, ignored);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> all;
  for (const fs::path& file : filesIn(path_)) all.push_back(file.filename().string());
  return all;
}

std::string readFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeFile(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string testName(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace lanescope::test
