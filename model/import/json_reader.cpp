// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "model/import/archive_text.h"
#include "model/import/json_document.h"
#include "model/import/json_text.h"

namespace lanescope::imported {

namespace {

/// Members of an archive that hold no trace.
class Others {
 public:
  void add(const std::string& name, const std::string& what) {
    if (count_++ == 0) first_ = name.empty() ? what : "holds no trace";
    if (count_ <= kNamed) names_ += (names_.empty() ? "" : ", ") + name;
  }
  const std::string& first() const { return first_; }
  std::optional<trace::Issue> issue() const {
    if (count_ == 0) return std::nullopt;
    return trace::Issue{"import-skipped-member", count_,
                        fmt::format("{} in it that hold{} no trace {} skipped: {}{}",
                                    count_ == 1 ? "1 file" : fmt::format("{} files", count_), count_ == 1 ? "s" : "",
                                    count_ == 1 ? "was" : "were", names_, count_ > kNamed ? ", …" : "")};
  }

 private:
  static constexpr std::uint64_t kNamed = 3;
  std::uint64_t count_ = 0;
  std::string names_, first_ = "is empty";
};

}  // namespace

Result<JsonRead> readJson(const std::filesystem::path& path, bool timesAreNanoseconds, JsonVisitor& visitor,
                          const Job& job) {
  auto source = openText(path);
  if (!source) return tl::unexpected(source.error());
  JsonRead read;
  JsonTroubles troubles;
  EntryParser parser(timesAreNanoseconds);
  JsonProgress progress{0, 0, read.positions};
  Others others;
  bool isTrace = false;
  for (JsonDocument document; !progress.gaveUp && (*source)->nextDocument(document.name); document = {}) {
    DocumentReader reader(**source, parser, visitor, troubles, progress, document, job);
    reader.read();
    if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
    isTrace = isTrace || reader.isTrace();
    if (!reader.isTrace()) others.add(document.name, reader.whatElse());
  }
  const std::optional<Error>& failure = (*source)->failure();
  if (failure && (failure->code != ErrorCode::kDamaged || !isTrace)) return tl::unexpected(*failure);
  if (!isTrace) return tl::unexpected(Error{ErrorCode::kNotAReport, path.string(), others.first()});
  read.issues = troubles.issues();
  if (failure)
    read.issues.push_back({"import-packed-damaged", 1,
                           fmt::format("The packed file is damaged ({}): what came before was read", failure->detail)});
  if (auto issue = others.issue()) read.issues.push_back(std::move(*issue));
  return read;
}

}  // namespace lanescope::imported
