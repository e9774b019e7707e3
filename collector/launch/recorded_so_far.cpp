// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/recorded_so_far.h"

#include "collector/launch/keep_newest.h"
#include "collector/launch/stream_reader.h"

namespace lanescope::launch {

namespace fs = std::filesystem;

namespace {

using wire::RecordType;

bool isEvent(RecordType type) {
  switch (type) {
    case RecordType::kNvtxPush:
    case RecordType::kNvtxStart:
    case RecordType::kNvtxMark:
    case RecordType::kApi:
    case RecordType::kKernel:
    case RecordType::kCopy:
    case RecordType::kMemset:
    case RecordType::kSync:
    case RecordType::kOverhead:
    case RecordType::kGraph:
    case RecordType::kCudaEvent:
    case RecordType::kMemory:
    case RecordType::kUnifiedMemory:
    case RecordType::kMetricSample:
    case RecordType::kPythonStack:
      return true;
    default:
      return false;
  }
}

}  // namespace

void RecordedSoFar::look() {
  bytes_ = recordedBytes(session_);
  std::uint64_t left = kMostBytes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(session_, error)) {
    const fs::path ending = entry.path().extension();
    if (ending != ".stream" && ending != ".metrics" && ending != ".samples") continue;
    auto file = InputFile::open(entry.path());
    if (!file) continue;
    std::uint64_t& at = read_[entry.path()];
    StreamReader reader(std::move(*file), at);
    for (Chunk chunk; left > 0 && reader.next(chunk);) {
      forEachRecord(chunk.records, [this](const Record& record) { events_ += isEvent(record.type); });
      left -= std::min(left, reader.position() - at);
      at = reader.position();
    }
  }
}

}  // namespace lanescope::launch
