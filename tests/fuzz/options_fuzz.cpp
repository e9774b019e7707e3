// SPDX-License-Identifier: Apache-2.0
// The command line of `lanescope profile`: options with their types or one line why not. Starts nothing, reads no file.
#include <algorithm>

#include "collector/launch/option_table.h"
#include "collector/launch/options.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view line = fuzz::lineOf(bytes, size);
  const std::vector<std::string> words = launch::splitWords(line);
  fuzz::demand(words.size() <= line.size());
  if (line.find("command-file") != line.npos) return 0;  // a file of the machine, which may be any

  const auto read = launch::readCommandLine(words);
  if (!read) {
    fuzz::demand(!read.error().empty());
    return 0;
  }
  const launch::Options& options = read->options;
  fuzz::demand(!read->answer.empty() || !options.program.empty());
  fuzz::demand(options.delay >= 0 && options.duration >= 0 && options.killSignal >= 0);
  fuzz::demand(options.nvtxInclude.empty() || options.nvtxExclude.empty());
  for (const auto& [name, value] : options.environment) fuzz::demand(!name.empty() && name.find('=') == name.npos);
  return 0;
}
