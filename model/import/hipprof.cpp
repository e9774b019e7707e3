// SPDX-License-Identifier: Apache-2.0
// Databases with tables HIP, OPS and COPY: those of rocprof (v1, v2), whose names are texts, and those of hipprof, whose
// names are numbers of STR_TABLE. Columns differ in spelling ("dev-id", dev_id; "Index", _Index).
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "model/import/amd_reading.h"
#include "model/import/gpu_words.h"
#include "model/import/importers.h"
#include "model/utf8.h"

namespace lanescope::imported {

using report::TableRow;
using trace::Event;
using trace::EventKind;
using trace::NameId;

namespace {

/// The number behind "sizeBytes(" or "sizeBytes=" in the arguments of a call; 0 where there is none.
std::uint64_t sizeIn(std::string_view arguments) {
  constexpr std::string_view kWord = "sizeBytes";
  const std::size_t at = arguments.find(kWord);
  if (at == std::string_view::npos) return 0;
  const std::string_view rest = arguments.substr(std::min(at + kWord.size() + 1, arguments.size()));
  std::uint64_t value = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), value);
  return value;
}

/// Kinds of copies as numbers are those of OpenCL's commands.
std::uint8_t copyKindOfCommand(std::int64_t command) {
  switch (command) {
    case 0x11F3:  // CL_COMMAND_READ_BUFFER
    case 0x1201:  // …_RECT
      return 2;
    case 0x11F4:  // CL_COMMAND_WRITE_BUFFER
    case 0x1202:
      return 1;
    case 0x11F5:  // CL_COMMAND_COPY_BUFFER
    case 0x1203:
      return 8;
    default:
      return 0;
  }
}
constexpr std::int64_t kFill = 0x1207;  // CL_COMMAND_FILL_BUFFER

class Hipprof {
 public:
  Hipprof(const report::Database& database, const ImportOptions& options, Recording& recording, const Job& job)
      : database_(database),
        recording_(recording),
        rows_(database, recording, job),
        roster_(recording),
        add_{recording, options.details} {}

  void run() {
    readStrings();
    readCalls("HIP", 0);
    readCalls("HSA", rows_.lastRow("HIP"));
    readMarks();
    readKernels("OPS", 0);
    readKernels("KERN", rows_.lastRow("OPS"));
    readCopies();
    readClock();
    rows_.tell("", 0);
  }

 private:
  /// The first of these that the table has; the first where it has none.
  std::string_view column(std::string_view table, std::initializer_list<std::string_view> spellings) const {
    for (const std::string_view spelling : spellings)
      if (database_.has(table, spelling)) return spelling;
    return *spellings.begin();
  }

  void readStrings() {
    rows_.forEach("STR_TABLE", {"PID", "STR_ID", "STR_NAME"}, [&](const TableRow& row) {
      strings_.emplace(std::pair(row.integer(0), row.integer(1)), row.text(2));
    });
  }

  void readCalls(std::string_view table, std::uint64_t behind) {
    TrackOf<2> trackOf;
    rows_.forEach(table, {"BeginNs", "EndNs", "pid", "tid", column(table, {"Index", "_Index"}), "Name", "args"},
                  [&](const TableRow& row) {
                    if (!rows_.hasTimes(row, 0, 1)) return;
                    const std::uint32_t track = trackOf({row.integer(2), row.integer(3)}, [&] {
                      return roster_.ofThread(EventKind::kCudaApi,
                                              roster_.thread(roster_.process(row.integer(2)), row.integer(3)));
                    });
                    if (const std::uint64_t bytes = sizeIn(row.text(6)); bytes > 0)
                      bytesOfCall_.emplace(std::pair(row.integer(2), row.integer(4)), bytes);
                    add_(track, {.start = row.integer(0),
                                 .end = row.integer(1),
                                 .name = callName(row),
                                 .sourceRow = amd::rowOf(row, behind),
                                 .correlation = row.integer(4)});
                  });
  }

  /// Where the name is a number, it stands before its arguments.
  NameId callName(const TableRow& row) {
    if (row.isText(5)) return recording_.names->intern(row.text(5));
    const auto [at, isNew] = calls_.try_emplace(row.integer(5), 0);
    if (!isNew) return at->second;
    const std::string_view arguments = row.text(6);
    const std::size_t open = arguments.find('(');
    at->second = recording_.names->intern(open == std::string_view::npos || open == 0
                                              ? "HIP call " + std::to_string(row.integer(5))
                                              : std::string(arguments.substr(0, open)));
    return at->second;
  }

  void readMarks() {
    TrackOf<2> trackOf;
    rows_.forEach("rocTX", {"BeginNs", "EndNs", "pid", "tid", "Name"}, [&](const TableRow& row) {
      if (!rows_.hasTimes(row, 0, 1)) return;
      const std::uint32_t track = trackOf({row.integer(2), row.integer(3)}, [&] {
        const std::uint32_t process = roster_.process(row.integer(2));
        return roster_.ofThread(EventKind::kNvtxRange, roster_.thread(process, row.integer(3)),
                                roster_.domain(process, "roctx", false));
      });
      add_(track, {.start = row.integer(0),
                   .end = row.integer(1),
                   .name = recording_.names->intern(row.text(4)),
                   .sourceRow = amd::rowOf(row)});
    });
  }

  /// Columns of OPS and COPY, and of KERN where that holds times; then `name`.
  report::Columns workColumns(std::string_view table, std::string_view name) const {
    return {"BeginNs",
            "EndNs",
            column(table, {"pid"}),
            column(table, {"dev-id", "dev_id", "gpu-id"}),
            column(table, {"stream-id", "queue-id", "queue_id"}),
            column(table, {"Index", "_Index"}),
            name};
  }

  std::uint32_t trackOf(TrackOf<5>& tracks, const TableRow& row, EventKind kind, std::uint8_t copyKind = 0) {
    const std::int64_t stream = numberOf(row, 4);
    return tracks({row.integer(2), row.integer(3), stream, static_cast<std::int64_t>(kind), copyKind}, [&] {
      const std::uint32_t gpu = roster_.gpu(roster_.process(row.integer(2)), row.integer(3));
      return roster_.ofStream(kind, roster_.stream(gpu, 0, stream), copyKind);
    });
  }

  /// Also of a text that is one.
  static std::int64_t numberOf(const TableRow& row, int column) {
    std::int64_t value = row.integer(column);
    if (row.isText(column)) {
      const std::string_view text = row.text(column);
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return value;
  }

  Event eventOf(const TableRow& row, std::uint64_t behind) const {
    return {.start = row.integer(0),
            .end = row.integer(1),
            .sourceRow = amd::rowOf(row, behind),
            .correlation = row.integer(5)};
  }

  void readKernels(std::string_view table, std::uint64_t behind) {
    if (!database_.has(table, "BeginNs")) return rows_.needNot(table);  // KERN may be a list of names alone
    TrackOf<5> tracks;
    rows_.forEach(table, workColumns(table, column(table, {"Name", "KernelName"})), [&](const TableRow& row) {
      if (!rows_.hasTimes(row, 0, 1)) return;
      Event event = eventOf(row, behind);
      const auto string = strings_.find({row.integer(2), numberOf(row, 6)});
      event.name = kernel(string == strings_.end() ? row.text(6) : std::string_view(string->second));
      add_(trackOf(tracks, row, EventKind::kKernel), event);
    });
  }

  NameId kernel(std::string_view text) {
    auto at = kernels_.find(text);
    if (at == kernels_.end()) at = kernels_.emplace(text, amd::kernelNamed(*recording_.names, text)).first;
    return at->second;
  }

  void readCopies() {
    TrackOf<5> tracks;
    rows_.forEach("COPY", workColumns("COPY", column("COPY", {"Name", "Kind"})), [&](const TableRow& row) {
      if (!rows_.hasTimes(row, 0, 1)) return;
      const bool isFill = row.integer(6) == kFill || row.text(6).starts_with("Fill");
      const std::uint8_t copyKind = isFill          ? 0
                                    : row.isText(6) ? copyKindOf(row.text(6))
                                                    : copyKindOfCommand(row.integer(6));
      Event event = eventOf(row, 0);
      if (const auto bytes = bytesOfCall_.find({row.integer(2), row.integer(5)}); bytes != bytesOfCall_.end())
        event.amount = bytes->second;
      add_(trackOf(tracks, row, isFill ? EventKind::kMemset : EventKind::kCopy, copyKind), event);
    });
  }

  /// hipprof notes when it began on both clocks: the GPU's in ns, seconds since 1970 as a text.
  void readClock() {
    std::optional<std::int64_t> begin;
    double wall = 0;
    rows_.forEach("CONFIG", {"KEY", "VALUE"}, [&](const TableRow& row) {
      const std::string_view text = row.text(1);
      if (row.integer(0) == 0) begin = numberOf(row, 1);
      if (row.integer(0) == 1) std::from_chars(text.data(), text.data() + text.size(), wall);
    });
    constexpr double kYear2001 = 1e9, kYear2100 = 4.1e9;
    if (begin && *begin > 0 && *begin < trace::kMaxTime && wall > kYear2001 && wall < kYear2100)
      recording_.utcOfZero = static_cast<std::int64_t>(std::llround(wall * 1e6)) * 1000 - *begin;
  }

  const report::Database& database_;
  Recording& recording_;
  TableReading rows_;
  Roster roster_;
  amd::Adder add_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> strings_;  ///< by process and number
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint64_t> bytesOfCall_;  ///< by process and index
  std::unordered_map<std::int64_t, NameId> calls_;
  std::map<std::string, NameId, std::less<>> kernels_;
};

}  // namespace

Result<Recording> readHipprof(const report::Database& database, const ImportOptions& options, const Job& job) {
  Recording recording;
  recording.format = "hipprof";
  Hipprof(database, options, recording, job).run();
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, database.path().string(), {}});
  return recording;
}

}  // namespace lanescope::imported
