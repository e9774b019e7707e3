// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/thread_names.h"

#include <sys/prctl.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "collector/inject/facts.h"
#include "collector/inject/session.h"

namespace lanescope::inject {

void tellThreadName(ThreadRing& ring) {
  wire::ThreadComm record;
  static_assert(sizeof record.name == 16);  // TASK_COMM_LEN
  if (prctl(PR_GET_NAME, record.name) != 0) return;
  ring.append(record, wire::RecordType::kThreadComm, ring.header->tid);
}

void writeThreadNames(Session& session) {
  const int before = errno;
  const Hold hold(session.draining);
  session.rings.forEachLive([&](std::uint32_t slot, std::uint32_t tid) {
    char path[64], text[64];
    std::snprintf(path, sizeof path, "/proc/self/task/%u/comm", tid);
    const std::size_t length = readWhole(path, text, sizeof text - 1);
    wire::ThreadComm record;
    record.header = {wire::RecordType::kThreadComm, sizeof record, tid};
    for (std::size_t i = 0; i < length && i + 1 < sizeof record.name && text[i] != '\n'; ++i) record.name[i] = text[i];
    Session::ToldName& told = session.toldNames[slot];
    if (length == 0 || (told.tid == tid && std::memcmp(told.name, record.name, sizeof told.name) == 0)) return;
    if (!session.stream.append(wire::ChunkType::kCupti, &record, sizeof record)) return;
    told.tid = tid;
    std::memcpy(told.name, record.name, sizeof told.name);
  });
  errno = before;
}

}  // namespace lanescope::inject
