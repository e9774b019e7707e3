// SPDX-License-Identifier: Apache-2.0
// Any text, read as a Chrome or Kineto trace, ends in a trace or in an error with a sentence. The size says which options.
#include "model/import/importers.h"
#include "tests/fuzz/import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  static const fuzz::Scratch scratch;
  const auto file = scratch.holding("a.json", fuzz::textOf(bytes, size));
  const imported::ImportOptions options{.details = size % 2 == 0, .timesAreNanoseconds = size % 5 == 0};
  fuzz::demandSense(imported::readChrome(file, options, Job()), scratch, size % 16 == 0);
  return 0;
}
