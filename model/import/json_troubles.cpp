// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_troubles.h"

#include <fmt/format.h>

#include <string>

namespace lanescope::imported {

void JsonTroubles::add(Cause cause, std::uint64_t position, std::uint64_t count) {
  Seen& seen = seen_[cause];
  if (seen.count == 0) seen.first = position;
  seen.count += count;
}

std::vector<trace::Issue> JsonTroubles::issues() const {
  struct Wording {
    const char *kind, *one, *many;
  };
  constexpr std::array<Wording, kCauses> kWordings = {{
      {"import-skipped-damaged", "1 entry that is no JSON was skipped", "{} entries that are no JSON were skipped"},
      {"import-skipped-no-object", "1 entry that is no object was skipped",
       "{} entries that are no objects were skipped"},
      {"import-skipped-deep", "1 entry nested too deep was skipped", "{} entries nested too deep were skipped"},
      {"import-skipped-long", "1 entry of more than 64 MiB was skipped", "{} entries of more than 64 MiB were skipped"},
      {"import-skipped-text", "Text that is no JSON was skipped", "Text that is no JSON was skipped, {} times"},
      {"import-skipped-beside", "What stands beside the events was skipped, as it is damaged, too deep or too long",
       "What stands beside the events was skipped {} times, as it is damaged, too deep or too long"},
      {"import-repaired-control", "1 text held control characters, which are shown as pictures of them",
       "{} texts held control characters, which are shown as pictures of them"},
      {"import-repaired-utf8", "1 text was not UTF-8: what is wrong is shown as \uFFFD",
       "{} texts were not UTF-8: what is wrong is shown as \uFFFD"},
      {"import-cut-off", "The text was cut off: what is whole was read",
       "{} texts were cut off: what is whole was read"},
      {"import-gave-up", "No entry came for 1 GiB of text: the rest was not read", ""},
  }};
  std::vector<trace::Issue> issues;
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    const Seen& seen = seen_[cause];
    if (seen.count == 0) continue;
    const Wording& words = kWordings[cause];
    const std::string what = seen.count == 1 ? words.one : fmt::format(fmt::runtime(words.many), seen.count);
    issues.push_back({words.kind, seen.count,
                      fmt::format("{} ({}byte {})", what, seen.count == 1 ? "" : "the first at ", seen.first),
                      std::nullopt});
  }
  return issues;
}

}  // namespace lanescope::imported
