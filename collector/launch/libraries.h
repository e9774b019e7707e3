// SPDX-License-Identifier: Apache-2.0
// CUDA's libraries that tell of their own calls: as NVTX ranges of a domain of theirs, most of them only when a variable of
// the environment asks for it before they are loaded. Levels and domains as cuBLAS 13.1, cuDNN 9, cuSOLVER 12, cuSPARSE 12
// and NCCL 2.28 have them. Constant data; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::launch {

/// Where calls are written: tables of their own, or as any NVTX range.
enum class LibraryTable : std::uint8_t { kNvtx, kCublas, kCudnn };

struct Library {
  std::string_view name;  ///< of --trace; "-verbose" behind it keeps inner calls, setters and getters
  std::string_view domain;
  LibraryTable table;
  std::string_view variables;  ///< "NAME=LEVEL", with blanks between
};

std::span<const Library> libraries();
/// "cublas", "cublas-verbose"
bool isLibrary(std::string_view word);

/// Those of words like "cublas" and "cudnn-verbose".
class AskedLibraries {
 public:
  AskedLibraries() = default;
  explicit AskedLibraries(std::span<const std::string> words);

  struct Asked {
    const Library* library = nullptr;  ///< null: not asked for, or no library's
    bool verbose = false;
  };
  Asked ofDomain(std::string_view domain) const;
  std::vector<std::string> domains() const;
  /// For the environment of the program.
  std::vector<std::pair<std::string, std::string>> variables() const;

 private:
  std::vector<Asked> asked_;
};

/// Whether a call only sets up others: cublasSetStream_v2, cublasLtMatmulDescCreate.
bool setsUpOnly(std::string_view call);

}  // namespace lanescope::launch
