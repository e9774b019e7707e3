// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file that may be packed: what comes out is read, in bounded memory, or an error says why not.
#include <utility>

#include "model/import/archive_text.h"
#include "model/import/json_reader.h"
#include "model/utf8.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope;

struct Counter : imported::JsonVisitor {
  void beginDocument(const imported::JsonDocument&) override { fuzz::demand(!std::exchange(isOpen, true)); }
  void entry(const imported::JsonEvent& event) override {
    fuzz::demand(isOpen && (entries == 0 || event.ordinal > last));
    last = event.ordinal;
    ++entries;
  }
  void endDocument(const imported::JsonDocument&) override { fuzz::demand(std::exchange(isOpen, false)); }

  bool isOpen = false;
  std::uint64_t entries = 0, last = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Scratch scratch;
  const auto file = scratch.holding("a.gz", fuzz::textOf(bytes, size));
  Counter counter;
  const auto read = imported::readJson(file, false, counter, Job());
  fuzz::demand(!counter.isOpen);
  if (!read) {
    fuzz::demand(isCleanUtf8(sentence(read.error())));
    return 0;
  }
  for (const trace::Issue& issue : read->issues) fuzz::demand(issue.text.size() < 10'000 && isCleanUtf8(issue.text));
  if (counter.entries > 0) {
    const auto unpacked = scratch.path() / "unpacked";
    imported::argumentsOf(file, read->positions, counter.last, unpacked, Job());
    std::filesystem::remove(unpacked);
  }
  return 0;
}
