// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_mpi.h"

#include "model/report/rows_host.h"

namespace lanescope::launch {

using report::OptionalId;
using wire::RecordType;

namespace {

enum Knows : std::uint32_t { kCommunicator = 1, kRequest = 2, kBytes = 4, kReceived = 8 };

OptionalId known(const wire::MpiCall& call, Knows what, std::uint64_t value) {
  return (call.knows & what) != 0 ? OptionalId(static_cast<std::int64_t>(value)) : std::nullopt;
}
/// Negative ones stand for any rank, any tag, or none.
OptionalId number(std::int32_t value) { return value >= 0 ? OptionalId(value) : std::nullopt; }

}  // namespace

bool MpiRows::take(const Chunk& chunk, const Record& record) {
  switch (record.type) {
    case RecordType::kMpiCall:
      return call(chunk, record), true;
    case RecordType::kMpiRank:
      return true;
    default:
      return false;
  }
}

void MpiRows::call(const Chunk& chunk, const Record& record) {
  const auto from = record.as<wire::MpiCall>();
  const Span span = process_.span(chunk, from.start, from.end);
  const std::uint32_t tid = chunk.header.tid;
  if (process_.mpiRank && ranked_.insert(tid).second)
    writer_.add(report::MpiRankRow{.globalTid = process_.globalTid(tid), .rank = *process_.mpiRank});
  if (!process_.windows.keeps(span.start, span.end)) return;
  ++process_.events;
  const report::MpiSpan at{.start = span.start,
                           .end = span.end,
                           .globalTid = process_.globalTid(tid),
                           .text = process_.string(from.name, writer_)};
  const OptionalId communicator = known(from, kCommunicator, from.communicator);
  const OptionalId request = known(from, kRequest, from.request), bytes = known(from, kBytes, from.bytes);
  switch (static_cast<wire::MpiCallKind>(record.aux)) {
    case wire::MpiCallKind::kPointToPoint:
      writer_.add(report::MpiPointToPointRow{.at = at,
                                             .communicator = communicator,
                                             .tag = number(from.tag),
                                             .remoteRank = number(from.remote),
                                             .bytes = bytes,
                                             .request = request});
      return;
    case wire::MpiCallKind::kCollective:
      writer_.add(report::MpiCollectiveRow{.at = at,
                                           .communicator = communicator,
                                           .rootRank = number(from.root),
                                           .bytes = bytes,
                                           .received = known(from, kReceived, from.received),
                                           .request = request});
      return;
    case wire::MpiCallKind::kStartWait:
      writer_.add(report::MpiStartWaitRow{.at = at, .request = request});
      return;
    case wire::MpiCallKind::kOther:
      break;
  }
  writer_.add(report::MpiOtherRow{.at = at, .tag = number(from.tag)});
}

}  // namespace lanescope::launch
