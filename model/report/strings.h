// SPDX-License-Identifier: Apache-2.0
// StringIds of a report, or a table like it, as names of a trace. A string is read when the first event uses it, so a table of millions
// costs only what is drawn. O(1) for a string seen before, O(log n) in the file for a new one; a table that somebody
// copied without its key is read whole once.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/report/database.h"
#include "model/trace/names.h"

namespace lanescope::report {

/// An API call without the version CUPTI puts behind it.
std::string_view withoutVersion(std::string_view call);

class Strings {
 public:
  /// Which table it is; another tool's file has another.
  struct Where {
    std::string table = "StringIds", id = "id", text = "value";
  };
  Strings(const Database& database, trace::NameTable& names) : Strings(database, names, Where()) {}
  Strings(const Database& database, trace::NameTable& names, const Where& where);

  trace::NameId name(std::int64_t id, std::uint32_t argb = 0);
  /// A kernel by its whole name, labelled with its short one.
  trace::NameId kernel(std::int64_t demangled, std::int64_t shortName);
  /// An API call, labelled without the version CUPTI puts behind it: cudaLaunchKernel_v7000.
  trace::NameId call(std::int64_t id);
  /// The text itself, empty if there is no such string.
  std::string text(std::int64_t id);

  /// The same, none if there is no such string.
  std::optional<std::string> find(std::int64_t id);

  std::uint64_t missing() const { return missing_; }  ///< distinct ids that the file does not have

 private:
  /// id → name: a vector for the small ids that exporters give, a map for the rest.
  class Cache {
   public:
    trace::NameId* find(std::int64_t id);
    void set(std::int64_t id, trace::NameId name);

   private:
    static constexpr std::int64_t kDense = 1 << 20;
    std::vector<trace::NameId> dense_;  // name + 1, 0 for unknown
    std::unordered_map<std::int64_t, trace::NameId> sparse_;
  };

  std::string lookUp(std::int64_t id);  // never empty: says what is missing

  Statement statement_;  // where id is the key
  std::unordered_map<std::int64_t, std::string> all_;  // where it is not
  trace::NameTable& names_;
  Cache plain_, kernels_, calls_;
  std::uint64_t missing_ = 0;
};

}  // namespace lanescope::report
