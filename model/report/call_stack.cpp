// SPDX-License-Identifier: Apache-2.0
#include "model/report/call_stack.h"

#include <fmt/format.h>

#include <unordered_map>

#include "model/report/record.h"
#include "model/report/rows_host.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

using trace::EventKind;

/// Where the stacks of a kind of event stand, and the column of the event's row that names its own.
struct Source {
  const char* table;
  const char* key;
};

std::optional<Source> sourceOf(EventKind kind) {
  switch (kind) {
    case EventKind::kCudaApi:
      return Source{"CUDA_CALLCHAINS", "callchainId"};
    case EventKind::kOsRuntime:
      return Source{"OSRT_CALLCHAINS", "callchainId"};
    case EventKind::kCpuSample:
    case EventKind::kThreadWait:
      return Source{"SAMPLING_CALLCHAINS", "id"};
    case EventKind::kPythonSample:
      return Source{"LANESCOPE_PYTHON_CALLCHAINS", "id"};
    default:
      return std::nullopt;
  }
}

bool isIndexed(const Database& database, const char* table) {
  return database.integer(fmt::format("SELECT count(*) FROM pragma_index_list('{0}') AS list JOIN "
                                      "pragma_index_info(list.name) AS part WHERE part.seqno = 0 AND part.name = 'id'",
                                      table)) > 0;
}

std::string columnOr0(const Database& database, const char* table, const char* column) {
  return database.has(table, column) ? column : "0";
}

/// The stack that was taken when a thread lost its core: a sample without cycles, of that thread and time.
std::optional<std::int64_t> switchStack(const Database& database, const trace::Trace& trace, trace::EventRef wait) {
  for (const char* column : {"id", "start", "globalTid", "cpuCycles"})
    if (!database.has("COMPOSITE_EVENTS", column)) return std::nullopt;
  if (database.integer("SELECT max(rowid) FROM COMPOSITE_EVENTS") > CallStack::kMostScanned) return std::nullopt;
  auto row =
      database.prepare("SELECT id FROM COMPOSITE_EVENTS WHERE start = ?1 AND globalTid = ?2 AND cpuCycles = 0 LIMIT 1");
  if (!row) return std::nullopt;
  row->bind(1, trace.time(wait).begin);
  row->bind(2, trace.threads[trace.info(wait).thread].globalTid);
  return row->step() ? std::optional(row->integer(0)) : std::nullopt;
}

std::string baseName(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));  // npos + 1 is 0
}

}  // namespace

std::string Frame::functionText() const {
  std::string text = symbol;
  if (kernel) text += " [kernel]";
  return module.empty() ? text : text + " (" + baseName(module) + ")";
}

std::string Frame::text() const {
  std::string text = functionText();
  if (python && line > 0 && !module.empty()) text.insert(text.size() - 1, fmt::format(":{}", line));
  return text;
}

CallStack callStack(const Database& database, const trace::Trace& trace, trace::EventRef event) {
  CallStack stack;
  const trace::LaneInfo& info = trace.info(event);
  const auto source = sourceOf(info.kind);
  if (!source || info.table >= trace.tables.size()) return stack;
  for (const char* column : {"id", "symbol", "module", "stackDepth"})
    if (!database.has(source->table, column)) return stack;
  const Record record(database, trace.tables[info.table], trace.lanes[event.lane]->sourceRow(event.index));
  auto id = info.kind == EventKind::kThreadWait ? switchStack(database, trace, event) : record.integer(source->key);
  if (info.kind == EventKind::kPythonSample)  // samples of one stack may share it
    if (const auto shared = record.integer("callchainId")) id = shared;
  if (!id) return stack;
  if (!isIndexed(database, source->table) &&
      database.integer(fmt::format("SELECT max(rowid) FROM {}", source->table)) > CallStack::kMostScanned) {
    stack.tooLarge = true;
    return stack;
  }

  auto rows = database.prepare(
      fmt::format("SELECT symbol, module, {}, {}, {}, {} FROM {} WHERE id = ?1 ORDER BY stackDepth LIMIT {}",
                  columnOr0(database, source->table, "unresolved"), columnOr0(database, source->table, "originalIP"),
                  columnOr0(database, source->table, "kernelMode"), columnOr0(database, source->table, "unwindMethod"),
                  source->table, CallStack::kMostFrames + 1));
  auto strings = database.has("StringIds", "value") ? database.prepare("SELECT value FROM StringIds WHERE id = ?1")
                                                    : tl::unexpected(Error{});
  if (!rows) return stack;
  std::unordered_map<std::int64_t, std::string> known;  // frames share modules, and one symbol may stand in all
  std::size_t read = 0;
  const auto text = [&](std::int64_t string) {
    if (const auto found = known.find(string); found != known.end()) return found->second;
    if (!strings) return std::string();
    strings->reset();
    strings->bind(1, string);
    const std::string_view whole = strings->step() ? strings->text(0) : std::string_view();
    read += whole.size();
    return known[string] = shownText(whole, CallStack::kMostBytes);
  };
  rows->bind(1, *id);
  while (rows->step()) {
    if (stack.frames.size() == CallStack::kMostFrames || read > CallStack::kMostRead) {
      stack.more = true;
      break;
    }
    const auto textAt = [&](int column) { return rows->isNull(column) ? std::string() : text(rows->integer(column)); };
    Frame frame{.symbol = textAt(0),
                .module = textAt(1),
                .resolved = rows->integer(2) == 0,
                .kernel = rows->integer(4) != 0,
                .python = rows->integer(5) == kPythonFrame};
    if (frame.python) frame.line = rows->integer(3);
    if (frame.symbol.empty()) {
      frame.resolved = false;
      const auto address = frame.python ? 0 : static_cast<std::uint64_t>(rows->integer(3));
      frame.symbol = address != 0 ? fmt::format("{:#x}", address) : "(unknown)";
    }
    if (frame.module == frame.symbol) frame.module.clear();  // "[Max depth]" and the like stand in both
    stack.frames.push_back(std::move(frame));
  }
  return stack;
}

}  // namespace lanescope::report
