// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/demangle/demangle.h"
#include "model/import/importers.h"
#include "model/import/nvprof_reading.h"

namespace lanescope::imported {
namespace nvprof {

std::uint32_t word(std::string_view blob, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4 && at + i < blob.size(); ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(blob[at + i])) << 8 * i;
  return value;
}

Object objectOf(std::int64_t kind, std::string_view blob) {
  return {static_cast<ObjectKind>(kind), word(blob, 0), word(blob, 4), word(blob, 8)};
}

trace::NameId Reading::kernel(std::int64_t string) {
  constexpr std::int64_t kDense = 1 << 20;
  const bool isDense = string >= 0 && string < kDense;
  const auto index = static_cast<std::size_t>(string);
  if (isDense && index >= kernels.size()) kernels.resize(std::max(index + 1, 2 * kernels.size()));
  trace::NameId& known = isDense ? kernels[index] : otherKernels[string];
  if (known == 0) {
    const KernelName spelled = kernelName((*recording.names)[strings.name(string)].text);
    known = recording.names->intern(spelled.demangled, spelled.shortName);
  }
  return known;
}

std::uint32_t Reading::processOf(std::int64_t correlation) {
  if (processByCorrelation.empty()) return onlyProcess();
  const auto found = processByCorrelation.find(correlation);
  return found == processByCorrelation.end() ? 0 : found->second;
}

namespace {

/// GPU rows name no process: where calls are of several, those tell.
void noteProcesses(Reading& reading) {
  if (reading.recording.processes.size() < 2) return;
  for (const Track& track : reading.recording.tracks) {
    if (track.kind != trace::EventKind::kCudaApi) continue;
    for (std::size_t i = 0; i < track.events.size(); ++i)
      reading.processByCorrelation.emplace(track.events[i].correlation, track.process);
  }
}

/// Clocks of nvprof count from 1970, if they count from anything known.
void noteClock(Recording& recording) {
  constexpr trace::Ns kYear2001 = 1'000'000'000'000'000'000;
  const auto isWallClock = [](const Track& track) {
    for (std::size_t i = 0; i < track.events.size(); ++i)
      if (track.events[i].start != 0) return track.events[i].start >= kYear2001;
    return false;
  };
  if (std::ranges::any_of(recording.tracks, isWallClock)) recording.utcOfZero = 0;
}

}  // namespace
}  // namespace nvprof

Result<Recording> readNvprof(const report::Database& database, const ImportOptions& options, const Job& job) {
  using namespace nvprof;
  Recording recording;
  recording.format = "nvprof";
  recording.version = database.text("SELECT version FROM Version");
  Reading reading(database, options, recording, job);
  readCalls(reading);
  readMarkers(reading);
  readOverhead(reading);
  readOpenAcc(reading);
  noteProcesses(reading);
  readGpuWork(reading);
  readUnifiedMemory(reading);
  readSynchronization(reading);
  readEventUses(reading);
  readEnvironment(reading);
  readNames(reading);
  readDevices(reading);
  noteClock(recording);
  // What devices and code are, not what happened.
  for (const char* still : {"DEVICE_ATTRIBUTE", "MODULE", "FUNCTION"}) reading.rows.needNot(table(still));
  reading.rows.tell(kPrefix, reading.strings.missing());
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, database.path().string(), {}});
  return recording;
}

}  // namespace lanescope::imported
