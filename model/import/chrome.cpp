// SPDX-License-Identifier: Apache-2.0
// Chrome and Kineto JSON: one pass over the entries, and at each document's end what needs all of them: pairs, owners,
// arrows, curves. An X without a duration had not ended when the file was written, as Chrome reads it; work of a GPU,
// which is written when it is over, then has the length 0.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/import/chrome_collectives.h"
#include "model/import/chrome_counters.h"
#include "model/import/chrome_facts.h"
#include "model/import/chrome_flows.h"
#include "model/import/chrome_kinds.h"
#include "model/import/chrome_nesting.h"
#include "model/import/chrome_owners.h"
#include "model/import/chrome_places.h"
#include "model/import/chrome_samples.h"
#include "model/import/importers.h"
#include "model/import/json_reader.h"
#include "model/utf8.h"

namespace lanescope::imported {

using trace::Event;
using trace::EventKind;
using trace::NameId;
using trace::Ns;

namespace {

Ns later(Ns start, Ns by) {
  Ns end = 0;
  return __builtin_add_overflow(start, by, &end) ? std::numeric_limits<Ns>::max() : end;
}

/// NameTable::intern() that remembers: the same few names come again and again.
class Names {
 public:
  explicit Names(trace::NameTable& table) : table_(table) {}

  NameId of(std::string_view text, bool isKernel = false) {
    if (text.empty()) text = "(unnamed)";
    Known& known = known_[slot(text)];
    if (known.text == text && known.text.data() != nullptr) return known.id;
    known.id = table_.intern(text, isKernel ? shortKernelName(text) : std::string_view());
    known.text = table_[known.id].text;
    return known.id;
  }

 private:
  struct Known {
    std::string_view text;
    NameId id = 0;
  };
  static constexpr std::size_t kSlots = 2048;

  static std::size_t slot(std::string_view text) {
    std::uint64_t head = 0, middle = 0, tail = 0;
    const std::size_t n = std::min<std::size_t>(text.size(), 8);
    std::memcpy(&head, text.data(), n);
    std::memcpy(&middle, text.data() + (text.size() - n) / 2, n);
    std::memcpy(&tail, text.data() + text.size() - n, n);
    std::uint64_t hash = (head ^ (tail * 0x9E3779B97F4A7C15ull)) * 0xBF58476D1CE4E5B9ull;
    hash = (hash ^ hash >> 29 ^ middle ^ text.size()) * 0x94D049BB133111EBull;
    return (hash >> 40) % kSlots;
  }

  trace::NameTable& table_;
  std::vector<Known> known_ = std::vector<Known>(kSlots);
};

class ChromeReader : public JsonVisitor {
 public:
  ChromeReader(const ImportOptions& options, const Job& job) : options_(options), job_(job) {
    recording.written.emplace();
  }

  void beginDocument(const JsonDocument&) override;
  void entry(const JsonEvent& entry) override;
  void endDocument(const JsonDocument& document) override;

  /// What goes for the whole file.
  void finish();

  Recording recording;

 private:
  /// A copy as it is called in the file.
  struct Copy {
    std::uint8_t kind = 0;
    CopySides sides;
    NameId name = 0;
    Recording::Written::Copies written;
  };

  TrackKey keyOf(const JsonEvent& entry, const Category& category);
  Event eventOf(const JsonEvent& entry, TrackKey& key);
  Copy& copyOf(std::string_view name);
  void complete(const JsonEvent& entry);
  void begin(const JsonEvent& entry);
  void end(const JsonEvent& entry);
  void instant(const JsonEvent& entry, bool isAsync);
  void async(const JsonEvent& entry, bool isBegin, bool isOld);
  void add(const TrackKey& key, const Event& event, const JsonEvent& entry);
  void addDetails(Track& track, const JsonEvent& entry, const TrackKey& key);
  void note(const Fault& fault, const char* kind, std::string_view one, std::string_view many,
            std::optional<EventKind> about = {});

  const ImportOptions options_;
  const Job& job_;
  Names names_{*recording.names};
  Categories categories_;
  Places places_{recording};
  Owners owners_{recording, places_};
  Brackets brackets_{places_};
  Spans spans_{places_};
  Flows flows_{recording, places_};
  Counters counters_;
  ThreadSamples samples_{recording, places_};
  std::unordered_map<std::string, Copy> copies_;
  std::pair<const std::string, Copy>* lastCopy_ = nullptr;
  std::array<std::uint64_t, 256> phases_{};
  bool isKineto_ = false, anyKineto_ = false;
  bool differentClocks_ = false, anyDocument_ = false;
  Fault noTime_, badDuration_, notShown_;
};

void ChromeReader::beginDocument(const JsonDocument&) {
  places_.beginDocument();
  owners_.beginDocument();
  isKineto_ = false;
}

TrackKey ChromeReader::keyOf(const JsonEvent& entry, const Category& category) {
  TrackKey key;
  key.place = places_.of(entry.pid, entry.tid);
  key.subject = category.subject;
  isKineto_ |= category.isKinetos;
  if ((key.subject == Subject::kGraph || key.subject == Subject::kGpuFault) && entry.gpu.device < 0)
    key.subject = Subject::kSlice;
  if (key.subject == Subject::kSlice && entry.name.starts_with("ProfilerStep#")) key.subject = Subject::kAnnotation;
  key.kind = kindOf(key.subject);
  if (isOfGpu(key.subject)) {
    key.device = entry.gpu.device;
    key.context = entry.gpu.context;
    key.stream = entry.gpu.stream;
    if (key.subject == Subject::kWait) key.context = key.stream = -1;  // those of one GPU stand together
  }
  if (key.subject == Subject::kAnnotation && entry.args.find("\"domain\"") != std::string_view::npos) {
    const JsonArguments args(entry.args);  // Lanescope's export of NVTX
    for (const auto& [name, value] : args.all())
      if (name == "domain") {
        key.isNvtx = true;
        key.domain = recording.names->intern(value);
      }
  }
  return key;
}

ChromeReader::Copy& ChromeReader::copyOf(std::string_view name) {
  if (lastCopy_ && lastCopy_->first == name) return lastCopy_->second;
  const auto [entry, isNew] = copies_.try_emplace(std::string(name));
  if (isNew) {
    Copy& copy = entry->second;
    copy.kind = copyKindOf(name);
    copy.sides = copySidesOf(name);
    copy.name = recording.names->intern("[CUDA memcpy " + std::string(trace::copyKindName(copy.kind)) + "]",
                                        trace::copyKindName(copy.kind, true));
  }
  lastCopy_ = &*entry;
  return entry->second;
}

/// The event at the entry's time, without its end.
Event ChromeReader::eventOf(const JsonEvent& entry, TrackKey& key) {
  Event event{.start = *entry.ts, .end = *entry.ts, .sourceRow = entry.ordinal};
  switch (key.subject) {
    case Subject::kCopy: {
      const Copy& copy = copyOf(entry.name);
      key.copyKind = copy.kind;
      event.name = copy.name;
      event.amount = static_cast<std::uint64_t>(std::max<std::int64_t>(0, entry.gpu.bytes));
      break;
    }
    case Subject::kMemset: {
      event.name = recording.names->intern("[CUDA memset]", "memset");
      event.amount = static_cast<std::uint64_t>(std::max<std::int64_t>(0, entry.gpu.bytes));
      break;
    }
    default:
      event.name = names_.of(entry.name, key.subject == Subject::kKernel);
  }
  if (key.subject == Subject::kCall || isOfGpu(key.subject)) event.correlation = entry.gpu.correlation;
  return event;
}

void ChromeReader::entry(const JsonEvent& entry) {
  ++recording.written->entries;
  ++phases_[static_cast<unsigned char>(entry.phase)];
  if (entry.phase == 'M') return owners_.metadata(entry);
  if (!entry.ts) {
    noTime_.add(entry.ordinal);
    return;
  }
  auto& span = recording.written->span;
  if (!span) span = {*entry.ts, *entry.ts};
  span->first = std::min(span->first, *entry.ts);
  span->second = std::max(span->second, *entry.ts);
  switch (entry.phase) {
    case 'X':
      return complete(entry);
    case 'B':
      return begin(entry);
    case 'E':
      return end(entry);
    case 'i':
    case 'I':
    case 'R':
      return instant(entry, false);
    case 'n':
    case 'T':
    case 'p':
      return instant(entry, true);
    case 'b':
    case 'e':
      return async(entry, entry.phase == 'b', false);
    case 'S':
    case 'F':
      return async(entry, entry.phase == 'S', true);
    case 's':
    case 't':
    case 'f':
      return flows_.add(entry, categories_.of(entry.category).isLaunch, places_.of(entry.pid, entry.tid));
    case 'C':
      return counters_.counter(entry);
    case 'P':
      if (entry.name != "Profile" && entry.name != "ProfileChunk") return samples_.add(entry, Subject::kSample);
      [[fallthrough]];
    default:
      notShown_.add(entry.ordinal);
  }
}

void ChromeReader::complete(const JsonEvent& entry) {
  TrackKey key = keyOf(entry, categories_.of(entry.category));
  Event event = eventOf(entry, key);
  const Ns length = entry.duration.value_or(0);
  event.end = later(event.start, length);
  event.unfinished = !entry.duration && !isOfGpu(key.subject);
  if (entry.badTime) badDuration_.add(entry.ordinal);
  Recording::Written& written = *recording.written;
  written.totalNs = later(written.totalNs, length);
  written.span->second = std::max(written.span->second, event.end);
  if (key.subject == Subject::kCopy) {
    Recording::Written::Copies& copies = lastCopy_->second.written;
    ++copies.count;
    copies.bytes += event.amount;
    copies.totalNs = later(copies.totalNs, length);
  }
  add(key, event, entry);
}

void ChromeReader::begin(const JsonEvent& entry) {
  TrackKey key = keyOf(entry, categories_.of(entry.category));
  const Event event = eventOf(entry, key);
  brackets_.begin(key, event);
}

void ChromeReader::end(const JsonEvent& entry) {
  brackets_.end(
      places_.of(entry.pid, entry.tid),
      {.start = *entry.ts, .name = entry.name.empty() ? 0 : names_.of(entry.name), .sourceRow = entry.ordinal});
}

void ChromeReader::instant(const JsonEvent& entry, bool isAsync) {
  const Category category = categories_.of(entry.category);
  if (category.isMemory && entry.name == "[memory]") {
    isKineto_ = true;
    return counters_.memory(entry);
  }
  TrackKey key = keyOf(entry, category);
  if (key.subject == Subject::kSample || key.subject == Subject::kPythonSample) return samples_.add(entry, key.subject);
  const bool isKept = key.subject == Subject::kAnnotation || key.subject == Subject::kCpuFault;
  if (isAsync || !isKept) key.subject = Subject::kSlice;
  if (key.subject != Subject::kCpuFault) key.kind = EventKind::kNvtxMark;
  key.device = key.context = key.stream = -1;
  add(key, eventOf(entry, key), entry);
}

void ChromeReader::async(const JsonEvent& entry, bool isBegin, bool isOld) {
  Event event{.start = *entry.ts, .end = *entry.ts, .sourceRow = entry.ordinal};
  if (!isBegin) {
    if (!entry.name.empty()) event.name = names_.of(entry.name);
    return spans_.end(entry, isOld, event);
  }
  event.name = names_.of(entry.name);
  TrackKey key = keyOf(entry, categories_.of(entry.category));
  if (!key.isNvtx) key.domain = entry.category.empty() ? 0 : names_.of(entry.category);
  key.kind = EventKind::kNvtxStartEnd;
  key.subject = Subject::kSlice;
  key.device = key.context = key.stream = -1;
  spans_.begin(entry, isOld, key, event);
}

void ChromeReader::add(const TrackKey& key, const Event& event, const JsonEvent& entry) {
  const std::uint32_t track = places_.track(key);
  places_.events(track).push_back(event);
  if (!options_.details) return;
  if (trace::isGpuWork(key.kind)) return addDetails(recording.tracks[track], entry, key);
  if (key.kind != EventKind::kNvtxRange) return;
  if (auto call = collectiveOf(entry)) {
    call->range = {track, static_cast<std::uint32_t>(places_.events(track).size() - 1)};
    recording.collectives.push_back(*call);
  }
}

void ChromeReader::addDetails(Track& track, const JsonEvent& entry, const TrackKey& key) {
  const JsonArguments args(entry.args);
  WorkDetails work;
  const auto grid = args.size3("grid"), block = args.size3("block");
  std::tie(work.gridX, work.gridY, work.gridZ) = std::tie(grid[0], grid[1], grid[2]);
  std::tie(work.blockX, work.blockY, work.blockZ) = std::tie(block[0], block[1], block[2]);
  const auto integer = [&](std::initializer_list<std::string_view> keys) {
    for (const std::string_view name : keys)
      if (const auto value = args.integer(name)) return *value;
    return std::int64_t{-1};
  };
  work.registers = integer({"registers per thread", "registersPerThread"});
  work.staticShared = integer({"staticSharedMemory"});
  work.dynamicShared = integer({"dynamicSharedMemory"});
  if (work.staticShared < 0 && work.dynamicShared < 0) work.staticShared = integer({"shared memory"});
  work.localPerThread = integer({"localMemoryPerThread"});
  work.localTotal = integer({"localMemoryTotal"});
  work.graph = integer({"graph id", "graphId"});
  work.graphNode = integer({"graph node id", "graphNodeId"});
  if (key.subject == Subject::kCopy) {
    const CopySides& sides = lastCopy_->second.sides;
    work.sourceKind = sides.source;
    work.destinationKind = sides.destination;
    work.sourceDevice = integer({"fromDevice", "srcDevice", "srcDeviceId"});
    work.destinationDevice = integer({"toDevice", "dstDevice", "dstDeviceId"});
  }
  if (key.subject == Subject::kMemset) work.value = integer({"value"});
  track.work.push_back(work);
}

void ChromeReader::endDocument(const JsonDocument& document) {
  DocumentFacts facts = factsOf(document);
  isKineto_ |= facts.isKineto;
  anyKineto_ |= isKineto_;
  samples_.finish(document, options_.timesAreNanoseconds);
  brackets_.finish();
  spans_.finish();
  for (std::uint32_t i = places_.firstTrack(); i < recording.tracks.size(); ++i)
    if (Track& track = recording.tracks[i]; !track.work.empty())
      track.work.resize(track.events.size());  // of work written as B and E nothing more is kept
  if (job_.cancelled()) return;
  owners_.finish(facts, isKineto_);
  flows_.finish();
  counters_.finish(recording, owners_);

  // Epoch times, of Kineto's files before they had a base.
  constexpr Ns kYear2000 = 946'684'800'000'000'000;
  const auto& span = recording.written->span;
  if (isKineto_ && !facts.utcOfZero && span && span->first >= kYear2000) facts.utcOfZero = 0;
  if (anyDocument_) {
    differentClocks_ |= recording.utcOfZero != facts.utcOfZero;
    return;
  }
  anyDocument_ = true;
  recording.utcOfZero = facts.utcOfZero;
  recording.version = facts.version;
  recording.host = facts.host;
  recording.facts = std::move(facts.facts);
}

void ChromeReader::note(const Fault& fault, const char* kind, std::string_view one, std::string_view many,
                        std::optional<EventKind> about) {
  if (fault.count == 0) return;
  recording.issues.push_back(
      {kind, fault.count,
       fmt::format("{} {}; the first is entry {}", fault.count, fault.count == 1 ? one : many, fault.first), about});
}

void ChromeReader::finish() {
  recording.format = anyKineto_ ? "kineto" : "chrome-json";
  for (std::size_t phase = 0; phase < phases_.size(); ++phase)
    if (phases_[phase] != 0)
      recording.written->byPhase[phase == 0 ? std::string() : repairUtf8(std::string(1, static_cast<char>(phase)))] +=
          phases_[phase];
  for (const auto& [name, copy] : copies_)
    if (copy.written.count != 0) recording.written->copiesByName.emplace(name, copy.written);
  note(noTime_, "import-no-time", "entry has no time and was left out", "entries have no time and were left out");
  note(badDuration_, "import-no-duration", "entry has a duration that is none, and counts as unfinished",
       "entries have durations that are none, and count as unfinished");
  note(brackets_.endsAlone(), "import-end-without-begin", "end has no beginning (E without B) and was left out",
       "ends have no beginning (E without B) and were left out", EventKind::kNvtxRange);
  note(brackets_.otherNames(), "import-other-name-at-end", "end has another name than its beginning, which counts",
       "ends have other names than their beginnings, which count");
  note(spans_.endsAlone(), "import-async-end-without-begin",
       "asynchronous end has no beginning (e without b) and was left out",
       "asynchronous ends have no beginning (e without b) and were left out", EventKind::kNvtxStartEnd);
  note(flows_.startsAlone(), "import-arrow-without-end", "arrow leads nowhere (s without f)",
       "arrows lead nowhere (s without f)");
  note(flows_.endsAlone(), "import-arrow-without-begin", "arrow comes from nowhere (f without s)",
       "arrows come from nowhere (f without s)");
  note(flows_.nowhere(), "import-arrow-without-event", "end of an arrow stands where no event is",
       "ends of arrows stand where no event is");
  note(counters_.noNumbers(), "import-counter-without-number", "counter entry holds no number and was left out",
       "counter entries hold no number and were left out");
  if (notShown_.count != 0) {
    std::string kinds;
    for (const auto& [phase, count] : recording.written->byPhase)
      if (constexpr std::string_view kShown = "MXBEiIRnTpbeSFstfCP";
          phase.empty() || kShown.find(phase[0]) == std::string_view::npos || phase == "P")
        kinds += fmt::format("{}{}", kinds.empty() ? "" : ", ", phase.empty() ? "none" : phase);
    note(notShown_, "import-not-shown", fmt::format("entry is of a kind that is not shown (ph {})", kinds),
         fmt::format("entries are of kinds that are not shown (ph {})", kinds));
  }
  note(samples_.stacksCut(), "import-stacks-cut", "sample has only the inner part of its stack",
       "samples have only the inner parts of their stacks, which were too deep or too many");
  if (differentClocks_)
    recording.issues.push_back(
        {"import-different-clocks", 1, "the files of this archive do not count time from the same moment"});
}

}  // namespace

Result<Recording> readChrome(const std::filesystem::path& path, const ImportOptions& options, const Job& job) {
  ChromeReader reader(options, job);
  Result<JsonRead> read = readJson(path, options.timesAreNanoseconds, reader, job);
  if (!read) return tl::unexpected(read.error());
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
  reader.finish();
  Recording& recording = reader.recording;
  recording.issues.insert(recording.issues.begin(), read->issues.begin(), read->issues.end());
  recording.positions = std::move(read->positions);
  return std::move(recording);
}

}  // namespace lanescope::imported
