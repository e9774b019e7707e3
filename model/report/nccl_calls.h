// SPDX-License-Identifier: Apache-2.0
// What NCCL says of its calls in the payloads of its NVTX ranges (NCCL 2.17 and on; blobs must have been exported), or
// what another tool's file says of them (LANESCOPE_COLLECTIVES): bytes, communicator, and how many ranks that has. By the fields' names, wherever the schema puts them. O(NVTX rows). The bytes
// are the file's: every offset is checked.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "model/report/database.h"

namespace lanescope::report {

struct NcclCall {
  std::optional<std::uint64_t> bytes;  ///< as the caller counts: of one rank's part for AllGather and ReduceScatter
  std::uint64_t communicator = 0;
  std::optional<std::uint64_t> ranks;  ///< where the communicator was made in the recording
};

/// By rowid in NVTX_EVENTS.
std::unordered_map<std::uint64_t, NcclCall> ncclCalls(const Database& database);

/// The rank that it was in the greatest communicator that it made; nothing if none was made in the recording, or several
/// ranks were one's.
std::optional<int> ncclRank(const Database& database);

}  // namespace lanescope::report
