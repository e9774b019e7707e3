// SPDX-License-Identifier: Apache-2.0
#include "model/import/chrome_owners.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "model/import/json_reader.h"
#include "model/trace/foreign_domains.h"

namespace lanescope::imported {

using trace::EventKind;
using trace::kNone;

namespace {

/// Work that a call starts, so that their correlation numbers tell whose it is.
bool isLaunched(EventKind kind) { return trace::isGpuWork(kind) || kind == EventKind::kSync; }

/// The number at the end of "stream 7" or "GPU 0"; none where there is none.
std::optional<std::int64_t> numberIn(std::string_view text) {
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::size_t from = text.size();
  while (from > 0 && text[from - 1] >= '0' && text[from - 1] <= '9') --from;
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data() + from, text.data() + text.size(), number);
  return error == std::errc() && from < text.size() ? std::optional(number) : std::nullopt;
}

std::int64_t deviceOf(const TrackKey& key, const Place& place) {
  if (key.device >= 0) return key.device;
  return place.process.text.empty() ? place.process.number : numberIn(place.process.text).value_or(0);
}

std::string textOf(const Identity& id) { return id.text.empty() ? std::to_string(id.number) : id.text; }

/// Kineto calls the thread 12 that is called main "thread 12 (main)".
std::string threadName(const Place& place) {
  const std::string begin = "thread " + textOf(place.thread) + " (";
  std::string_view name = place.name;
  if (name.empty()) return place.thread.text;
  if (name.starts_with(begin) && name.ends_with(')')) {
    name.remove_prefix(begin.size());
    name.remove_suffix(1);
  }
  return std::string(name);
}

/// The counted one most often; none where nothing was counted.
class Majority {
 public:
  void add(std::uint32_t candidate, std::uint64_t count = 1) { counts_[candidate] += count; }
  std::uint32_t winner() const {
    const auto best = std::ranges::max_element(counts_, {}, [](const auto& entry) { return entry.second; });
    return best == counts_.end() ? kNone : best->first;
  }

 private:
  std::map<std::uint32_t, std::uint64_t> counts_;
};

}  // namespace

std::size_t Owners::Hash::operator()(const GpuKey& key) const {
  return (static_cast<std::size_t>(key.device) * 0x9E3779B97F4A7C15ull) ^ key.process;
}

std::size_t Owners::Hash::operator()(const StreamKey& key) const {
  return ((static_cast<std::size_t>(key.stream) * 31 + static_cast<std::size_t>(key.context)) * 0x9E3779B97F4A7C15ull) ^
         (std::size_t{key.gpu} * 2 + key.isText);
}

void Owners::beginDocument() {
  said_.clear();
  processes_.clear();
  gpus_.clear();
  streams_.clear();
  domains_.clear();
  threads_.clear();
  numbered_.clear();
  firstProcess_ = static_cast<std::uint32_t>(recording_.processes.size());
}

void Owners::metadata(const JsonEvent& entry) {
  const auto about = [&](std::string_view what, auto&& take) {
    if (entry.name == what) take(JsonArguments(entry.args));
  };
  const auto thread = [&]() -> Place& { return places_[places_.of(entry.pid, entry.tid)]; };
  const auto process = [&]() -> Said& { return said_[identityOf(entry.pid)]; };
  about("thread_name", [&](const JsonArguments& args) { thread().name = args.text("name"); });
  about("thread_sort_index",
        [&](const JsonArguments& args) { thread().sortIndex = args.integer("sort_index").value_or(0); });
  about("process_labels", [&](const JsonArguments& args) { process().labels = args.text("labels"); });
  about("process_sort_index",
        [&](const JsonArguments& args) { process().sortIndex = args.integer("sort_index").value_or(0); });
  about("process_name", [&](const JsonArguments& args) {
    process().name = args.text("name");
    if (const auto owner = args.integer("process"); owner && args.integer("device")) process().owner = Identity{*owner};
  });
}

std::uint32_t Owners::process(const Identity& id) {
  const auto [entry, isNew] = processes_.try_emplace(id, static_cast<std::uint32_t>(recording_.processes.size()));
  if (isNew) {
    const auto said = said_.find(id);
    std::string name = said == said_.end() ? std::string() : said->second.name;
    if (name.empty()) name = id.text;
    if (said != said_.end() && !isKineto_ && !said->second.labels.empty()) name += " · " + said->second.labels;
    // Kineto's are the pids, which sort by themselves.
    const std::int64_t sortIndex = said == said_.end() || isKineto_ ? 0 : said->second.sortIndex;
    recording_.processes.push_back({id, std::move(name), {}, sortIndex});
  }
  return entry->second;
}

std::uint32_t Owners::thread(PlaceId place) {
  if (threads_[place] == kNone) {
    const Place& there = places_[place];
    const std::uint32_t owner = process(there.process);
    threads_[place] = static_cast<std::uint32_t>(recording_.threads.size());
    recording_.threads.push_back({owner, there.thread, threadName(there), isKineto_ ? 0 : there.sortIndex});
  }
  return threads_[place];
}

std::uint32_t Owners::domain(std::uint32_t process, const std::string& name, bool isNvtx) {
  const auto [entry, isNew] = domains_.try_emplace(fmt::format("{} {} {}", process, isNvtx, name),
                                                   static_cast<std::uint32_t>(recording_.domains.size()));
  if (isNew) recording_.domains.push_back({process, name, isNvtx});
  return entry->second;
}

std::uint32_t Owners::gpu(std::uint32_t process, std::int64_t device) {
  const auto [entry, isNew] =
      gpus_.try_emplace(GpuKey{process, device}, static_cast<std::uint32_t>(recording_.gpus.size()));
  if (isNew) {
    Gpu& gpu = recording_.gpus.emplace_back();
    gpu.process = process;
    gpu.device = device;
    if (const DocumentFacts::Device* known = facts_->device(device)) {
      gpu.name = known->name;
      gpu.facts = known->facts;
    }
  }
  return entry->second;
}

std::uint32_t Owners::stream(std::uint32_t gpu, const TrackKey& key) {
  const Place& place = places_[key.place];
  StreamKey wanted{gpu, key.context >= 0 ? key.context : 0, key.stream};
  const bool isNamed = key.stream < 0 && !place.thread.text.empty();
  if (key.stream < 0) wanted.stream = isNamed ? numberIn(place.thread.text).value_or(0) : place.thread.number;
  // What one writer calls "stream 7" is stream 7, unless the file has a 7 beside it.
  if (isNamed)
    if (const auto numbered = numbered_.find(place.process); numbered != numbered_.end())
      wanted.isText = numbered->second.contains(wanted.stream);
  const auto [entry, isNew] = streams_.try_emplace(wanted, static_cast<std::uint32_t>(recording_.streams.size()));
  if (isNew) {
    Stream& stream = recording_.streams.emplace_back();
    stream.gpu = gpu;
    stream.context = wanted.context;
    stream.stream = wanted.stream;
    if (wanted.isText) {
      constexpr std::int64_t kFirstFree = std::int64_t{1} << 32;
      stream.stream = kFirstFree + entry->second;
      stream.name = place.thread.text;
    } else if (std::string_view name = place.name; !name.empty()) {
      const std::string plain = fmt::format("stream {}", wanted.stream);
      if (name.starts_with(plain)) name.remove_prefix(plain.size());
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      if (name != std::to_string(wanted.stream)) stream.name = name;
    }
  }
  return entry->second;
}

void Owners::finish(const DocumentFacts& facts, bool isKineto) {
  facts_ = &facts;
  isKineto_ = isKineto;
  threads_.assign(places_.size(), kNone);
  ownThreads();
  ownGpuWork();
  if (!facts.rank.empty())
    for (std::uint32_t i = firstProcess_; i < recording_.processes.size(); ++i)
      if (recording_.processes[i].id.text.empty()) recording_.processes[i].rank = facts.rank;
}

void Owners::ownThreads() {
  const std::vector<TrackKey>& keys = places_.tracks();
  std::vector<std::uint32_t> overhead;  // of nobody: Kineto writes its own time as pid -1
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const TrackKey& key = keys[i];
    if (isOfGpu(key.subject)) continue;
    const Place& place = places_[key.place];
    if (key.subject == Subject::kOverhead && place.process == Identity{-1}) {
      overhead.push_back(i);
      continue;
    }
    Track& track = recording_.tracks[places_.firstTrack() + i];
    const std::string told = std::string((*recording_.names)[key.domain].text);
    if (key.kind == EventKind::kNvtxStartEnd) {
      track.process = process(place.process);
      track.domain = domain(track.process, told.empty() && !key.isNvtx ? std::string(trace::kAsync) : told, key.isNvtx);
      continue;
    }
    track.thread = thread(key.place);
    track.process = recording_.threads[track.thread].process;
    if (key.kind != EventKind::kNvtxRange && key.kind != EventKind::kNvtxMark) continue;
    std::string name = told;
    if (name.empty() && !key.isNvtx)
      name = key.subject == Subject::kPython       ? trace::kPythonFunctions
             : key.subject == Subject::kAnnotation ? trace::kAnnotations
             : isKineto_                           ? trace::kOperators
                                                   : trace::kSlices;
    track.domain = domain(track.process, name, key.isNvtx);
  }
  if (overhead.empty()) return;
  const std::uint32_t host = fallbackProcess();
  for (const std::uint32_t i : overhead) {
    const PlaceId place = keys[i].place;
    const std::uint32_t owner = host == kNone ? process(places_[place].process) : host;
    if (threads_[place] == kNone) {
      threads_[place] = static_cast<std::uint32_t>(recording_.threads.size());
      recording_.threads.push_back({owner, places_[place].thread, places_[place].name});
    }
    Track& track = recording_.tracks[places_.firstTrack() + i];
    track.thread = threads_[place];
    track.process = owner;
  }
}

/// Where the document has one process that calls a GPU, or else one process at all, that one; else none.
std::uint32_t Owners::fallbackProcess() const {
  std::set<std::uint32_t> callers, all;
  for (std::uint32_t i = places_.firstTrack(); i < recording_.tracks.size(); ++i) {
    const Track& track = recording_.tracks[i];
    if (track.process == kNone || !recording_.processes[track.process].id.text.empty()) continue;
    all.insert(track.process);
    if (track.kind == EventKind::kCudaApi) callers.insert(track.process);
  }
  if (callers.size() == 1) return *callers.begin();
  return callers.empty() && all.size() == 1 ? *all.begin() : kNone;
}

std::vector<std::uint32_t> Owners::launchers() const {
  std::unordered_map<std::int64_t, std::uint32_t> callerOf;  // none: several have this number
  for (std::uint32_t i = places_.firstTrack(); i < recording_.tracks.size(); ++i) {
    const Track& track = recording_.tracks[i];
    if (track.kind != EventKind::kCudaApi) continue;
    for (std::size_t e = 0; e < track.events.size(); ++e) {
      if (track.events[e].correlation == 0) continue;
      const auto [entry, isNew] = callerOf.try_emplace(track.events[e].correlation, track.process);
      if (!isNew && entry->second != track.process) entry->second = kNone;
    }
  }
  std::vector<std::uint32_t> launchers;
  for (std::uint32_t i = places_.firstTrack(); i < recording_.tracks.size(); ++i) {
    Majority callers;
    const Track& track = recording_.tracks[i];
    for (std::size_t e = 0; isLaunched(track.kind) && e < track.events.size(); ++e)
      if (const auto caller = callerOf.find(track.events[e].correlation);
          caller != callerOf.end() && caller->second != kNone)
        callers.add(caller->second);
    launchers.push_back(callers.winner());
  }
  return launchers;
}

void Owners::ownGpuWork() {
  const std::vector<TrackKey>& keys = places_.tracks();
  if (std::ranges::none_of(keys, [](const TrackKey& key) { return isOfGpu(key.subject); })) return;
  const std::uint32_t only = fallbackProcess();
  std::vector<std::uint32_t> owners(keys.size(), only);
  if (only == kNone) {
    owners = launchers();
    std::unordered_map<Identity, Majority, IdentityHash> ofPid;
    for (std::uint32_t i = 0; i < keys.size(); ++i)
      if (owners[i] != kNone)
        ofPid[places_[keys[i].place].process].add(owners[i], recording_.tracks[places_.firstTrack() + i].events.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      const Identity& pid = places_[keys[i].place].process;
      if (!isOfGpu(keys[i].subject)) continue;
      const auto said = said_.find(pid);
      if (said != said_.end() && said->second.owner) owners[i] = process(*said->second.owner);
      if (const auto majority = ofPid.find(pid); owners[i] == kNone && majority != ofPid.end())
        owners[i] = majority->second.winner();
      if (owners[i] == kNone) owners[i] = process(pid);
    }
  }
  std::unordered_map<std::uint32_t, std::set<std::int64_t>> devices;
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    if (!isOfGpu(keys[i].subject)) continue;
    const Place& place = places_[keys[i].place];
    devices[owners[i]].insert(deviceOf(keys[i], place));
    if (keys[i].stream < 0 && place.thread.text.empty()) numbered_[place.process].insert(place.thread.number);
  }
  for (std::uint32_t i = 0; i < keys.size(); ++i) {
    const TrackKey& key = keys[i];
    if (!isOfGpu(key.subject)) continue;
    const Place& place = places_[key.place];
    Track& track = recording_.tracks[places_.firstTrack() + i];
    track.process = owners[i];
    const std::int64_t device = deviceOf(key, place);
    if (key.subject == Subject::kGpuAnnotation) {
      const std::string which = devices[owners[i]].size() > 1 ? fmt::format("GPU {}", device) : "GPU";
      const std::string name = place.thread.text.empty() ? "stream " + textOf(place.thread) : place.thread.text;
      track.domain = domain(track.process, fmt::format("{} annotations, {}", which, name), false);
      continue;
    }
    track.gpu = gpu(track.process, device);
    if (key.subject != Subject::kWait && key.subject != Subject::kGpuFault) track.stream = stream(track.gpu, key);
  }
}

}  // namespace lanescope::imported
