// SPDX-License-Identifier: Apache-2.0
// Strings of a report by id, quoted for JSON already. Keeps some thousand of them at hand, so that a kernel's name is
// read once and not a million times; memory does not grow with the table. One thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/report/strings.h"

namespace lanescope::exporting {

class Texts {
 public:
  explicit Texts(const report::Database& database) : strings_(database, names_), kept_(kKept) {}

  /// Says of a string that the file does not have which it is; valid until the next call.
  std::string_view quoted(std::int64_t id) { return entry(id).quoted; }
  std::string_view plain(std::int64_t id) { return entry(id).plain; }

 private:
  struct Entry {
    std::int64_t id = 0;
    bool known = false;
    std::string plain, quoted;
  };
  const Entry& entry(std::int64_t id);

  static constexpr std::size_t kKept = 4096, kLongest = 1 << 13;
  trace::NameTable names_;  // wanted by Strings; stays empty
  report::Strings strings_;
  std::vector<Entry> kept_;  // by the id's last digits
  Entry passing_;  // too long to keep
};

}  // namespace lanescope::exporting
