// SPDX-License-Identifier: Apache-2.0
// Databases of rocmProfileData (.rpd): rocpd_api has calls and marks, rocpd_op what GPUs did, rocpd_api_ops which call
// started what. Facts: the project's schema (rocpd_python/rocpd/schema_data).
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "model/import/amd_reading.h"
#include "model/import/gpu_words.h"
#include "model/import/importers.h"
#include "model/report/strings.h"
#include "model/utf8.h"

namespace lanescope::imported {

using report::TableRow;
using trace::Event;
using trace::EventKind;
using trace::NameId;

namespace {

class Rpd {
 public:
  Rpd(const report::Database& database, const ImportOptions& options, Recording& recording, const Job& job)
      : recording_(recording),
        options_(options),
        rows_(database, recording, job),
        roster_(recording),
        strings_(database, *recording.names, {"rocpd_string", "id", "string"}),
        add_{recording, options.details} {}

  void run() {
    readCalls();
    readCopySizes();
    readKernelSizes();
    readWork();
    readMonitor();
    rows_.needNot("rocpd_metadata");
    rows_.needNot("rocpd_string");
    rows_.tell("rocpd_", strings_.missing());
  }

 private:
  /// What a call is, by its name.
  enum class Call { kApi, kMarker, kOverhead };
  struct CallName {
    Call call;
    NameId name;
    bool inWorkItems = false;  ///< it launches a grid of so many work-items, where other calls count workgroups
  };

  CallName callNamed(std::int64_t string) {
    const auto [at, isNew] = calls_.try_emplace(string);
    if (!isNew) return at->second;
    const NameId name = strings_.name(string);
    const std::string_view text = (*recording_.names)[name].text;
    const bool isOwn = text == "hcc_activity_callback" || text.ends_with("::writeRows");
    const bool inWorkItems = text == "hipExtModuleLaunchKernel" || text == "hipHccModuleLaunchKernel";
    at->second = {text == "UserMarker" ? Call::kMarker : isOwn ? Call::kOverhead : Call::kApi, name, inWorkItems};
    return at->second;
  }

  void readCalls() {
    TrackOf<3> trackOf;
    rows_.forEach("rocpd_api", {"start", "end", "pid", "tid", "apiName_id", "args_id"}, [&](const TableRow& row) {
      if (!rows_.hasTimes(row, 0, 1)) return;
      const CallName call = callNamed(row.integer(4));
      const std::uint32_t track = trackOf({row.integer(2), row.integer(3), static_cast<std::int64_t>(call.call)}, [&] {
        const std::uint32_t process = roster_.process(row.integer(2));
        const std::uint32_t thread = roster_.thread(process, row.integer(3));
        if (call.call == Call::kMarker)
          return roster_.ofThread(EventKind::kNvtxRange, thread, roster_.domain(process, "roctx", false));
        return roster_.ofThread(call.call == Call::kApi ? EventKind::kCudaApi : EventKind::kOverhead, thread);
      });
      add_(track, {.start = row.integer(0),
                   .end = row.integer(1),
                   .name = call.call == Call::kMarker ? strings_.name(row.integer(5)) : call.name,
                   .sourceRow = amd::rowOf(row),
                   .correlation = row.rowid()});
      if (call.inWorkItems) inWorkItems_.insert(row.rowid());
      if (call.call == Call::kApi) processOfCall_.emplace(row.rowid(), roster_.process(row.integer(2)));
    });
    rows_.forEach("rocpd_api_ops", {"api_id", "op_id"},
                  [&](const TableRow& row) { callOf_.emplace(row.integer(1), row.integer(0)); });
  }

  void readCopySizes() {
    rows_.forEach("rocpd_copyapi", {"api_ptr_id", "size"},
                  [&](const TableRow& row) { bytesOfCall_.emplace(row.integer(0), amd::bytesOf(row.integer(1))); });
  }

  void readKernelSizes() {
    if (!options_.details) return rows_.needNot("rocpd_kernelapi");
    rows_.forEach("rocpd_kernelapi",
                  {"api_ptr_id", "gridX", "gridY", "gridZ", "workgroupX", "workgroupY", "workgroupZ",
                   "groupSegmentSize", "privateSegmentSize"},
                  [&](const TableRow& row) {
                    const bool inItems = inWorkItems_.contains(row.integer(0));
                    const auto grid = [&](int axis) {
                      const std::int64_t told = row.integer(1 + axis);
                      return inItems ? amd::groupsOf(told, row.integer(4 + axis)) : told;
                    };
                    workOfCall_.emplace(row.integer(0), WorkDetails{.gridX = grid(0),
                                                                    .gridY = grid(1),
                                                                    .gridZ = grid(2),
                                                                    .blockX = row.integer(4),
                                                                    .blockY = row.integer(5),
                                                                    .blockZ = row.integer(6),
                                                                    .staticShared = row.integer(7),
                                                                    .localPerThread = row.integer(8)});
                  });
  }

  void readWork() {
    std::uint64_t others = 0;
    TrackOf<5> trackOf;
    rows_.forEach(
        "rocpd_op", {"start", "end", "gpuId", "queueId", "description_id", "opType_id"}, [&](const TableRow& row) {
          const Work work = workOf(row.integer(5));
          if (!work.isShown) {
            ++others;
            return;
          }
          if (!rows_.hasTimes(row, 0, 1)) return;
          const std::int64_t call = callOf(row.rowid());
          const auto process = processOfCall_.find(call);
          const std::uint32_t owner = process != processOfCall_.end() ? process->second
                                      : recording_.processes.empty()  ? roster_.process(0)
                                                                      : 0;
          const std::uint32_t track =
              trackOf({owner, row.integer(2), row.integer(3), static_cast<std::int64_t>(work.kind),
                       std::int64_t{work.copyKind}},
                      [&] {
                        const std::uint32_t gpu = roster_.gpu(owner, row.integer(2));
                        return roster_.ofStream(work.kind, roster_.stream(gpu, 0, row.integer(3)), work.copyKind);
                      });
          Event event{.start = row.integer(0), .end = row.integer(1), .sourceRow = amd::rowOf(row)};
          event.correlation = call;
          if (work.kind == EventKind::kKernel) event.name = kernel(row.integer(4));
          else if (const auto bytes = bytesOfCall_.find(call); bytes != bytesOfCall_.end())
            event.amount = bytes->second;
          const auto details = workOfCall_.find(call);
          const bool isLaunch = work.kind == EventKind::kKernel && details != workOfCall_.end();
          add_(track, event, isLaunch ? details->second : WorkDetails{});
        });
    rows_.leaveOut("op", others);
  }

  std::int64_t callOf(std::int64_t op) const {
    const auto found = callOf_.find(op);
    return found == callOf_.end() ? 0 : found->second;
  }

  struct Work {
    bool isShown = true;
    EventKind kind = EventKind::kKernel;
    std::uint8_t copyKind = 0;
  };
  /// By the name of the operation.
  Work workOf(std::int64_t string) {
    const auto [at, isNew] = works_.try_emplace(string);
    if (!isNew) return at->second;
    const std::string text = strings_.text(string);
    if (text.starts_with("Copy")) at->second = {true, EventKind::kCopy, copyKindOf(text)};
    else if (text.starts_with("Fill")) at->second = {true, EventKind::kMemset, 0};
    else if (text.find("Barrier") != std::string::npos || text == "Marker") at->second = {.isShown = false};
    return at->second;
  }

  NameId kernel(std::int64_t string) {
    const auto [at, isNew] = kernels_.try_emplace(string, 0);
    if (isNew) at->second = amd::kernelNamed(*recording_.names, strings_.text(string));
    return at->second;
  }

  /// What the driver tells of a GPU, which counts them otherwise than rocpd_op: of no GPU therefore.
  void readMonitor() {
    std::map<std::pair<std::string, std::int64_t>, Curve> curves;
    constexpr std::size_t kMost = 1000;
    std::uint64_t others = 0;
    rows_.forEach("rocpd_monitor", {"start", "deviceType", "deviceId", "monitorType", "value"},
                  [&](const TableRow& row) {
                    double value = row.isReal(4) ? row.real(4) : static_cast<double>(row.integer(4));
                    const std::string_view text = row.text(4);
                    const bool isText = row.isText(4);
                    const bool isNumber =
                        !isText || std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc();
                    const std::pair key(repairUtf8(row.text(3)), row.integer(2));
                    if (!isNumber || !row.isInteger(0) || (curves.size() >= kMost && !curves.contains(key))) {
                      ++others;
                      return;
                    }
                    Curve& curve = curves[key];
                    const bool isClock = key.first == "sclk" || key.first == "mclk";
                    curve.unit = isClock ? trace::Counter::Unit::kHertz : trace::Counter::Unit::kCount;
                    curve.times.push_back(row.integer(0));
                    curve.values.push_back(isClock ? value * 1e6 : value);
                  });
    for (auto& [key, curve] : curves) {
      curve.name = "GPU " + std::to_string(key.second) + " " + key.first;
      if (!recording_.processes.empty()) curve.process = 0;
      recording_.curves.push_back(std::move(curve));
    }
    rows_.leaveOut("monitor", others);
  }

  Recording& recording_;
  const ImportOptions& options_;
  TableReading rows_;
  Roster roster_;
  report::Strings strings_;
  amd::Adder add_;
  std::unordered_map<std::int64_t, CallName> calls_;
  std::unordered_map<std::int64_t, Work> works_;
  std::unordered_map<std::int64_t, NameId> kernels_;
  std::unordered_map<std::int64_t, std::int64_t> callOf_;
  std::unordered_map<std::int64_t, std::uint32_t> processOfCall_;
  std::unordered_set<std::int64_t> inWorkItems_;  // calls
  std::unordered_map<std::int64_t, std::uint64_t> bytesOfCall_;
  std::unordered_map<std::int64_t, WorkDetails> workOfCall_;
};

}  // namespace

Result<Recording> readRpd(const report::Database& database, const ImportOptions& options, const Job& job) {
  Recording recording;
  recording.format = "rpd";
  recording.version = repairUtf8(database.text("SELECT value FROM rocpd_metadata WHERE tag = 'schema_version'"));
  Rpd(database, options, recording, job).run();
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, database.path().string(), {}});
  return recording;
}

}  // namespace lanescope::imported
