// SPDX-License-Identifier: Apache-2.0
#include "model/export/chrome.h"

#include <fmt/format.h>

#include "model/export/chrome_events.h"
#include "model/export/issues.h"
#include "model/json.h"
#include "model/report/source.h"
#include "model/utf8.h"

namespace lanescope::exporting {
namespace {

using report::TableRow;

void appendDevices(std::string& out, const report::Database& database) {
  out += "\"deviceProperties\":[";
  bool first = true;
  report::scanTable(database, "TARGET_INFO_GPU",
                    {"id", "name", "totalMemory", "computeMajor", "computeMinor", "smCount"}, [&](const TableRow& row) {
                      fmt::format_to(std::back_inserter(out), "{}{{\"id\":{},\"name\":", first ? "" : ",",
                                     row.integer(0));
                      appendQuoted(out, row.text(1));
                      fmt::format_to(std::back_inserter(out),
                                     ",\"totalGlobalMem\":{},\"computeMajor\":{},\"computeMinor\":{},\"numSms\":{}}}",
                                     row.integer(2), row.integer(3), row.integer(4), row.integer(5));
                      first = false;
                    });
  out += "],";
}

/// What stands before the events: who wrote this, of what; the GPUs in Kineto's words; where time 0 is.
void appendHead(std::string& out, const report::Slice& slice, const Order& order) {
  const report::Database& database = slice.database();
  const bool isKinetos = !report::isOfPlainChrome(database);  // a plain trace stays one
  out += isKinetos ? "{\"schemaVersion\":1,\"displayTimeUnit\":\"ns\"," : "{\"displayTimeUnit\":\"ns\",";
  if (database.has("TARGET_INFO_SESSION_START_TIME", "utcEpochNs"))
    fmt::format_to(std::back_inserter(out), "\"baseTimeNanoseconds\":{},",
                   database.integer("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME"));
  if (isKinetos) appendDevices(out, database);
  JsonWriter about;
  about.beginObject().member("writer", "lanescope " + order.version);
  about.member("source", database.path().filename().string());
  if (const auto range = slice.part())
    about.key("range_ns").beginArray().value(range->begin).value(range->end).endArray();
  appendIssues(about, slice);
  about.endObject();
  out += "\"otherData\":" + about.text() + ",\"traceEvents\":[";
}

/// What happened at a time but is no event here.
void nameMissing(const ChromeExport& chrome, Missing& missing) {
  const report::Database& database = chrome.slice.database();
  for (const std::string& table : database.tables()) {
    if ((!chrome.slice.isTimed(table) && !table.ends_with("CALLCHAINS")) || chrome.written.contains(table)) continue;
    const std::int64_t rows = database.integer("SELECT count(*) FROM " + report::quotedName(table));
    if (rows > 0) missing.push_back(fmt::format("{} has no form in this format ({} rows)", repairUtf8(table), rows));
  }
  if (chrome.stacks.cut()) missing.emplace_back("call stacks of some samples are not in it: there are too many");
  if (chrome.stacks.damaged()) missing.emplace_back("the table of call stacks is damaged: those behind are not in it");
  if (chrome.invalidTimes > 0)
    missing.push_back(fmt::format("{} rows have no valid time and are not in it", chrome.invalidTimes));
}

}  // namespace

Result<void> writeChrome(report::Slice& slice, const Order& order, Missing& missing) {
  Result<OutFile> out = OutFile::create(order.destination, order.ifExists);
  if (!out) return tl::unexpected(out.error());
  appendHead(out->text(), slice, order);
  ChromeExport chrome(slice, *out);
  using Part = void (ChromeExport::*)();
  for (const Part part : {&ChromeExport::writeCalls, &ChromeExport::writeGpuWork, &ChromeExport::writeEventRecords,
                          &ChromeExport::writeNvtx, &ChromeExport::writeMemory, &ChromeExport::writeMetrics,
                          &ChromeExport::writeCurves, &ChromeExport::writeSamples, &ChromeExport::writeScheduling}) {
    (chrome.*part)();
    if (slice.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, order.destination.string(), ""});
  }
  out->text() += "\n]";
  chrome.stacks.append(*out);
  out->text() += "}\n";
  nameMissing(chrome, missing);
  return out->finish();
}

}  // namespace lanescope::exporting
