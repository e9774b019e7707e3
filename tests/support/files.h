// SPDX-License-Identifier: Apache-2.0
// Where tests find their inputs and leave their outputs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::test {

/// The checkout, and what it is built in.
std::filesystem::path sourceFolder();
std::filesystem::path binaryFolder();

/// The folder of golden and strangers' files beside the checkout; may not exist.
std::filesystem::path sharedFolder();

/// Leaves the test as skipped where that folder is missing. In the test's body only.
#define LANESCOPE_NEEDS_SHARED()                                 \
  if (!std::filesystem::exists(lanescope::test::sharedFolder())) \
  GTEST_SKIP() << "no shared folder beside the checkout: " << lanescope::test::sharedFolder().filename()

/// Files in a folder whose names end so, sorted; empty if there is no such folder.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder, std::string_view ending = "");

/// The nsys.sqlite of every golden folder.
std::vector<std::filesystem::path> goldenExports();

/// A folder of its own, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::vector<std::string> names() const;  ///< of all files in it, sorted

 private:
  std::filesystem::path path_;
};

std::string readFile(const std::filesystem::path& path);
void writeFile(const std::filesystem::path& path, std::string_view content);

/// A value that a parametrised test can be named by: letters, digits and underscores of the text.
std::string testName(std::string_view text);

}  // namespace lanescope::test
