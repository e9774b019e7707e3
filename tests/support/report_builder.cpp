// SPDX-License-Identifier: Apache-2.0
#include "tests/support/report_builder.h"

#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "model/report/database.h"
#include "model/report/schema.h"

namespace lanescope::test {
namespace {

void check(bool sound, sqlite3* database) {
  if (!sound) throw std::runtime_error(sqlite3_errmsg(database));
}

void bindValue(sqlite3_stmt* statement, int index, const ReportBuilder::Value& value) {
  std::visit(
      [&](const auto& v) {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::nullptr_t>) {
          sqlite3_bind_null(statement, index);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          sqlite3_bind_int64(statement, index, v);
        } else if constexpr (std::is_same_v<T, double>) {
          sqlite3_bind_double(statement, index, v);
        } else if constexpr (std::is_same_v<T, std::string>) {
          sqlite3_bind_text(statement, index, v.data(), static_cast<int>(v.size()), SQLITE_TRANSIENT);
        } else {
          bindValue(statement, index, v ? ReportBuilder::Value(*v) : ReportBuilder::Value(nullptr));
        }
      },
      value);
}

ReportBuilder::Value defaultOf(const report::Column& column) {
  if (column.nullable) return nullptr;
  if (column.type == report::ColumnType::kText) return std::string();
  return std::int64_t{0};
}

}  // namespace

ReportBuilder::ReportBuilder(std::filesystem::path file) : file_(std::move(file)) {
  std::filesystem::remove(file_);
  check(sqlite3_open(file_.c_str(), &database_) == SQLITE_OK, database_);
  sql("PRAGMA journal_mode=OFF; BEGIN; " + report::createTable(*report::findTable("StringIds")));
}

ReportBuilder::~ReportBuilder() { sqlite3_close(database_); }

ReportBuilder& ReportBuilder::sql(const std::string& statements) {
  check(sqlite3_exec(database_, statements.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, database_);
  return *this;
}

ReportBuilder& ReportBuilder::insert(const char* name, Values values) {
  const report::Table* table = report::findTable(name);
  if (!table) throw std::invalid_argument(name);
  std::string ddl = report::createTable(*table);
  sql(ddl.insert(std::string("CREATE TABLE ").size(), "IF NOT EXISTS "));

  std::string places;
  std::vector<Value> row;
  for (const report::Column& column : table->columns) {
    places += places.empty() ? "?" : ", ?";
    const auto given =
        std::find_if(values.begin(), values.end(), [&](const auto& v) { return column.name == v.first; });
    row.push_back(given != values.end() ? given->second : defaultOf(column));
  }
  sqlite3_stmt* statement = nullptr;
  const std::string text = "INSERT INTO " + report::quotedName(name) + " VALUES (" + places + ")";
  check(sqlite3_prepare_v2(database_, text.c_str(), -1, &statement, nullptr) == SQLITE_OK, database_);
  for (std::size_t i = 0; i < row.size(); ++i) bindValue(statement, static_cast<int>(i) + 1, row[i]);
  const bool done = sqlite3_step(statement) == SQLITE_DONE;
  sqlite3_finalize(statement);
  check(done, database_);
  return *this;
}

std::int64_t ReportBuilder::id(const std::string& text) {
  const auto [entry, isNew] = strings_.try_emplace(text, nextString_);
  if (isNew) string(nextString_++, text);
  return entry->second;
}

ReportBuilder& ReportBuilder::string(std::int64_t id, const std::string& text) {
  return insert("StringIds", {{"id", id}, {"value", text}});
}

ReportBuilder& ReportBuilder::stack(const char* table, std::int64_t id, std::initializer_list<F> innermostFirst) {
  std::int64_t depth = 0;
  for (const F& frame : innermostFirst)
    insert(table, {{"id", id},
                   {"symbol", this->id(frame.symbol)},
                   {"module", this->id(frame.module)},
                   {"originalIP", frame.line},
                   {"unwindMethod", frame.line != 0 ? std::optional<std::int64_t>(100) : frame.method},
                   {"stackDepth", depth++}});
  return *this;
}

ReportBuilder& ReportBuilder::thread(std::int64_t globalTid, const std::string& name) {
  return insert("ThreadNames", {{"nameId", id(name)}, {"globalTid", globalTid}});
}

ReportBuilder& ReportBuilder::process(std::int64_t globalPid, const std::string& name) {
  return insert("PROCESSES", {{"globalPid", globalPid}, {"pid", globalPid >> 24 & 0xFFFFFF}, {"name", name}});
}

ReportBuilder& ReportBuilder::add(const K& row) {
  return insert("CUPTI_ACTIVITY_KIND_KERNEL", {{"start", row.start},
                                               {"end", row.end},
                                               {"deviceId", row.device},
                                               {"contextId", row.context},
                                               {"streamId", row.stream},
                                               {"correlationId", row.correlation},
                                               {"globalPid", row.process},
                                               {"demangledName", id(row.name)},
                                               {"shortName", id(row.name.substr(0, row.name.find_first_of("<(")))},
                                               {"gridX", row.gridX},
                                               {"gridY", std::int64_t{1}},
                                               {"gridZ", std::int64_t{1}},
                                               {"blockX", row.blockX},
                                               {"blockY", std::int64_t{1}},
                                               {"blockZ", std::int64_t{1}},
                                               {"graphNodeId", row.graphNode},
                                               {"graphId", row.graph}});
}

ReportBuilder& ReportBuilder::add(const R& row) {
  return insert("CUPTI_ACTIVITY_KIND_RUNTIME", {{"start", row.start},
                                                {"end", row.end},
                                                {"eventClass", row.eventClass},
                                                {"globalTid", row.thread},
                                                {"correlationId", row.correlation},
                                                {"nameId", id(row.name)},
                                                {"returnValue", row.returnValue}});
}

ReportBuilder& ReportBuilder::add(const M& row) {
  return insert("CUPTI_ACTIVITY_KIND_MEMCPY", {{"start", row.start},
                                               {"end", row.end},
                                               {"deviceId", row.device},
                                               {"contextId", row.context},
                                               {"streamId", row.stream},
                                               {"correlationId", row.correlation},
                                               {"globalPid", row.process},
                                               {"bytes", row.bytes},
                                               {"copyKind", row.kind},
                                               {"srcKind", row.source},
                                               {"dstKind", row.destination}});
}

ReportBuilder& ReportBuilder::add(const Set& row) {
  return insert("CUPTI_ACTIVITY_KIND_MEMSET", {{"start", row.start},
                                               {"end", row.end},
                                               {"deviceId", row.device},
                                               {"contextId", row.context},
                                               {"streamId", row.stream},
                                               {"correlationId", row.correlation},
                                               {"globalPid", row.process},
                                               {"value", row.value},
                                               {"bytes", row.bytes}});
}

ReportBuilder& ReportBuilder::add(const Sync& row) {
  return insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", {{"start", row.start},
                                                        {"end", row.end},
                                                        {"deviceId", row.device},
                                                        {"contextId", row.context},
                                                        {"streamId", row.stream},
                                                        {"correlationId", row.correlation},
                                                        {"globalPid", row.process},
                                                        {"syncType", row.type},
                                                        {"eventId", row.event}});
}

ReportBuilder& ReportBuilder::add(const G& row) {
  return insert("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", {{"start", row.start},
                                                    {"end", row.end},
                                                    {"deviceId", row.device},
                                                    {"contextId", row.context},
                                                    {"streamId", row.stream},
                                                    {"correlationId", row.correlation},
                                                    {"globalPid", row.process},
                                                    {"graphId", row.graph},
                                                    {"graphExecId", row.exec}});
}

ReportBuilder& ReportBuilder::add(const N& row) {
  return insert("NVTX_EVENTS", {{"start", row.start},
                                {"end", row.end},
                                {"eventType", row.type},
                                {"rangeId", row.rangeId},
                                {"category", row.category},
                                {"color", row.color},
                                {"text", row.text},
                                {"globalTid", row.thread},
                                {"endGlobalTid", row.endThread},
                                {"textId", row.textId},
                                {"domainId", row.domain}});
}

ReportBuilder& ReportBuilder::add(const O& row) {
  return insert("OSRT_API", {{"start", row.start},
                             {"end", row.end},
                             {"eventClass", std::int64_t{27}},
                             {"globalTid", row.thread},
                             {"nameId", id(row.name)},
                             {"returnValue", row.returnValue}});
}

std::filesystem::path ReportBuilder::write() {
  sql("COMMIT");
  sqlite3_close(database_);
  database_ = nullptr;
  return file_;
}

}  // namespace lanescope::test
