// SPDX-License-Identifier: Apache-2.0
// What is neither a call nor GPU work: NVTX, memory in use, samples of metrics and of the CPU, who ran on which core.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>

#include "model/export/chrome_events.h"
#include "model/export/value_text.h"
#include "model/json.h"
#include "model/trace/curve_category.h"
#include "model/trace/foreign_domains.h"
#include "model/trace/ids.h"
#include "model/trace/sample_words.h"

namespace lanescope::exporting {

using report::TableRow;
using trace::Ns;

namespace {

constexpr std::int64_t kCategory = 33, kMark = 34, kPushPop = 59, kStartEnd = 60, kDomain = 75;  // eventType

/// Names of domains and categories, quoted, by process, domain and category (none: the domain itself).
class NvtxNames {
 public:
  NvtxNames(const report::Database& database, Texts& texts) {
    report::scanTable(database, "NVTX_EVENTS", {"eventType", "globalTid", "domainId", "category", "text", "textId"},
                      [&](const TableRow& row) {
                        const std::int64_t type = row.integer(0);
                        if (type != kDomain && type != kCategory) return;
                        std::string& name = names_[key(row.integer(1), row.integer(2),
                                                       type == kDomain ? std::nullopt : std::optional(row.integer(3)))];
                        name.clear();
                        if (row.isNull(4) && !row.isNull(5)) name = texts.quoted(row.integer(5));
                        else appendQuoted(name, row.text(4));
                      });
  }
  const std::string* find(std::int64_t globalTid, std::int64_t domain, std::optional<std::int64_t> category) const {
    const auto found = names_.find(key(globalTid, domain, category));
    return found == names_.end() ? nullptr : &found->second;
  }

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::optional<std::int64_t>>;
  static Key key(std::int64_t globalTid, std::int64_t domain, std::optional<std::int64_t> category) {
    return {globalTid & ~trace::kThreadBits, domain, category};
  }
  std::map<Key, std::string> names_;
};

/// Domains that are another tool's kinds of events, by process and id.
std::set<std::pair<std::int64_t, std::int64_t>> foreignDomains(const report::Database& database) {
  std::set<std::pair<std::int64_t, std::int64_t>> domains;
  report::scanTable(database, "LANESCOPE_DOMAINS", {"globalPid", "domainId"},
                    [&](const TableRow& row) { domains.emplace(row.integer(0), row.integer(1)); });
  return domains;
}

/// The category, quoted as the domain is, by which the importer finds a kind of event again; nothing where none says it.
std::optional<std::string_view> categoryOf(std::string_view domain, bool isSpan) {
  const std::string_view name = domain.substr(1, domain.size() - 2);
  if (isSpan) return name == trace::kAsync ? R"("")" : domain;
  constexpr std::pair<std::string_view, std::string_view> kCategories[] = {
      {trace::kOperators, R"("cpu_op")"},
      {trace::kPythonFunctions, R"("python_function")"},
      {trace::kAnnotations, R"("user_annotation")"},
      {trace::kSlices, R"("slice")"}};
  for (const auto& [of, category] : kCategories)
    if (name == of) return category;
  return std::nullopt;
}

}  // namespace

void ChromeExport::writeNvtx() {
  const std::string table = "NVTX_EVENTS";
  if (!slice.database().has(table)) return;
  written.insert(table);
  const NvtxNames names(slice.database(), texts);
  const auto foreign = foreignDomains(slice.database());
  const RowText text(slice.database(), table,
                     {"start", "end", "globalTid", "endGlobalTid", "eventType", "text", "textId", "domainId", "color"});
  const int start = text.at("start"), end = text.at("end"), type = text.at("eventType"), who = text.at("globalTid");
  const int plain = text.at("text"), textId = text.at("textId"), domain = text.at("domainId");
  const int color = text.at("color"), categoryId = text.at("category"), endWho = text.at("endGlobalTid");
  constexpr std::string_view kCat = R"("user_annotation")";
  std::uint64_t pairs = 0;  // start/end ranges overlap as they like: each is a pair of its own

  const auto comma = [](const std::string& o) { return o.back() == '{' ? "" : ","; };

  slice.forEach(table, text.columns(), [&](const TableRow& row) {
    const std::int64_t kind = integer(row, type, kPushPop);
    if (report::isNvtxName(kind)) return true;
    const Ns from = integer(row, start);
    const bool isMark = kind == kMark, isOpen = !isMark && (end < 0 || row.isNull(end));
    if (!isValid(from, isMark || isOpen ? std::max<Ns>(from, from == 0) : integer(row, end))) return true;

    const std::int64_t globalTid = integer(row, who);
    const Track track = tracks.thread(globalTid);
    name_.clear();
    if (plain >= 0 && !row.text(plain).empty()) appendQuoted(name_, row.text(plain));
    else if (textId >= 0 && !row.isNull(textId)) name_ = texts.quoted(row.integer(textId));
    else name_ = "\"(unnamed)\"";

    const char phase = isMark ? 'i' : kind == kStartEnd ? 'b' : isOpen ? 'B' : 'X';
    const std::int64_t domainId = integer(row, domain);
    const std::string* domainName = names.find(globalTid, domainId, {});
    std::optional<std::string_view> own;
    if (domainName && foreign.contains({globalTid & ~trace::kThreadBits, domainId}))
      own = categoryOf(*domainName, phase == 'b');
    const std::string_view category = own.value_or(kCat);
    std::string& o = events.begin(phase, category, name_, track, from);
    if (phase == 'X') appendMicroseconds(o += ",\"dur\":", integer(row, end) - from);
    if (phase == 'i') o += R"(,"s":"t")";
    if (phase == 'b') fmt::format_to(std::back_inserter(o), R"(,"id":{})", ++pairs);
    o += ",\"args\":{";
    if (!own)
      fmt::format_to(std::back_inserter(o), R"("domain":{})",
                     domainId == 0 ? R"("")"
                     : domainName  ? *domainName
                                   : fmt::format("\"{}\"", domainId));
    if (categoryId >= 0 && !row.isNull(categoryId))
      if (const std::string* named = names.find(globalTid, domainId, row.integer(categoryId)))
        fmt::format_to(std::back_inserter(o), R"({}"category name":{})", comma(o), *named);
    if (const auto argb = static_cast<std::uint32_t>(integer(row, color)); argb != 0)
      fmt::format_to(std::back_inserter(o), R"({}"color":"#{:08X}")", comma(o), argb);
    text.appendArguments(o, row, texts);
    o += '}';
    events.end();
    if (phase == 'b' && !isOpen) {
      const bool elsewhere = endWho >= 0 && !row.isNull(endWho);
      std::string& e =
          events.begin('e', category, name_, elsewhere ? tracks.thread(row.integer(endWho)) : track, integer(row, end));
      fmt::format_to(std::back_inserter(e), R"(,"id":{})", pairs);
      events.end();
    }
    return out.flow();
  });
}

/// Rows that are a moment of a thread, or of a process where they name none. Samples are called by where they were.
void ChromeExport::writeInstants(std::string_view name, std::string_view category, std::string_view label,
                                 bool areSamples) {
  const std::string table(name);
  if (!slice.database().has(table)) return;
  written.insert(table);
  const RowText text(slice.database(), table, {"start", "globalTid", "globalPid"});
  const int start = text.at("start"), thread = text.at("globalTid"), process = text.at("globalPid");
  slice.forEach(table, text.columns(), [&](const TableRow& row) {
    const Ns time = integer(row, start);
    if (!isValid(time, std::max<Ns>(time, time == 0))) return true;
    const std::int64_t owner = tracks.processOf(row, process);
    const Track track = tracks.thread(thread >= 0 ? integer(row, thread) : owner | trace::pidOf(owner));
    const ChromeStacks::Place at =
        areSamples ? stacks.add(static_cast<std::uint64_t>(row.rowid())) : ChromeStacks::Place();
    name_.clear();
    if (!at.function.empty()) appendQuoted(name_, at.function);
    std::string& o = events.begin('i', category, name_.empty() ? label : name_, track, time);
    if (at.node != 0) fmt::format_to(std::back_inserter(o), ",\"sf\":\"{}\"", at.node);
    o += thread >= 0 ? R"(,"s":"t","args":{)" : R"(,"s":"p","args":{)";
    const std::size_t begin = o.size();
    text.appendArguments(o, row, texts);
    if (at.isLone)
      fmt::format_to(std::back_inserter(o), "{}\"{}\":\"{}\"", o.size() == begin ? "" : ",", trace::kStackArgument,
                     trace::kStackNotTaken);
    o += '}';
    events.end();
    return out.flow();
  });
}

void ChromeExport::writeEventRecords() {
  const std::string table = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
  if (!slice.database().has(table)) return;
  const RowText text(slice.database(), table, {"globalPid"});
  const int process = text.at("globalPid"), device = text.at("deviceId"), context = text.at("contextId");
  const int stream = text.at("streamId");
  std::string arguments;
  slice.forEach(table, text.columns(), [&](const TableRow& row) {
    arguments.clear();
    text.appendArguments(arguments, row, texts);
    events.metadata("cuda_event_record",
                    tracks.stream(tracks.processOf(row, process), integer(row, device), integer(row, context),
                                  integer(row, stream)),
                    arguments);
    return out.flow();
  });
}

void ChromeExport::writeMemory() {
  writeInstants("CUDA_GPU_MEMORY_USAGE_EVENTS", R"("cpu_instant_event")", R"("[memory]")");
  writeInstants("CUDA_GPU_MEMORY_POOL_EVENTS", R"("cpu_instant_event")", R"("[memory pool]")");
  writeInstants("CUDA_UM_CPU_PAGE_FAULT_EVENTS", R"("cpu_page_fault")", R"("CPU page fault")");
}

void ChromeExport::writeMetrics() {
  const report::Database& database = slice.database();
  if (!database.has("GPU_METRICS")) return;
  written.insert("GPU_METRICS");
  std::map<std::pair<std::int64_t, std::int64_t>, std::string> names;
  report::scanTable(database, "TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"},
                    [&](const TableRow& row) {
                      std::string& name = names[{row.integer(0), row.integer(1)}];
                      name.clear();
                      appendQuoted(name, row.text(2));
                    });
  slice.forEach("GPU_METRICS", {"timestamp", "typeId", "metricId", "value"}, [&](const TableRow& row) {
    const Ns time = row.integer(0);
    if (!isValid(time, std::max<Ns>(time, time == 0)) || !std::isfinite(row.real(3))) return true;
    const auto named = names.find({row.integer(1), row.integer(2)});
    const std::string name = named == names.end() ? fmt::format("\"Metric {}\"", row.integer(2)) : named->second;
    std::string& o = events.begin('C', R"("gpu_metrics")", name, tracks.metrics(row.integer(1)), time);
    o += ",\"args\":{\"value\":";
    appendJson(o, row, 3);
    o += '}';
    events.end();
    return out.flow();
  });
}

/// What a curve is of besides its process stands in the category: arguments of a counter are values of it.
void ChromeExport::writeCurves() {
  const report::Database& database = slice.database();
  const std::string table = "LANESCOPE_CURVE_SAMPLES";
  if (!database.has(table)) return;
  written.insert(table);
  struct Curve {
    std::string name, category;
    Track track;
  };
  std::map<std::int64_t, Curve> curves;
  report::scanTable(database, "LANESCOPE_CURVES", {"curveId", "globalPid", "deviceId", "name", "unit"},
                    [&](const TableRow& row) {
                      Curve& curve = curves[row.integer(0)];
                      curve.name.clear();
                      appendQuoted(curve.name, row.text(3));
                      curve.category = fmt::format("\"{}{}", trace::kCurveCategory, row.integer(4));
                      if (!row.isNull(2)) curve.category += fmt::format(",{}", row.integer(2));
                      curve.category += '"';
                      curve.track = tracks.curves(row.isNull(1) ? std::nullopt : std::optional(row.integer(1)));
                    });
  slice.forEach(table, {"curveId", "timestamp", "value"}, [&](const TableRow& row) {
    const Ns time = row.integer(1);
    const auto curve = curves.find(row.integer(0));
    if (curve == curves.end() || !std::isfinite(row.real(2)) || !isValid(time, std::max<Ns>(time, time == 0)))
      return true;
    std::string& o = events.begin('C', curve->second.category, curve->second.name, curve->second.track, time);
    o += ",\"args\":{\"value\":";
    appendJson(o, row, 2);
    o += '}';
    events.end();
    return out.flow();
  });
}

void ChromeExport::writeSamples() {
  const auto write = [this](report::StackSource source, const char* samples, const char* frames,
                            std::string_view category, std::string_view label) {
    if (!slice.database().has(samples)) return;
    stacks.read(slice.database(), slice.job(), source);
    written.insert(frames);
    writeInstants(samples, category, label, true);
  };
  write(report::StackSource::kCpu, "COMPOSITE_EVENTS", "SAMPLING_CALLCHAINS", R"("cpu_sample")", R"("CPU sample")");
  write(report::StackSource::kPython, "LANESCOPE_PYTHON_SAMPLES", "LANESCOPE_PYTHON_CALLCHAINS", R"("python_sample")",
        R"("Python sample")");
}

void ChromeExport::writeScheduling() {
  if (!slice.database().has("SCHED_EVENTS")) return;
  written.insert("SCHED_EVENTS");
  // A thread runs on its core from where it is switched in until it is switched out; one first seen leaving ran before.
  struct Running {
    Ns since;
    std::int64_t cpu;
  };
  std::map<std::int64_t, std::optional<Running>> threads;
  std::optional<Ns> first;
  const auto begin = [&](char phase, std::int64_t globalTid, const Running& ran) -> std::string& {
    std::string& o = events.begin(phase, R"("sched")", tracks.threadLabel(globalTid), tracks.core(ran.cpu), ran.since);
    fmt::format_to(std::back_inserter(o), R"(,"args":{{"pid":{},"tid":{}}})", trace::pidOf(globalTid),
                   trace::tidOf(globalTid));
    return o;
  };
  slice.forEach("SCHED_EVENTS", {"start", "cpu", "isSchedIn", "globalTid"}, [&](const TableRow& row) {
    const Ns time = row.integer(0);
    if (row.isNull(3) || !isValid(time, std::max<Ns>(time, time == 0))) return true;
    if (!first) first = time;
    const auto [thread, isNew] = threads.try_emplace(row.integer(3));
    const bool in = row.integer(2) != 0;
    if (isNew && !in) thread->second = Running{*first, row.integer(1)};
    if (thread->second && isValid(thread->second->since, std::max<Ns>(time, 1))) {
      appendMicroseconds(begin('X', thread->first, *thread->second) += ",\"dur\":", time - thread->second->since);
      events.end();
    }
    thread->second.reset();
    if (in) thread->second = Running{time, row.integer(1)};
    return out.flow();
  });
  for (const auto& [globalTid, ran] : threads)
    if (ran) begin('B', globalTid, *ran), events.end();
}

}  // namespace lanescope::exporting
