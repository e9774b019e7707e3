// SPDX-License-Identifier: Apache-2.0
// Any bytes whatever, opened as another tool's file: told by content, imported or refused with a sentence.
#include "tests/fuzz/import.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  static const fuzz::Scratch scratch;
  const auto file = scratch.holding("a.db", fuzz::textOf(bytes, size));
  const Result<imported::Format> format = imported::formatOf(file);
  if (!format) {
    fuzz::demand(isCleanUtf8(sentence(format.error())));
    return 0;
  }
  if (*format == imported::Format::kReport) return 0;
  fuzz::demandSense(imported::read(file, {.details = size % 3 == 0}, Job()), scratch, size % 16 == 0);
  return 0;
}
