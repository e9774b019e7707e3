// SPDX-License-Identifier: Apache-2.0
// Any bytes whatever, opened as a report, end in a trace or in an error with a sentence.
#include "model/report/load.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  static const fuzz::Scratch scratch;
  const auto file = scratch.holding("a.sqlite", fuzz::textOf(bytes, size));
  const auto trace = report::load(file, {}, [](const trace::TracePtr&) {}, Job());
  fuzz::demand(trace ? (*trace)->complete : !sentence(trace.error()).empty());
  return 0;
}
