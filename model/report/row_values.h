// SPDX-License-Identifier: Apache-2.0
// What a report's rows hold that the trace does not keep in memory (grids, registers, addresses), for figures over many
// events: whole numbers by an event's source row. Columns of one call are read in one pass, O(rows), and kept: 8 bytes a
// value. A table, column or value that is missing reads as nothing. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/error.h"
#include "model/report/nccl_calls.h"
#include "model/report/sample_stacks.h"
#include "model/trace/time.h"

namespace lanescope::report {

class Database;

class RowValues {
 public:
  static Result<RowValues> open(const std::filesystem::path& path);
  RowValues(RowValues&&) noexcept;
  RowValues& operator=(RowValues&&) noexcept;
  ~RowValues();

  class Column {
   public:
    std::optional<std::int64_t> at(std::uint64_t row) const;
    /// All rows, in order of their ids.
    std::size_t size() const { return values_.size(); }
    std::optional<std::int64_t> operator[](std::size_t i) const;

   private:
    friend class RowValues;
    struct Rows {
      std::int64_t first = 0;
      std::vector<std::int64_t> ids;  // ascending; empty where they follow each other without a gap
    };
    std::shared_ptr<Rows> rows_;
    std::vector<std::int64_t> values_;  // kNothing for no value
  };

  /// Columns of a table, in the order asked for; valid as long as this object.
  std::vector<const Column*> columns(const std::string& table, const std::vector<std::string_view>& names);

  /// A string of the report, repaired where it is not UTF-8; empty if missing. Valid as long as this object.
  std::string_view text(std::int64_t id);

  /// What NCCL says of its calls; read anew each time.
  std::unordered_map<std::uint64_t, NcclCall> ncclCalls() const;

  /// Of all samples; read anew each time.
  std::shared_ptr<const SampleStacks> sampleStacks(StackSource source, const Job& job) const;

  /// The file itself, for who reads more of it than numbers.
  const Database& database() const;

 private:
  struct File;
  explicit RowValues(std::unique_ptr<File> file);
  void read(const std::string& table, const std::vector<std::string_view>& names);

  std::unique_ptr<File> file_;
  std::map<std::string, std::map<std::string, Column, std::less<>>, std::less<>> read_;
};

}  // namespace lanescope::report
