// SPDX-License-Identifier: Apache-2.0
#include "model/report/listing.h"

#include <fmt/format.h>

#include "model/format.h"
#include "model/report/schema.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;  // of one value: the longest real ones are kernel names of some kilobytes
constexpr std::size_t kMostOfLabel = 256;
constexpr std::size_t kMostFields = 500;

}  // namespace

Listing::Listing(const Database& file, const trace::Trace& whole, trace::EventRef which)
    : database(file),
      trace(whole),
      event(which),
      info(whole.info(which)),
      record(file, info.table < whole.tables.size() ? whole.tables[info.table] : std::string(),
             whole.lanes[which.lane]->sourceRow(which.index)) {}

void Listing::add(std::string_view label, std::string_view value, bool main) {
  if (fields.size() == kMostFields) return;
  if (fields.size() == kMostFields - 1) return fields.push_back({"…", "more than is shown here", false, group});
  fields.push_back({shownText(label, kMostOfLabel), shownText(value, kMostBytes), main, group});
}

void Listing::addEvent(std::string_view label, trace::EventRef other, std::string_view value) {
  add(label, value, true);
  if (fields.size() < kMostFields) fields.back().event = trace.id(other);  // the last field says that there are more
}

void Listing::addNumber(const char* label, const char* column, bool main) {
  if (const auto value = record.integer(column)) add(label, std::to_string(*value), main);
}

void Listing::addIfAny(const char* label, const char* column) {
  if (const auto value = record.integer(column); value && *value != 0) add(label, std::to_string(*value));
}

void Listing::addBytes(const char* label, const char* column, bool main) {
  if (const auto value = record.integer(column); value && *value > 0) {
    add(label, formatBytes(static_cast<std::uint64_t>(*value)), main);
  }
}

void Listing::addAddress(const char* label, const char* column, bool main) {
  if (const auto value = record.integer(column); value && *value != 0)
    add(label, fmt::format("{:#x}", static_cast<std::uint64_t>(*value)), main);
}

void Listing::addString(const char* label, const char* column) {
  if (const auto text = record.string(column)) add(label, *text);
}

void Listing::addLabel(const char* label, const char* column, const char* enumeration, bool main) {
  const auto value = record.integer(column);
  if (!value) return;
  std::string text(enumLabel(enumeration, *value));
  if (text.empty() && database.has(enumeration, "label") && database.has(enumeration, "id")) {
    text = database.text(fmt::format("SELECT label FROM {} WHERE id = {}", enumeration, *value));
  }
  add(label, text.empty() ? std::to_string(*value) : text, main);
}

void Listing::addSize(const char* label, const char* x, const char* y, const char* z) {
  const auto a = record.integer(x), b = record.integer(y), c = record.integer(z);
  if (a && b && c) add(label, fmt::format("{} × {} × {}", *a, *b, *c), true);
}

std::string Listing::eventText(trace::EventRef other) const {
  std::string text((*trace.names)[trace.name(other)].label);
  if (const std::string thread = threadText(trace.info(other).thread); !thread.empty()) text += " on " + thread;
  return text;
}

std::string Listing::threadText(std::uint32_t index) const {
  if (index == trace::kNone) return {};
  const trace::Thread& thread = trace.threads[index];
  if (!thread.hasNumber) return thread.name;
  return thread.name.empty() ? fmt::format("thread {}", thread.tid) : fmt::format("{} ({})", thread.name, thread.tid);
}

}  // namespace lanescope::report
