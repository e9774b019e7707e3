// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/import/json_document.h"
#include "model/import/json_text.h"

namespace lanescope::imported {

Result<JsonRead> readJson(const std::filesystem::path& path, bool timesAreNanoseconds, JsonVisitor& visitor,
                          const Job& job) {
  auto source = openPlainText(path, 0);
  if (!source) return tl::unexpected(source.error());
  JsonRead read;
  JsonTroubles troubles;
  EntryParser parser(timesAreNanoseconds);
  JsonProgress progress{0, 0, read.positions};
  std::string other;
  bool isTrace = false;
  for (JsonDocument document; (*source)->nextDocument(document.name); document = {}) {
    DocumentReader reader(**source, parser, visitor, troubles, progress, document, job);
    visitor.beginDocument(document);
    reader.read();
    visitor.endDocument(document);
    isTrace = isTrace || reader.isTrace();
    if (!reader.isTrace() && other.empty()) other = reader.whatElse();
  }
  if (const auto& failure = (*source)->failure()) return tl::unexpected(*failure);
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
  if (!isTrace) return tl::unexpected(Error{ErrorCode::kNotAReport, path.string(), other});
  read.issues = troubles.issues();
  return read;
}

}  // namespace lanescope::imported
