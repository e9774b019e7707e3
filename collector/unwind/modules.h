// SPDX-License-Identifier: Apache-2.0
// The files that were mapped, opened when somebody asks and found again by the number of their mapping: shared by Unwinder
// and Symbols. A file whose build id is not the one that was recorded is none: it was replaced since. One thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collector/unwind/address_space.h"

namespace lanescope::unwind {

class ElfFile;

/// One file, or one image of the kernel's.
struct Module {
  std::string path;
  std::vector<std::uint8_t> buildId;  ///< the recorded one, else the file's
  std::unique_ptr<ElfFile> file;  ///< null: none, or not what was recorded
  std::uint32_t number = 0;  ///< from 1 on
  bool wasReplaced = false;

  Module();
  ~Module();
};

class Modules {
 public:
  static constexpr std::size_t kMostFiles = 4096;  ///< what comes later has none

  /// Where a path of the program is found; for programs with another root, and tests.
  explicit Modules(std::filesystem::path root = {});
  ~Modules();

  Module& of(const Mapping& mapping);
  const std::vector<std::unique_ptr<Module>>& all() const { return modules_; }

  /// The address in the module's own terms; the mapping's own for what has no file.
  static std::uint64_t addressIn(const Module& module, const Mapping& mapping, std::uint64_t address);

 private:
  std::unique_ptr<Module> open(const Mapping& mapping) const;

  std::filesystem::path root_;
  std::vector<std::unique_ptr<Module>> modules_;
  std::vector<Module*> byMapping_;  // by Mapping::number
  std::map<std::pair<std::string, std::vector<std::uint8_t>>, Module*> byName_;
  std::size_t files_ = 0;
};

}  // namespace lanescope::unwind
