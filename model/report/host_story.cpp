// SPDX-License-Identifier: Apache-2.0
#include "model/report/host_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/report/database.h"
#include "model/report/os_objects.h"
#include "model/report/rows_host.h"
#include "model/utf8.h"

namespace lanescope::report {

using trace::EventKind;
using trace::EventRef;
using trace::LaneId;

namespace {

constexpr std::size_t kMostSamples = 8;  // of one stretch of time
constexpr std::size_t kMostOfFunctions = 64;  // the same, for functions, of which there are more than lines
constexpr std::size_t kMostBytes = 1024;  // of a name
constexpr int kMostFrames = 128;

/// Where interpreters keep what is not the program's own.
constexpr std::string_view kLibraries[] = {"/site-packages/", "/dist-packages/", "/lib/python", "/lib64/python",
                                           "<frozen "};
/// Sources of libraries that load data.
constexpr std::string_view kLoaders[] = {"torch/utils/data/",           "nvidia/dali/",       "webdataset/",
                                         "tensorflow/python/data/",     "grain/_src/python/", "mosaic/streaming/",
                                         "datasets/iterable_dataset.py"};

template <std::size_t kCount>
bool hasOneOf(std::string_view text, const std::string_view (&parts)[kCount]) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

struct PythonLine {
  std::int64_t symbol = 0, module = 0, line = 0;
};

/// One table of stacks, and the one whose rows name them.
struct Stacks {
  const char *events, *key, *table;
  Statement idOf, frames;
  bool isAsked = false;
  std::size_t inVain = 0;
};

bool hasKey(const Database& database, const char* table) {
  return database.integer(fmt::format("SELECT count(*) FROM pragma_index_list('{0}') AS list JOIN "
                                      "pragma_index_info(list.name) AS part WHERE part.seqno = 0 AND part.name = 'id'",
                                      table)) > 0;
}

}  // namespace

std::string PythonPlace::text() const {
  const std::string base = file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
  if (base.empty()) return function;
  return line > 0 ? fmt::format("{} ({}:{})", function, base, line) : fmt::format("{} ({})", function, base);
}

struct HostStory::State {
  State(const Database& file, const trace::Trace& whole) : database(file), trace(whole), lanesOf(whole.threads.size()) {
    for (LaneId lane = 0; lane < trace.laneInfo.size(); ++lane) {
      const trace::LaneInfo& info = trace.laneInfo[lane];
      if (info.thread >= lanesOf.size()) continue;
      if (info.kind == EventKind::kPythonSample) lanesOf[info.thread].python.push_back(lane);
      if (info.kind == EventKind::kCpuSample) lanesOf[info.thread].cpu.push_back(lane);
      if (info.kind == EventKind::kOsRuntime) lanesOf[info.thread].os.push_back(lane);
    }
    for (Stacks& each : stacks) open(each);
    openFunctions();
    openHolders();
    if (database.has("StringIds", "value"))
      if (auto text = database.prepare("SELECT value FROM StringIds WHERE id = ?1")) strings = std::move(*text);
    constexpr const char* kObjects = "LANESCOPE_OSRT_OBJECTS";
    if (database.has(kObjects, "osrtRow") && database.has(kObjects, "object") && database.has(kObjects, "nameId"))
      if (auto row = database.prepare(fmt::format("SELECT object, nameId FROM {} WHERE osrtRow = ?1", kObjects)))
        objects = std::move(*row);
  }

  void open(Stacks& each) const {
    for (const char* column : {"id", "symbol", "module", "originalIP", "unwindMethod", "stackDepth"})
      if (!database.has(each.table, column)) return;
    if (!database.has(each.events, each.key) || !hasKey(database, each.table)) return;
    const bool mayShare = std::string_view(each.key) == "id" && database.has(each.events, "callchainId");
    auto id = database.prepare(fmt::format("SELECT {} FROM {} WHERE rowid = ?1",
                                           mayShare ? "coalesce(callchainId, id)" : each.key, each.events));
    auto frames = database.prepare(
        fmt::format("SELECT symbol, module, originalIP FROM {} WHERE id = ?1 AND unwindMethod = {} ORDER BY stackDepth "
                    "LIMIT {}",
                    each.table, kPythonFrame, kMostFrames));
    if (!id || !frames) return;
    each.idOf = std::move(*id);
    each.frames = std::move(*frames);
    each.isAsked = true;
  }

  void openFunctions() {
    constexpr const char* kTable = "SAMPLING_CALLCHAINS";
    for (const char* column : {"symbol", "module", "unwindMethod", "stackDepth"})
      if (!database.has(kTable, column)) return;
    if (!database.has("COMPOSITE_EVENTS", "id") || !hasKey(database, kTable)) return;
    auto frame = database.prepare(
        fmt::format("SELECT symbol, module FROM {} WHERE id = (SELECT id FROM COMPOSITE_EVENTS WHERE rowid = ?1) AND "
                    "unwindMethod IS NOT {} ORDER BY stackDepth LIMIT 1",
                    kTable, kPythonFrame));
    if (frame) innermost = std::move(*frame);
  }

  void openHolders() {
    if (!database.has("LANESCOPE_PYTHON_SAMPLES", "holdsGil")) return;
    auto row = database.prepare("SELECT holdsGil FROM LANESCOPE_PYTHON_SAMPLES WHERE rowid = ?1");
    if (row) holds = std::move(*row);
  }

  bool isOf(EventRef event, std::string_view table) const {
    const trace::LaneInfo& info = trace.info(event);
    return info.table < trace.tables.size() && trace.tables[info.table] == table;
  }

  std::string functionOf(const std::vector<EventRef>& samples) {
    std::map<std::pair<std::string, std::string>, std::size_t> votes;
    for (const EventRef sample : samples) {
      if (!innermost.raw() || !isOf(sample, "COMPOSITE_EVENTS") || askedFunctions >= kMostStacks) continue;
      ++askedFunctions;
      innermost.reset();
      innermost.bind(1, static_cast<std::int64_t>(trace.lanes[sample.lane]->sourceRow(sample.index)));
      if (!innermost.step()) continue;
      const auto at = [&](int column) { return innermost.isNull(column) ? "" : text(innermost.integer(column)); };
      std::string symbol = at(0), module = at(1);
      if (symbol.starts_with("0x") || symbol == "(unnamed)") symbol.clear();  // one address is not the next one's
      module.erase(0, module.find_last_of('/') + 1);  // npos + 1 is 0
      if (!symbol.empty() || !module.empty()) ++votes[{std::move(symbol), std::move(module)}];
    }
    if (votes.empty()) return {};
    const auto& [symbol, module] =
        std::ranges::max_element(votes, {}, [](const auto& each) { return each.second; })->first;
    return symbol.empty() ? module : module.empty() ? symbol : fmt::format("{} ({})", symbol, module);
  }

  std::size_t heldIn(const std::vector<EventRef>& samples) {
    std::size_t held = 0;
    for (const EventRef sample : samples) {
      if (!holds.raw() || !isOf(sample, "LANESCOPE_PYTHON_SAMPLES") || asked >= kMostStacks) continue;
      ++asked;
      holds.reset();
      holds.bind(1, static_cast<std::int64_t>(trace.lanes[sample.lane]->sourceRow(sample.index)));
      held += holds.step() && holds.integer(0) == 1 ? 1 : 0;
    }
    return held;
  }

  const std::string& text(std::int64_t id) {
    const auto [known, isNew] = texts.try_emplace(id);
    if (isNew && strings.raw()) {
      strings.reset();
      strings.bind(1, id);
      if (strings.step()) known->second = shownText(strings.text(0), kMostBytes);
    }
    return known->second;
  }

  /// The frames of Python of the stack that was taken with an event, innermost first.
  std::vector<PythonLine> pythonOf(EventRef event) {
    const trace::LaneInfo& info = trace.info(event);
    if (info.table >= trace.tables.size() || asked >= kMostStacks) return {};
    const auto from = std::ranges::find(stacks, std::string_view(trace.tables[info.table]), &Stacks::events);
    if (from == stacks.end() || !from->isAsked || from->inVain >= kMostInVain) return {};
    ++asked;
    from->idOf.reset();
    from->idOf.bind(1, static_cast<std::int64_t>(trace.lanes[event.lane]->sourceRow(event.index)));
    if (!from->idOf.step() || from->idOf.isNull(0)) return {};
    from->frames.reset();
    from->frames.bind(1, from->idOf.integer(0));
    std::vector<PythonLine> lines;
    while (from->frames.step())
      lines.push_back({from->frames.integer(0), from->frames.integer(1), from->frames.integer(2)});
    from->inVain = lines.empty() ? from->inVain + 1 : 0;
    return lines;
  }

  /// One that is no library's; of libraries alone the innermost.
  const PythonLine& ownOf(const std::vector<PythonLine>& lines) {
    const auto own =
        std::ranges::find_if(lines, [&](const PythonLine& each) { return !hasOneOf(text(each.module), kLibraries); });
    return own == lines.end() ? lines.front() : *own;
  }

  bool loadsData(const std::vector<PythonLine>& lines) {
    return std::ranges::any_of(lines, [&](const PythonLine& each) {
      return hasOneOf(text(each.module), kLoaders) || text(each.symbol).find("DataLoader") != std::string::npos;
    });
  }

  /// Up to kMostSamples of a lane in this time, evenly spread.
  void samplesIn(const std::vector<LaneId>& lanes, trace::TimeRange range, std::vector<EventRef>& found,
                 std::size_t most = kMostSamples) const {
    for (const LaneId id : lanes) {
      const trace::Lane& lane = *trace.lanes[id];
      const std::size_t first = lane.lowerBound(range.begin), last = lane.lowerBound(range.end);
      const std::size_t step = std::max<std::size_t>(1, (last - first) / most);
      for (std::size_t i = first; i < last && found.size() < most; i += step)
        found.push_back({id, static_cast<std::uint32_t>(i)});
    }
  }

  std::optional<PythonPlace> placeOf(const std::vector<EventRef>& events) {
    struct Votes {
      std::size_t count = 0, loading = 0;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Votes> places;
    for (const EventRef event : events) {
      const std::vector<PythonLine> lines = pythonOf(event);
      if (lines.empty()) continue;
      const PythonLine& own = ownOf(lines);
      Votes& votes = places[{own.symbol, own.module, own.line}];
      ++votes.count;
      votes.loading += loadsData(lines);
    }
    if (places.empty()) return std::nullopt;
    const auto most = std::ranges::max_element(places, {}, [](const auto& each) { return each.second.count; });
    const auto& [symbol, module, line] = most->first;
    return PythonPlace{text(symbol), text(module), line, 2 * most->second.loading > most->second.count};
  }

  /// The one that covers more than half of this time; what is inside another does not count.
  std::optional<EventRef> osCallOf(std::uint32_t thread, trace::TimeRange range) const {
    if (thread >= lanesOf.size() || range.empty()) return std::nullopt;
    for (const LaneId id : lanesOf[thread].os) {  // outermost first
      const trace::Lane& lane = *trace.lanes[id];
      const auto at = lane.at(range.begin + range.length() / 2);
      if (!at) continue;
      const trace::Ns inside = std::min(lane.end(*at), range.end) - std::max(lane.start(*at), range.begin);
      if (inside > range.length() / 2) return EventRef{id, static_cast<std::uint32_t>(*at)};
    }
    return std::nullopt;
  }

  struct Lanes {
    std::vector<LaneId> python, cpu, os;
  };

  const Database& database;
  const trace::Trace& trace;
  std::vector<Lanes> lanesOf;  // by thread
  std::array<Stacks, 4> stacks{{{"LANESCOPE_PYTHON_SAMPLES", "id", "LANESCOPE_PYTHON_CALLCHAINS", {}, {}},
                                {"COMPOSITE_EVENTS", "id", "SAMPLING_CALLCHAINS", {}, {}},
                                {"OSRT_API", "callchainId", "OSRT_CALLCHAINS", {}, {}},
                                {"CUPTI_ACTIVITY_KIND_RUNTIME", "callchainId", "CUDA_CALLCHAINS", {}, {}}}};
  Statement strings, objects, innermost, holds;
  std::unordered_map<std::int64_t, std::string> texts;
  std::size_t askedFunctions = 0;
  std::size_t asked = 0;
};

HostStory::HostStory(const Database& database, const trace::Trace& trace)
    : state_(std::make_unique<State>(database, trace)) {}
HostStory::~HostStory() = default;

std::optional<PythonPlace> HostStory::place(std::uint32_t thread, trace::TimeRange range,
                                            std::optional<EventRef> event) {
  if (thread < state_->lanesOf.size()) {
    for (const auto& lanes : {state_->lanesOf[thread].python, state_->lanesOf[thread].cpu}) {
      std::vector<EventRef> samples;
      state_->samplesIn(lanes, range, samples);
      if (auto place = state_->placeOf(samples)) return place;
    }
  }
  return event ? state_->placeOf({*event}) : std::nullopt;
}

std::string HostStory::function(std::uint32_t thread, trace::TimeRange range) {
  if (thread >= state_->lanesOf.size()) return {};
  std::vector<EventRef> samples;
  state_->samplesIn(state_->lanesOf[thread].cpu, range, samples, kMostOfFunctions);
  return state_->functionOf(samples);
}

std::optional<std::uint32_t> HostStory::holder(std::uint32_t waiter, trace::TimeRange range) {
  const auto& threads = state_->trace.threads;
  if (waiter >= threads.size()) return std::nullopt;
  std::optional<std::uint32_t> holder;
  std::size_t most = 0;
  for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
    if (thread == waiter || threads[thread].process != threads[waiter].process) continue;
    std::vector<EventRef> samples;
    state_->samplesIn(state_->lanesOf[thread].python, range, samples);
    if (const std::size_t held = state_->heldIn(samples); held > most) holder = thread, most = held;
  }
  return holder;
}

std::string HostStory::osCall(EventRef event) {
  const trace::Trace& trace = state_->trace;
  const trace::LaneInfo& info = trace.info(event);
  if (info.kind != EventKind::kOsRuntime) return {};
  std::string call((*trace.names)[trace.name(event)].text);
  if (trace.tables[info.table] != "OSRT_API" || !state_->objects.raw()) return call;
  Statement& row = state_->objects;
  row.reset();
  row.bind(1, static_cast<std::int64_t>(trace.lanes[event.lane]->sourceRow(event.index)));
  if (!row.step()) return call;
  const std::string name = row.isNull(1) ? std::string() : state_->text(row.integer(1));
  return call + " of " + osObject(call, row.integer(0), name).text();
}

std::string HostStory::of(std::uint32_t thread, trace::TimeRange range, std::optional<EventRef> event) {
  const bool inCuda = event && state_->trace.info(*event).kind == EventKind::kCudaApi;
  if (const auto call = inCuda ? std::nullopt : state_->osCallOf(thread, range)) event = call;
  const auto python = place(thread, range, event);
  const std::string call = event ? osCall(*event) : std::string();
  if (!python) return call.find(" of ") == std::string::npos ? std::string() : call;
  return call.empty() ? python->text() : python->text() + ", in " + call;
}

}  // namespace lanescope::report
