// SPDX-License-Identifier: Apache-2.0
// What --fail-if asks, held against a comparison: an answer that counts no more names than there are, or what is wrong.
#include "model/compare/condition.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope::compare;

Comparison sampleComparison() {
  Comparison made;
  ComparedName slower, gone;
  slower.name = "train:step *";
  slower.a = SideFigures{.count = 10, .total = 100, .mean = 10, .median = 10};
  slower.b = SideFigures{.count = 10, .total = 150, .mean = 15, .median = 15};
  slower.difference = 50, slower.ratio = 1.5, slower.share = 0.5;
  gone.subject = Subject::kRange, gone.name = "scale";
  gone.a = SideFigures{.count = 1, .total = 5, .mean = 5, .median = 5};
  made.names = {slower, gone};
  made.figures.resize(1);
  made.figures[0].a.id = made.figures[0].b.id = "gpu_busy";
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  static const Comparison comparison = sampleComparison();
  const std::string_view text = fuzz::lineOf(bytes, size);
  const auto condition = Condition::parse(text);
  if (!condition) {
    fuzz::demand(!condition.error().empty());
    return 0;
  }
  const Condition::Answer answer = condition->of(comparison);
  fuzz::demand(answer.holds.size() + answer.unknown <= answer.asked && answer.asked <= 3);
  return 0;
}
