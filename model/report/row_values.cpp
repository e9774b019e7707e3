// SPDX-License-Identifier: Apache-2.0
#include "model/report/row_values.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "model/report/strings.h"
#include "model/report/table_scan.h"

namespace lanescope::report {
namespace {

constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

bool withoutGaps(const std::vector<std::int64_t>& ids) {
  for (std::size_t i = 1; i < ids.size(); ++i)
    if (ids[i] - ids[0] != static_cast<std::int64_t>(i)) return false;
  return true;
}

}  // namespace

struct RowValues::File {
  explicit File(Database opened) : database(std::move(opened)) {}
  Database database;
  trace::NameTable names;
  Strings strings{database, names};
  std::unordered_map<std::int64_t, trace::NameId> texts;
};

RowValues::RowValues(std::unique_ptr<File> file) : file_(std::move(file)) {}
RowValues::RowValues(RowValues&&) noexcept = default;
RowValues& RowValues::operator=(RowValues&&) noexcept = default;
RowValues::~RowValues() = default;

Result<RowValues> RowValues::open(const std::filesystem::path& path) {
  Result<Database> database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  return RowValues(std::make_unique<File>(std::move(*database)));
}

std::optional<std::int64_t> RowValues::Column::at(std::uint64_t row) const {
  const auto id = static_cast<std::int64_t>(row);
  std::size_t index = 0;
  if (rows_->ids.empty()) {
    if (id < rows_->first) return std::nullopt;
    index = static_cast<std::size_t>(id - rows_->first);
  } else {
    const auto found = std::lower_bound(rows_->ids.begin(), rows_->ids.end(), id);
    if (found == rows_->ids.end() || *found != id) return std::nullopt;
    index = static_cast<std::size_t>(found - rows_->ids.begin());
  }
  return index < values_.size() ? (*this)[index] : std::nullopt;
}

std::optional<std::int64_t> RowValues::Column::operator[](std::size_t i) const {
  return values_[i] == kNothing ? std::nullopt : std::optional(values_[i]);
}

std::vector<const RowValues::Column*> RowValues::columns(const std::string& table,
                                                         const std::vector<std::string_view>& names) {
  auto& known = read_[table];
  std::vector<std::string_view> missing;
  std::copy_if(names.begin(), names.end(), std::back_inserter(missing),
               [&](std::string_view name) { return known.find(name) == known.end(); });
  if (!missing.empty()) read(table, missing);
  std::vector<const Column*> found;
  found.reserve(names.size());
  for (const std::string_view name : names) found.push_back(&known.find(name)->second);
  return found;
}

void RowValues::read(const std::string& table, const std::vector<std::string_view>& names) {
  std::vector<std::int64_t> ids;
  std::vector<std::vector<std::int64_t>> values(names.size());
  scanTable(file_->database, table, names, [&](const TableRow& row) {
    ids.push_back(row.rowid());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int column = static_cast<int>(i);
      values[i].push_back(row.isInteger(column) ? row.integer(column) : kNothing);
    }
  });
  auto rows = std::make_shared<Column::Rows>();
  if (!ids.empty()) rows->first = ids.front();
  if (!withoutGaps(ids)) {
    if (!std::is_sorted(ids.begin(), ids.end())) {
      std::vector<std::size_t> order(ids.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] < ids[b]; });
      const auto reorder = [&](std::vector<std::int64_t>& list) {
        std::vector<std::int64_t> sorted(list.size());
        std::transform(order.begin(), order.end(), sorted.begin(), [&](std::size_t i) { return list[i]; });
        list = std::move(sorted);
      };
      for (auto& each : values) reorder(each);
      reorder(ids);
    }
    rows->ids = std::move(ids);
  }
  auto& known = read_[table];
  for (std::size_t i = 0; i < names.size(); ++i) {
    Column& column = known[std::string(names[i])];
    column.rows_ = rows;
    column.values_ = std::move(values[i]);
  }
}

std::string_view RowValues::text(std::int64_t id) {
  const auto [found, isNew] = file_->texts.try_emplace(id, 0);
  if (isNew) found->second = file_->names.intern(file_->strings.text(id));
  return file_->names[found->second].text;
}

std::unordered_map<std::uint64_t, NcclCall> RowValues::ncclCalls() const { return report::ncclCalls(file_->database); }

std::shared_ptr<const SampleStacks> RowValues::sampleStacks(StackSource source, const Job& job) const {
  return SampleStacks::read(file_->database, job, source);
}

const Database& RowValues::database() const { return file_->database; }

}  // namespace lanescope::report
