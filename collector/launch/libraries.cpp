// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/libraries.h"

#include <algorithm>
#include <array>

namespace lanescope::launch {
namespace {

// At level 1 cuBLAS tells of its cublasLt calls only, and cuSPARSE and cuSOLVER of little.
constexpr auto kLibraries = std::to_array<Library>({
    {"cublas", "cuBLAS", LibraryTable::kCublas, "CUBLAS_NVTX_LEVEL=2 CUBLASLT_NVTX_LEVEL=2 CUBLASXT_NVTX_LEVEL=2"},
    {"cudnn", "cuDNN", LibraryTable::kCudnn, "CUDNN_NVTX_LEVEL=2"},
    {"cusolver", "cusolverDn", LibraryTable::kNvtx, "CUSOLVERDN_NVTX_LEVEL=2"},
    {"cusparse", "CUSPARSE", LibraryTable::kNvtx, "CUSPARSE_NVTX_LEVEL=2"},
    {"nccl", "NCCL", LibraryTable::kNvtx, ""},
});

constexpr std::string_view kVerbose = "-verbose";

/// The library that a word names, and whether with its inner calls.
AskedLibraries::Asked askedBy(std::string_view word) {
  const bool verbose = word.ends_with(kVerbose);
  if (verbose) word.remove_suffix(kVerbose.size());
  const auto library = std::ranges::find(kLibraries, word, &Library::name);
  return {library != kLibraries.end() ? &*library : nullptr, verbose};
}

bool hasOneOf(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return text.find(part) != text.npos; });
}

}  // namespace

std::span<const Library> libraries() { return kLibraries; }

bool isLibrary(std::string_view word) { return askedBy(word).library != nullptr; }

AskedLibraries::AskedLibraries(std::span<const std::string> words) {
  for (const std::string& word : words) {
    const Asked asked = askedBy(word);
    if (!asked.library) continue;
    const auto known = std::ranges::find(asked_, asked.library, &Asked::library);
    if (known != asked_.end()) known->verbose |= asked.verbose;
    else asked_.push_back(asked);
  }
}

AskedLibraries::Asked AskedLibraries::ofDomain(std::string_view domain) const {
  const auto found = std::ranges::find(asked_, domain, [](const Asked& asked) { return asked.library->domain; });
  return found != asked_.end() ? *found : Asked();
}

std::vector<std::string> AskedLibraries::domains() const {
  std::vector<std::string> all;
  all.reserve(asked_.size());
  for (const Asked& asked : asked_) all.emplace_back(asked.library->domain);
  return all;
}

std::vector<std::pair<std::string, std::string>> AskedLibraries::variables() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const Asked& asked : asked_) {
    for (std::string_view rest = asked.library->variables; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(one.size() + 1, rest.size()));
      all.emplace_back(one.substr(0, one.find('=')), one.substr(one.find('=') + 1));
    }
  }
  return all;
}

bool setsUpOnly(std::string_view call) {
  if (hasOneOf(call, {"Heuristic", "Algorithm", "etVector", "etMatrix"})) return hasOneOf(call, {"Layout"});
  return hasOneOf(call, {"Set", "Get", "Desc", "Layout", "Preference", "DnMat", "DnVec", "SpMat", "bufferSize"});
}

}  // namespace lanescope::launch
