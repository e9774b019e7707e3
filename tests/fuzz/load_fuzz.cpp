// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes whatever, opened as a report, end in a trace or in an error with a sentence.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "model/report/load.h"

namespace {

/// One file for the whole run, taken away at its end.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(std::filesystem::temp_directory_path() / ("lanescope-fuzz-" + std::to_string(getpid()) + ".sqlite")) {}
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::filesystem::path& holding(const std::uint8_t* bytes, std::size_t size) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    return path_;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const TemporaryFile file;
  using namespace lanescope;
  const auto trace = report::load(file.holding(bytes, size), {}, [](const trace::TracePtr&) {}, Job());
  if (trace ? !(*trace)->complete : sentence(trace.error()).empty()) std::abort();
  return 0;
}
