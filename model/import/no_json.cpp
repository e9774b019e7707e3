// SPDX-License-Identifier: Apache-2.0
// Stands for chrome.cpp and json_*.cpp in the command line that is brought to servers, which has no JSON library.
#include "model/import/importers.h"
#include "model/import/json_reader.h"

namespace lanescope::imported {

namespace {

Error noJson(const std::filesystem::path& path) { return {ErrorCode::kNoJson, path.string(), ""}; }

}  // namespace

Result<Recording> readChrome(const std::filesystem::path& path, const ImportOptions&, const Job&) {
  return tl::unexpected(noJson(path));
}

Result<std::vector<std::pair<std::string, std::string>>> argumentsOf(const std::filesystem::path& path,
                                                                     const Positions&, std::uint64_t,
                                                                     const std::filesystem::path&, const Job&) {
  return tl::unexpected(noJson(path));
}

}  // namespace lanescope::imported
