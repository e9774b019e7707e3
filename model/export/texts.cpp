// SPDX-License-Identifier: Apache-2.0
#include "model/export/texts.h"

#include <fmt/format.h>

#include "model/json.h"

namespace lanescope::exporting {

const Texts::Entry& Texts::entry(std::int64_t id) {
  Entry& place = kept_[static_cast<std::uint64_t>(id) % kKept];
  if (place.known && place.id == id) return place;
  std::string text = strings_.find(id).value_or(fmt::format("(string {} missing)", id));
  Entry& fresh = text.size() <= kLongest ? place : passing_;
  fresh = {.id = id, .known = true, .plain = std::move(text), .quoted = {}};
  appendQuoted(fresh.quoted, fresh.plain);
  return fresh;
}

}  // namespace lanescope::exporting
