// SPDX-License-Identifier: Apache-2.0
#include "model/export/export.h"

#include <fmt/format.h>

#include "model/export/chrome.h"
#include "model/export/tables.h"
#include "model/report/copy.h"

namespace lanescope::exporting {

namespace fs = std::filesystem;

namespace {

struct FormatName {
  std::string_view name;
  Format format;
  std::string_view ending;
};
constexpr FormatName kFormats[] = {
    {"sqlite", Format::kSqlite, ".sqlite"},
    {"json", Format::kJson, ".json"},
    {"chrome", Format::kChrome, ".trace.json"},
    {"jsonlines", Format::kJsonLines, ".jsonl"},
    {"csv", Format::kCsv, "_csv"},
    {"text", Format::kText, ".txt"},
};

Result<void> write(report::Slice& slice, const Order& order, Missing& missing) {
  switch (order.format) {
    case Format::kSqlite: {
      const bool ours = order.destination.extension() == ".rep";
      return report::copyReport(slice, order.destination, order.ifExists, order.version,
                                ours ? report::Dialect::kRep : report::Dialect::kNsys);
    }
    case Format::kChrome:
      return writeChrome(slice, order, missing);
    case Format::kCsv:
      return writeCsvFolder(slice, order);
    case Format::kJson:
    case Format::kJsonLines:
    case Format::kText:
      return writeTables(slice, order);
  }
  return {};
}

}  // namespace

std::optional<Format> findFormat(std::string_view name) {
  for (const FormatName& each : kFormats)
    if (each.name == name) return each.format;
  return std::nullopt;
}

std::string formatNames() {
  std::string names;
  for (const FormatName& each : kFormats) (names += names.empty() ? "" : ", ") += each.name;
  return names;
}

fs::path defaultDestination(const fs::path& input, Format format) {
  fs::path path = input;
  path.replace_extension();
  for (const FormatName& each : kFormats)
    if (each.format == format) path += each.ending;
  return path;
}

Result<Missing> exportReport(report::Slice& slice, const Order& order) {
  Missing missing;
  if (Result<void> written = write(slice, order, missing); !written) return tl::unexpected(written.error());
  for (const std::string& table : slice.damage())
    missing.push_back(fmt::format("table {} is damaged: rows behind the damage are not in it", table));
  return missing;
}

}  // namespace lanescope::exporting
