// SPDX-License-Identifier: Apache-2.0
// Whether a process runs Python, and where that keeps its state: looks at what the process has mapped and at the symbols
// of those files. Nothing in them is trusted; at most 64 MiB of a file are read. Any thread, a PythonFiles each.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "collector/python/memory.h"

namespace lanescope::sample {

/// What a file's symbols say of the Python in it.
struct PythonSymbols {
  unsigned minor = 0;  ///< of 3.x; 0: older than can be told
  std::uint64_t runtime = 0, runtimeBytes = 0;  ///< _PyRuntime, 0 before 3.7; addresses as in the file
  std::uint64_t codeType = 0;  ///< PyCode_Type
  std::uint64_t firstPage = 0;  ///< what the mapping of its beginning has as address
  bool isFixed = false;  ///< addresses are as in the file
};
std::optional<PythonSymbols> pythonIn(const std::string& path);

struct FoundPython {
  unsigned minor = 0;
  python::Address runtime = 0, codeType = 0;
  std::uint64_t runtimeBytes = 0;
};

/// Whether the kernel lets us see what it has mapped; true if it is gone.
bool mayLookAt(pid_t process);

/// The path of what it runs; empty if it is gone.
std::string programOf(pid_t process);

class PythonFiles {
 public:
  std::optional<FoundPython> find(pid_t process);

 private:
  using Identity = std::pair<std::string, std::string>;  ///< device and inode, as written in maps
  std::map<Identity, std::optional<PythonSymbols>> known_;
};

}  // namespace lanescope::sample
