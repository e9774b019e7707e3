// SPDX-License-Identifier: Apache-2.0
#include "model/report/loading.h"

namespace lanescope::report {

void loadEventUses(Loading& loading) {
  enum { kEvent, kSync, kCorrelation, kStream, kGlobalPid };
  for (const bool isRecord : {true, false}) {
    const char* table = isRecord ? "CUPTI_ACTIVITY_KIND_CUDA_EVENT" : "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
    if (!loading.database.has(table, "eventId")) continue;
    loading.forEach(table, {"eventId", "eventSyncId", "correlationId", "streamId", "globalPid"},
                    [&](const TableRow& row) {
                      if (!trace::isEventNumber(row.integer(kEvent)) && !trace::isEventNumber(row.integer(kSync)))
                        return;
                      loading.builder.addEventUse({.process = loading.processOf(row, kGlobalPid),
                                                   .event = row.integer(kEvent),
                                                   .sync = row.integer(kSync),
                                                   .correlation = row.integer(kCorrelation),
                                                   .stream = row.integer(kStream),
                                                   .isRecord = isRecord});
                    });
  }
}

}  // namespace lanescope::report
