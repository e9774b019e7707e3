// SPDX-License-Identifier: Apache-2.0
// Databases of rocprofv3 (rocpd): tables whose names end in an id of the session, and in one file perhaps of several.
// Views join them; what they read stands here as maps. Facts: the schema that such a file carries
// (rocprofiler-sdk, share/rocprofiler-sdk-rocpd/*.sql).
#include <optional>
#include <unordered_map>

#include "model/import/amd_reading.h"
#include "model/import/gpu_words.h"
#include "model/import/importers.h"
#include "model/report/strings.h"
#include "model/utf8.h"

namespace lanescope::imported {

using report::TableRow;
using trace::EventKind;
using trace::NameId;

namespace {

/// How many rows of each table other sessions of the file have brought already.
struct Behind {
  std::uint64_t kernels = 0, copies = 0, calls = 0;
};

/// The tables of one session.
class Session {
 public:
  Session(const report::Database& database, std::string suffix, const ImportOptions& options, Recording& recording,
          TableReading& rows, Roster& roster, Behind& behind)
      : database_(database),
        suffix_(std::move(suffix)),
        recording_(recording),
        rows_(rows),
        roster_(roster),
        behind_(behind),
        strings_(database, *recording.names, {table("string"), "id", "string"}),
        add_{recording, options.details} {}

  void run() {
    readWho();
    readEvents();
    readRegions();
    readKernels();
    readCopies();
    readMemory();
    readCounters();
    for (const char* known : {"metadata", "string", "info_code_object", "arg", "track"}) rows_.needNot(table(known));
  }
  std::uint64_t missingNames() const { return strings_.missing(); }

 private:
  std::string table(std::string_view name) const { return "rocpd_" + std::string(name) + suffix_; }

  void readWho() {
    rows_.forEach(table("info_node"), {"hostname"}, [&](const TableRow& row) {
      if (recording_.host.empty()) recording_.host = repairUtf8(row.text(0));
    });
    rows_.forEach(table("info_process"), {"id", "pid", "command"}, [&](const TableRow& row) {
      const std::uint32_t process = roster_.process(row.integer(1));
      recording_.processes[process].name = repairUtf8(row.text(2));
      processes_.emplace(row.integer(0), process);
    });
    rows_.forEach(table("info_thread"), {"id", "pid", "tid", "name"}, [&](const TableRow& row) {
      const std::uint32_t thread = roster_.thread(processOf(row.integer(1)), row.integer(2));
      if (!row.text(3).empty()) recording_.threads[thread].name = repairUtf8(row.text(3));
      threads_.emplace(row.integer(0), thread);
    });
    rows_.forEach(table("info_agent"), {"id", "type", "product_name", "name"}, [&](const TableRow& row) {
      if (row.text(1) == "GPU")
        gpuNames_.emplace(row.integer(0), repairUtf8(row.text(2).empty() ? row.text(3) : row.text(2)));
    });
    const auto readNames = [&](const char* name, std::unordered_map<std::int64_t, std::string>& to) {
      rows_.forEach(table(name), {"id", "name"},
                    [&](const TableRow& row) { to.emplace(row.integer(0), repairUtf8(row.text(1))); });
    };
    readNames("info_stream", streamNames_);
    rows_.needNot(table("info_queue"));
    rows_.forEach(table("info_kernel_symbol"), {"id", "display_name", "kernel_name"}, [&](const TableRow& row) {
      const std::string_view text = row.text(1).empty() ? row.text(2) : row.text(1);
      kernels_.emplace(row.integer(0), amd::kernelNamed(*recording_.names, text));
    });
  }

  std::uint32_t processOf(std::int64_t id) {
    const auto found = processes_.find(id);
    if (found != processes_.end()) return found->second;
    return recording_.processes.empty() ? roster_.process(0) : 0;
  }

  std::uint32_t threadOf(std::int64_t id, std::int64_t process) {
    const auto found = threads_.find(id);
    return found != threads_.end() ? found->second : roster_.thread(processOf(process), id);
  }

  // --- events ------------------------------------------------------------------------------------------------------

  enum class Category : std::uint8_t { kCall, kMarker, kOther };
  struct EventInfo {
    Category category = Category::kOther;
    std::int64_t name = 0;  ///< of the category
    std::int64_t stack = 0;  ///< ties what belongs together
  };

  void readEvents() {
    std::unordered_map<std::int64_t, Category> categories;
    rows_.forEach(table("event"), {"id", "category_id", "stack_id"}, [&](const TableRow& row) {
      const std::int64_t name = row.integer(1);
      auto known = categories.find(name);
      if (known == categories.end()) known = categories.emplace(name, categoryOf(strings_.text(name))).first;
      events_.emplace(row.integer(0), EventInfo{known->second, name, row.integer(2)});
    });
  }

  static Category categoryOf(std::string_view text) {
    if (text.starts_with("HIP_") || text.starts_with("HSA_")) return Category::kCall;
    return text.starts_with("MARKER_") ? Category::kMarker : Category::kOther;
  }

  EventInfo infoOf(std::int64_t event) const {
    const auto found = events_.find(event);
    return found == events_.end() ? EventInfo{} : found->second;
  }

  /// What the program said at a mark; its call's name stands there too.
  NameId message(std::int64_t event, NameId otherwise) {
    if (!messages_)
      messages_ = database_.prepare("SELECT json_extract(extdata, '$.message') FROM " +
                                    report::quotedName(table("event")) + " WHERE id = ?1");
    if (!*messages_) return otherwise;
    report::Statement& statement = **messages_;
    statement.reset();
    statement.bind(1, event);
    return statement.step() && !statement.text(0).empty() ? recording_.names->intern(statement.text(0)) : otherwise;
  }

  void readRegions() {
    TrackOf<4> trackOf;
    rows_.forEach(table("region"), {"start", "end", "pid", "tid", "name_id", "event_id"}, [&](const TableRow& row) {
      if (!rows_.hasTimes(row, 0, 1)) return;
      const EventInfo info = infoOf(row.integer(5));
      const bool isCall = info.category == Category::kCall;
      const std::int64_t group = isCall ? -1 : info.category == Category::kMarker ? -2 : info.name;
      const std::uint32_t track =
          trackOf({row.integer(2), row.integer(3), static_cast<std::int64_t>(info.category), group}, [&] {
            const std::uint32_t thread = threadOf(row.integer(3), row.integer(2));
            if (isCall) return roster_.ofThread(EventKind::kCudaApi, thread);
            const bool isMarker = info.category == Category::kMarker;
            const std::string name = isMarker ? "roctx" : repairUtf8(strings_.text(info.name));
            return roster_.ofThread(EventKind::kNvtxRange, thread,
                                    roster_.domain(recording_.threads[thread].process, name, false));
          });
      const NameId name = strings_.name(row.integer(4));
      add_(track, {.start = row.integer(0),
                   .end = row.integer(1),
                   .name = info.category == Category::kMarker ? message(row.integer(5), name) : name,
                   .sourceRow = amd::rowOf(row, behind_.calls),
                   .correlation = isCall ? info.stack : 0});
    });
    behind_.calls += rows_.lastRow(table("region"));
  }

  std::uint32_t workTrack(TrackOf<5>& tracks, const TableRow& row, EventKind kind, std::uint8_t copyKind,
                          std::int64_t agent) {
    const std::int64_t stream = row.integer(3);
    return tracks({row.integer(2), agent, stream, static_cast<std::int64_t>(kind), copyKind}, [&] {
      const std::uint32_t gpu = roster_.gpu(processOf(row.integer(2)), agent);
      if (const auto name = gpuNames_.find(agent); name != gpuNames_.end()) recording_.gpus[gpu].name = name->second;
      const std::uint32_t to = roster_.stream(gpu, 0, stream);
      const auto name = streamNames_.find(stream);
      recording_.streams[to].isDefault = name != streamNames_.end() && name->second == "Default Stream";
      if (name != streamNames_.end() && !recording_.streams[to].isDefault) recording_.streams[to].name = name->second;
      return roster_.ofStream(kind, to, copyKind);
    });
  }

  void readKernels() {
    TrackOf<5> tracks;
    rows_.forEach(table("kernel_dispatch"),
                  {"start", "end", "pid", "stream_id", "agent_id", "kernel_id", "event_id", "grid_size_x",
                   "grid_size_y", "grid_size_z", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z",
                   "group_segment_size", "private_segment_size"},
                  [&](const TableRow& row) {
                    if (!rows_.hasTimes(row, 0, 1)) return;
                    const auto name = kernels_.find(row.integer(5));
                    const auto group = [&](int axis) { return row.integer(10 + axis); };
                    const auto grid = [&](int axis) { return amd::groupsOf(row.integer(7 + axis), group(axis)); };
                    add_(workTrack(tracks, row, EventKind::kKernel, 0, row.integer(4)),
                         {.start = row.integer(0),
                          .end = row.integer(1),
                          .name = name == kernels_.end() ? 0 : name->second,
                          .sourceRow = amd::rowOf(row, behind_.kernels),
                          .correlation = infoOf(row.integer(6)).stack},
                         {.gridX = grid(0),
                          .gridY = grid(1),
                          .gridZ = grid(2),
                          .blockX = group(0),
                          .blockY = group(1),
                          .blockZ = group(2),
                          .staticShared = row.integer(13),
                          .localPerThread = row.integer(14)});
                  });
    behind_.kernels += rows_.lastRow(table("kernel_dispatch"));
  }

  void readCopies() {
    TrackOf<5> tracks;
    rows_.forEach(table("memory_copy"),
                  {"start", "end", "pid", "stream_id", "dst_agent_id", "src_agent_id", "name_id", "size", "event_id"},
                  [&](const TableRow& row) {
                    if (!rows_.hasTimes(row, 0, 1)) return;
                    const bool toGpu = gpuNames_.contains(row.integer(4));
                    const std::uint8_t kind = copyKindOf(strings_.text(row.integer(6)));
                    add_(workTrack(tracks, row, EventKind::kCopy, kind, row.integer(toGpu ? 4 : 5)),
                         {.start = row.integer(0),
                          .end = row.integer(1),
                          .sourceRow = amd::rowOf(row, behind_.copies),
                          .amount = amd::bytesOf(row.integer(7)),
                          .correlation = infoOf(row.integer(8)).stack});
                  });
    behind_.copies += rows_.lastRow(table("memory_copy"));
  }

  // --- curves ------------------------------------------------------------------------------------------------------

  Curve& curve(std::map<std::string, Curve>& curves, std::string name, std::int64_t process, std::int64_t agent,
               trace::Counter::Unit unit) {
    Curve& to = curves[name + '\n' + std::to_string(process) + ' ' + std::to_string(agent)];
    if (to.name.empty()) {
      to.process = processOf(process), to.unit = unit;
      if (gpuNames_.contains(agent)) to.gpu = roster_.gpu(to.process, agent);
      to.name = std::move(name);
    }
    return to;
  }

  void add(std::map<std::string, Curve>&& curves) {
    for (auto& [key, made] : curves) recording_.curves.push_back(std::move(made));
  }

  /// Memory in use, from what is allocated and freed.
  void readMemory() {
    std::map<std::string, Curve> curves;
    struct Block {
      std::uint64_t bytes = 0;
      std::int64_t agent = 0;
    };
    std::unordered_map<std::int64_t, Block> blocks;
    std::map<std::int64_t, double> inUse;
    rows_.forEach(
        table("memory_allocate"), {"start", "pid", "agent_id", "type", "address", "size"}, [&](const TableRow& row) {
          if (!rows_.hasTimes(row, 0, 0)) return;
          std::int64_t agent = row.integer(2);
          if (row.text(3) == "ALLOC") {
            blocks[row.integer(4)] = {amd::bytesOf(row.integer(5)), agent};
            inUse[agent] += static_cast<double>(amd::bytesOf(row.integer(5)));
          } else if (const auto block = blocks.find(row.integer(4)); row.text(3) == "FREE" && block != blocks.end()) {
            agent = block->second.agent;
            inUse[agent] -= static_cast<double>(block->second.bytes);
            blocks.erase(block);
          } else {
            return;
          }
          Curve& to = curve(curves, "Memory in use", row.integer(1), agent, trace::Counter::Unit::kBytes);
          to.times.push_back(row.integer(0));
          to.values.push_back(inUse[agent]);
        });
    add(std::move(curves));
  }

  /// Hardware counters: a value for each kernel, or for each sample.
  void readCounters() {
    if (rows_.lastRow(table("pmc_event")) == 0) {
      rows_.needNot(table("pmc_event")), rows_.needNot(table("info_pmc")), rows_.needNot(table("sample"));
      return;
    }
    std::unordered_map<std::int64_t, trace::Ns> timeOf;
    for (const auto& [name, time] : {std::pair("kernel_dispatch", "start"), std::pair("sample", "timestamp")})
      rows_.forEach(table(name), {"event_id", time}, [&](const TableRow& row) {
        if (row.isInteger(1)) timeOf.emplace(row.integer(0), row.integer(1));
      });
    struct Kind {
      std::string name;
      std::int64_t process = 0, agent = 0;
    };
    std::unordered_map<std::int64_t, Kind> kinds;
    rows_.forEach(table("info_pmc"), {"id", "name", "pid", "agent_id"}, [&](const TableRow& row) {
      kinds.emplace(row.integer(0), Kind{repairUtf8(row.text(1)), row.integer(2), row.integer(3)});
    });
    std::map<std::string, Curve> curves;
    std::uint64_t others = 0;
    rows_.forEach(table("pmc_event"), {"event_id", "pmc_id", "value"}, [&](const TableRow& row) {
      const auto time = timeOf.find(row.integer(0));
      const auto kind = kinds.find(row.integer(1));
      if (time == timeOf.end() || kind == kinds.end()) {
        ++others;
        return;
      }
      Curve& to =
          curve(curves, kind->second.name, kind->second.process, kind->second.agent, trace::Counter::Unit::kCount);
      to.times.push_back(time->second);
      to.values.push_back(row.isReal(2) ? row.real(2) : static_cast<double>(row.integer(2)));
    });
    add(std::move(curves));
    rows_.leaveOut("pmc_event", others);
  }

  const report::Database& database_;
  const std::string suffix_;
  Recording& recording_;
  TableReading& rows_;
  Roster& roster_;
  Behind& behind_;
  report::Strings strings_;
  amd::Adder add_;
  std::unordered_map<std::int64_t, std::uint32_t> processes_, threads_;
  std::unordered_map<std::int64_t, std::string> gpuNames_, streamNames_;
  std::unordered_map<std::int64_t, NameId> kernels_;
  std::unordered_map<std::int64_t, EventInfo> events_;
  std::optional<Result<report::Statement>> messages_;
};

/// What stands behind the names of tables, a session each.
std::vector<std::string> suffixes(const report::Database& database) {
  constexpr std::string_view kString = "rocpd_string";
  std::vector<std::string> found;
  for (const std::string& table : database.tables())
    if (table.starts_with(kString)) found.push_back(table.substr(kString.size()));
  return found;
}

}  // namespace

Result<Recording> readRocpd(const report::Database& database, const ImportOptions& options, const Job& job) {
  Recording recording;
  recording.format = "rocpd";
  TableReading rows(database, recording, job);
  Roster roster(recording);
  Behind behind;
  std::uint64_t missing = 0;
  for (const std::string& suffix : suffixes(database)) {
    if (recording.version.empty())
      recording.version = repairUtf8(database.text(
          "SELECT value FROM " + report::quotedName("rocpd_metadata" + suffix) + " WHERE tag = 'schema_version'"));
    Session session(database, suffix, options, recording, rows, roster, behind);
    session.run();
    missing += session.missingNames();
  }
  rows.tell("rocpd_", missing);
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, database.path().string(), {}});
  return recording;
}

}  // namespace lanescope::imported
