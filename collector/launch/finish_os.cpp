// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_os.h"

#include <fmt/format.h>

#include "model/report/rows_host.h"

namespace lanescope::launch {

using wire::RecordType;

bool OsRows::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kOsCall:
      return call(chunk, record), true;
    case RecordType::kStackCopy:
    case RecordType::kModule:
      return true;
    default:
      return false;
  }
}

void OsRows::call(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::OsCall>();
  const Span span = process_.span(chunk, from.start, from.end);
  if (!process_.windows.keeps(span.start, span.end)) return;
  ++process_.events;
  writer_.add(report::OsCallRow{
      .at = {.start = span.start, .end = span.end, .eventClass = 27, .globalTid = process_.globalTid(chunk.header.tid)},
      .name = process_.string(from.name, writer_),
      .returnValue = from.result,
      .nestingLevel = 0,
      .callchain = 0});
  ++rows_;
  object(from);
}

void OsRows::object(const wire::OsCall& call) {
  if (call.object == 0 && call.about == 0) return;
  report::OptionalId name;
  if (call.about != 0) name = process_.string(call.about, writer_);
  else if (call.object > 0xFFFF) name = writer_.string(fmt::format("0x{:x}", call.object));
  writer_.add(report::OsObjectRow{.call = rows_, .object = static_cast<std::int64_t>(call.object), .name = name});
}

}  // namespace lanescope::launch
