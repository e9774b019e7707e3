// SPDX-License-Identifier: Apache-2.0
#include "model/report/strings.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/report/table_scan.h"

namespace lanescope::report {

using trace::NameId;

std::string_view withoutVersion(std::string_view call) {
  const std::size_t at = call.rfind("_v");
  if (at == std::string_view::npos || at == 0 || call.size() - at < 5)
    return call;  // cuMemAlloc_v2 is part of the name
  const std::string_view digits = call.substr(at + 2);
  return std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }) ? call.substr(0, at)
                                                                                                : call;
}

NameId* Strings::Cache::find(std::int64_t id) {
  if (id >= 0 && id < kDense)
    return static_cast<std::size_t>(id) < dense_.size() && dense_[static_cast<std::size_t>(id)] != 0
               ? &dense_[static_cast<std::size_t>(id)]
               : nullptr;
  const auto found = sparse_.find(id);
  return found == sparse_.end() ? nullptr : &found->second;
}

void Strings::Cache::set(std::int64_t id, NameId name) {
  if (id >= 0 && id < kDense) {
    const auto index = static_cast<std::size_t>(id);
    if (index >= dense_.size()) dense_.resize(std::max(index + 1, 2 * dense_.size()), 0);
    dense_[index] = name + 1;
  } else {
    sparse_[id] = name + 1;
  }
}

Strings::Strings(const Database& database, trace::NameTable& names, const Where& where) : names_(names) {
  if (!database.has(where.table, where.id) || !database.has(where.table, where.text)) return;
  auto keys = database.prepare("SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2 AND pk = 1");
  if (keys) {
    keys->bind(1, where.table);
    keys->bind(2, where.id);
  }
  if (keys && keys->step() && keys->integer(0) == 1) {
    if (auto statement = database.prepare("SELECT " + quotedName(where.text) + " FROM " + quotedName(where.table) +
                                          " WHERE " + quotedName(where.id) + " = ?1"))
      statement_ = std::move(*statement);
  } else {
    scanTable(database, where.table, {where.id, where.text},
              [this](const TableRow& row) { all_.emplace(row.integer(0), row.text(1)); });
  }
}

std::optional<std::string> Strings::find(std::int64_t id) {
  if (!statement_.raw()) {
    const auto found = all_.find(id);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }
  statement_.reset();
  statement_.bind(1, id);
  return statement_.step() ? std::optional(std::string(statement_.text(0))) : std::nullopt;
}

std::string Strings::text(std::int64_t id) { return find(id).value_or(std::string()); }

std::string Strings::lookUp(std::int64_t id) {
  if (const auto text = find(id)) return text->empty() ? "(unnamed)" : *text;
  ++missing_;
  return fmt::format("(string {} missing)", id);
}

NameId Strings::name(std::int64_t id, std::uint32_t argb) {
  if (argb != 0) return names_.intern(names_[name(id)].text, {}, argb);
  if (const NameId* known = plain_.find(id)) return *known - 1;
  const NameId name = names_.intern(lookUp(id));
  plain_.set(id, name);
  return name;
}

NameId Strings::kernel(std::int64_t demangled, std::int64_t shortName) {
  if (const NameId* known = kernels_.find(demangled)) return *known - 1;
  const NameId name = names_.intern(lookUp(demangled), text(shortName));
  kernels_.set(demangled, name);
  return name;
}

NameId Strings::call(std::int64_t id) {
  if (const NameId* known = calls_.find(id)) return *known - 1;
  const std::string whole = lookUp(id);
  const NameId name = names_.intern(whole, withoutVersion(whole));
  calls_.set(id, name);
  return name;
}

}  // namespace lanescope::report
