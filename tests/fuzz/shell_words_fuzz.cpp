// SPDX-License-Identifier: Apache-2.0
// A line of a shell: what is read is written so that it is read again; what is refused is refused at a place in the line.
#include "model/shell_words.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view line = fuzz::lineOf(bytes, size);
  const auto words = readShellWords(line);
  if (!words) {
    fuzz::demand(words.error().at <= line.size() && !words.error().text.empty());
    return 0;
  }
  const auto again = readShellWords(shellLine(*words));
  fuzz::demand(again && *again == *words);
  return 0;
}
