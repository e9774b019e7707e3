// SPDX-License-Identifier: Apache-2.0
#include "model/export/chrome_tracks.h"

#include <fmt/format.h>

#include "model/export/value_text.h"
#include "model/json.h"
#include "model/report/source.h"
#include "model/report/table_scan.h"
#include "model/trace/ids.h"

namespace lanescope::exporting {

using report::scanTable;
using report::TableRow;

namespace {

constexpr std::int64_t kFirstFree = trace::kThreadBits + 1;  // above what a global id holds
constexpr std::int64_t kFirstLane = 2 * kFirstFree;
constexpr std::int64_t kGpusLast = 5'000'000;                   // Kineto's sort index for GPUs

std::string inQuotes(std::string_view text) {
  std::string out;
  appendQuoted(out, text);
  return out;
}

}  // namespace

std::string& EventText::next() {
  out_ += first_ ? "\n" : ",\n";
  first_ = false;
  return out_;
}

std::string& EventText::begin(char phase, std::string_view cat, std::string_view name, Track track, trace::Ns time) {
  fmt::format_to(std::back_inserter(next()), R"({{"ph":"{}","cat":{},"name":{},"pid":{},"tid":{},"ts":)", phase, cat,
                 name, track.pid, track.tid);
  appendMicroseconds(out_, time);
  return out_;
}

void EventText::metadata(std::string_view what, Track track, std::string_view args) {
  fmt::format_to(std::back_inserter(next()), R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what,
                 track.pid, track.tid, args);
}

Tracks::Tracks(const report::Database& database, Texts& texts, EventText& events) : events_(events) {
  readNames(database, texts);
  isPlain_ = report::isOfPlainChrome(database);
  onlyProcess_ =
      database.has("CUPTI_ACTIVITY_KIND_RUNTIME", "globalTid")
          ? database.integer("SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1") & ~trace::kThreadBits
          : 0;
}

void Tracks::readNames(const report::Database& database, Texts& texts) {
  scanTable(database, "PROCESSES", {"globalPid", "name"},
            [&](const TableRow& row) { processNames_[row.integer(0)] = row.text(1); });
  for (const auto& [process, name] : processNames_) usedPids_.insert(trace::pidOf(process));
  scanTable(database, "ThreadNames", {"globalTid", "nameId"},
            [&](const TableRow& row) { threadNames_[row.integer(0)] = texts.plain(row.integer(1)); });
  scanTable(database, "LANESCOPE_IDS", {"globalTid", "isThread", "sortIndex"}, [&](const TableRow& row) {
    if (!row.isNull(2)) (row.integer(1) != 0 ? threadOrder_ : processOrder_)[row.integer(0)] = row.integer(2);
  });
  scanTable(database, "TARGET_INFO_GPU", {"id", "name"},
            [&](const TableRow& row) { gpuNames_[row.integer(0)] = row.text(1); });
  scanTable(database, "TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"},
            [&](const TableRow& row) { gpuIds_[{row.integer(0), row.integer(1)}] = row.integer(2); });
  scanTable(database, "TARGET_INFO_NVTX_CUDA_STREAM", {"processId", "contextId", "streamId", "name"},
            [&](const TableRow& row) { streamNames_[{row.integer(0), row.integer(1), row.integer(2)}] = row.text(3); });
}

std::int64_t Tracks::processOf(const TableRow& row, int column) const {
  return column < 0 || row.isNull(column) ? onlyProcess_ : row.integer(column) & ~trace::kThreadBits;
}

std::int64_t Tracks::indexOf(std::int64_t globalPid) {
  return indices_.try_emplace(globalPid, static_cast<std::int64_t>(indices_.size())).first->second;
}

std::int64_t Tracks::unusedPid(std::int64_t wanted) {
  const bool fits = wanted >= 0 && wanted < kFirstFree;
  return fits && usedPids_.insert(wanted).second ? wanted : kFirstFree + freePids_++;
}

void Tracks::announce(const char* what, Track track, std::string_view name, std::string_view more) {
  events_.metadata(what, track, fmt::format(R"("name":{}{})", inQuotes(name), more));
}

void Tracks::announceThread(Track track, std::string name, std::string more) {
  announce("thread_name", track, name, more);
  titles_[{track.pid, track.tid}] = {std::move(name), std::move(more)};
}

void Tracks::sortProcess(Track track, std::int64_t index) {
  events_.metadata("process_sort_index", track, fmt::format(R"("sort_index":{})", index));
}

void Tracks::sortThread(Track track, std::int64_t index) {
  events_.metadata("thread_sort_index", track, fmt::format(R"("sort_index":{})", index));
}

std::int64_t Tracks::host(std::int64_t globalPid) {
  const auto [entry, isNew] = hosts_.try_emplace(globalPid);
  if (!isNew) return entry->second;
  const std::int64_t own = trace::pidOf(globalPid);
  const auto named = processNames_.find(globalPid);
  // The first process of that number keeps it; one of another machine gets another.
  const bool reserved = named != processNames_.end();
  const bool isFirst = hostPids_.insert(own).second;
  entry->second = reserved && isFirst ? own : unusedPid(own);
  const Track track{entry->second, 0};
  announce("process_name", track, reserved && !named->second.empty() ? named->second : fmt::format("Process {}", own),
           fmt::format(R"(,"process":{},"global":"{:#x}")", own, static_cast<std::uint64_t>(globalPid)));
  const auto said = processOrder_.find(globalPid);
  if (said != processOrder_.end()) sortProcess(track, said->second);
  else if (!isPlain_) sortProcess(track, own);
  return entry->second;
}

Track Tracks::thread(std::int64_t globalTid) {
  const Track track{host(globalTid & ~trace::kThreadBits), trace::tidOf(globalTid)};
  if (announced_.emplace(track.pid, track.tid).second) {
    const auto named = threadNames_.find(globalTid);
    announce(
        "thread_name", track,
        named != threadNames_.end() && !named->second.empty() ? named->second : fmt::format("Thread {}", track.tid));
    if (const auto said = threadOrder_.find(globalTid); said != threadOrder_.end()) sortThread(track, said->second);
  }
  return track;
}

std::string Tracks::threadLabel(std::int64_t globalTid) const {
  const auto named = threadNames_.find(globalTid);
  const std::int64_t tid = trace::tidOf(globalTid);
  return inQuotes(named == threadNames_.end() ? fmt::format("Thread {}", tid)
                                              : fmt::format("{} {}", tid, named->second));
}

std::string Tracks::gpuName(std::int64_t globalPid, std::int64_t device) const {
  const auto mapped = gpuIds_.find({trace::pidOf(globalPid), device});
  const auto named = gpuNames_.find(mapped == gpuIds_.end() ? device : mapped->second);
  return named == gpuNames_.end() ? std::string() : " · " + named->second;
}

std::int64_t Tracks::gpu(std::int64_t globalPid, std::int64_t device) {
  const auto [entry, isNew] = gpus_.try_emplace({globalPid, device});
  if (!isNew) return entry->second;
  // As in Kineto the pid is the device; where that is somebody's already, a number of its own.
  const Track track{entry->second = unusedPid(device), 0};
  const auto named = processNames_.find(globalPid);
  const std::int64_t pid = trace::pidOf(globalPid);
  announce(
      "process_name", track,
      fmt::format("GPU {}{} · {}{}", device, gpuName(globalPid, device), pid,
                  named == processNames_.end() ? "" : " " + named->second),
      fmt::format(R"(,"device":{},"process":{},"global":"{:#x}")", device, pid, static_cast<std::uint64_t>(globalPid)));
  events_.metadata("process_labels", track, fmt::format(R"("labels":"GPU {}")", device));
  sortProcess(track, kGpusLast + static_cast<std::int64_t>(gpus_.size()) - 1);
  return entry->second;
}

Track Tracks::stream(std::int64_t globalPid, std::int64_t device, std::int64_t context, std::int64_t stream) {
  const auto [entry, isNew] = streams_.try_emplace({globalPid, device, context, stream});
  if (!isNew) return entry->second;
  std::set<std::int64_t>& used = usedTids_[{globalPid, device}];
  Track& track = entry->second = {gpu(globalPid, device), stream};
  if (stream < 0 || stream >= kFirstFree || !used.insert(stream).second)  // or another context has one of that number
    track.tid = kFirstFree + static_cast<std::int64_t>(streams_.size());
  const auto named = streamNames_.find({trace::pidOf(globalPid), context, stream});
  announceThread(track,
                 named == streamNames_.end() ? fmt::format("stream {}", stream)
                                             : fmt::format("stream {} {}", stream, named->second),
                 fmt::format(R"(,"context":{},"stream":{})", context, stream));
  sortThread(track, track.tid);
  return track;
}

Track Tracks::beside(std::int64_t globalPid, std::int64_t device, Beside which) {
  const Track track{gpu(globalPid, device), static_cast<std::int64_t>(which)};
  if (announced_.emplace(track.pid, track.tid).second)
    announceThread(track, which == Beside::kWaits ? "Synchronization (host time)" : "Page faults");
  return track;
}

Track Tracks::lane(Track track, int lane) {
  if (lane == 0) return track;
  const auto [entry, isNew] = lanes_.try_emplace({track.pid, track.tid, lane});
  if (!isNew) return entry->second;
  entry->second = {track.pid, kFirstLane + static_cast<std::int64_t>(lanes_.size())};
  const auto& [name, more] = titles_[{track.pid, track.tid}];
  announce("thread_name", entry->second, fmt::format("{} ({})", name, lane + 1), more);
  sortThread(entry->second, track.tid);
  return entry->second;
}

Track Tracks::core(std::int64_t cpu) {
  if (cores_ < 0) announce("process_name", {cores_ = unusedPid(kFirstFree), 0}, "CPU");
  const Track track{cores_, cpu};
  if (announced_.emplace(track.pid, track.tid).second) announce("thread_name", track, fmt::format("CPU {}", cpu));
  return track;
}

Track Tracks::curves(std::optional<std::int64_t> globalPid) {
  if (globalPid) return {host(*globalPid), 0};
  if (ofNobody_ < 0) announce("process_name", {ofNobody_ = unusedPid(kFirstFree), 0}, "Counters");
  return {ofNobody_, 0};
}

Track Tracks::metrics(std::int64_t typeId) {
  const auto [entry, isNew] = metrics_.try_emplace(typeId);
  if (isNew) {
    const std::int64_t gpuId = typeId & 0xFF;
    entry->second = unusedPid(kFirstFree);
    const auto named = gpuNames_.find(gpuId);
    announce("process_name", {entry->second, 0},
             fmt::format("GPU metrics · GPU {}{}", gpuId, named == gpuNames_.end() ? "" : " · " + named->second));
  }
  return {entry->second, 0};
}

}  // namespace lanescope::exporting
