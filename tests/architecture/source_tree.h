// SPDX-License-Identifier: Apache-2.0
// The project's own files with their text, as the checkout holds them: no build output, nothing hidden but .ci.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lanescope::architecture {

struct SourceFile {
  std::string path;  ///< from the repository root, with slashes
  std::string text;
};

inline std::vector<SourceFile> sourceTree() {
  namespace fs = std::filesystem;
  const fs::path root = LANESCOPE_SOURCE_DIR;
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  constexpr std::array kFolders = {".ci",       "LICENSES",  "app",   "collector", "model",
                                   "packaging", "resources", "tests", "views"};
  for (const char* folder : kFolders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());

  std::vector<SourceFile> files;
  for (const fs::path& path : paths) {
    std::ifstream in(path, std::ios::binary);
    files.push_back(
        {path.lexically_relative(root).generic_string(), std::string(std::istreambuf_iterator<char>(in), {})});
  }
  return files;
}

inline bool isCode(const SourceFile& file) { return file.path.ends_with(".h") || file.path.ends_with(".cpp"); }

}  // namespace lanescope::architecture
