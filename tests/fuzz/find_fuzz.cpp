// SPDX-License-Identifier: Apache-2.0
// What is typed into the search: hits that can be walked, or a mistake at a place in the input. The first byte says how
// it is read: / as an expression, = as one that regards capitals; else as plain text.
#include "model/analysis/find.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sample_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  using analysis::Query;
  std::string_view input = fuzz::lineOf(bytes, size);
  const bool smart = input.starts_with('='), regex = smart || input.starts_with('/');
  if (regex) input.remove_prefix(1);
  const auto query = Query::parse(input, regex, smart ? Query::Case::kSmart : Query::Case::kIgnored);
  if (!query) {
    const Query::Mistake& mistake = query.error();
    fuzz::demand(!mistake.why.empty() && mistake.at <= input.size() && mistake.length <= input.size() - mistake.at);
    return 0;
  }
  const trace::Trace& trace = fuzz::sampleTrace();
  const analysis::Hits hits = find(trace, *query);
  fuzz::demand(!query->empty() || hits.count == 0);
  const auto first = firstHits(trace, hits, 100);
  fuzz::demand(first.size() == hits.count);
  std::uint64_t rank = 0;
  for (const trace::EventRef hit : first) fuzz::demand(rankOf(trace, hits, hit) == ++rank);
  return 0;
}
