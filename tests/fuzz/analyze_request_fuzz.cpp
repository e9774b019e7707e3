// SPDX-License-Identifier: Apache-2.0
// Options of `analyze` with words of their own, a field each behind a bar: --fail-on | -r | -f | -o | --timeunit. A request
// that makes sense throughout, or one line about what does not.
#include "app/cli/analyze_request.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope;

/// Up to the next bar, which is taken as well.
std::string field(std::string_view& text) {
  const std::size_t bar = text.find('|');
  const std::string word(text.substr(0, bar));
  text.remove_prefix(bar == std::string_view::npos ? text.size() : bar + 1);
  return word;
}

void addField(std::string_view& text, std::vector<std::string>& words) {
  if (std::string word = field(text); !word.empty()) words.push_back(std::move(word));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string_view text = fuzz::lineOf(bytes, size);
  cli::AnalyzeOptions options;
  addField(text, options.failOn);
  addField(text, options.rules);
  addField(text, options.formats);
  addField(text, options.outputs);
  if (std::string unit = field(text); !unit.empty()) options.timeUnit = std::move(unit);
  options.files = {"run.rep"};

  const auto request = cli::requestOf(options);
  if (!request) {
    fuzz::demand(!request.error().empty());
    return 0;
  }
  fuzz::demand(!request->orders.empty() && request->gates.size() == options.failOn.size());
  for (const cli::Gate& gate : request->gates) {
    fuzz::demand(gate.rule || gate.check);
    fuzz::demand(gate.limit ? *gate.limit >= 0 : gate.rule || gate.check->goal.has_value());
  }
  return 0;
}
