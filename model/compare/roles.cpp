// SPDX-License-Identifier: Apache-2.0
#include "model/compare/roles.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/analysis/iterations.h"

namespace lanescope::compare {
namespace {

using trace::EventKind;
using trace::kNone;
using trace::Trace;

constexpr std::size_t kMostComparisons = 100'000'000;  ///< of names of two profiles

/// How often each name is there, by its number: what a stream or thread does.
using Profile = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

struct Doing {
  Profile profile;
  std::uint64_t events = 0;
  std::uint64_t kinds = 0;  ///< a bit for each kind of event, and each direction of copies

  std::string whole() const {  ///< the same for the same profile
    std::uint64_t hash = 0;
    for (const auto& [number, count] : profile) hash = (hash ^ number) * 0x9E3779B97F4A7C15ull + count;
    return std::to_string(hash);
  }
};

/// Work of a copy's kind has no name of its own.
std::uint64_t numberOf(const trace::LaneInfo& info, trace::NameId name, const NameNumbers& numbers) {
  if (info.kind == EventKind::kCopy) return 1 + std::uint64_t{info.copyKind};
  if (info.kind == EventKind::kMemset) return 0;
  return 0x100 + (info.kind == EventKind::kNvtxRange ? numbers.loose[name] : numbers.strict[name]);
}

/// What each of a kind of owner does, in those lanes that `tells` says tell it.
template <class Tells>
std::vector<Doing> doings(const Trace& trace, const NameNumbers& numbers, std::uint32_t trace::LaneInfo::* owner,
                          std::size_t owners, Tells tells) {
  std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> counts(owners);
  std::vector<Doing> all(owners);
  for (trace::LaneId id = 0; id < trace.lanes.size(); ++id) {
    const trace::LaneInfo& info = trace.laneInfo[id];
    if (!trace.lanes[id] || info.*owner >= owners || !tells(info.kind)) continue;
    Doing& doing = all[info.*owner];
    doing.kinds |= std::uint64_t{1} << static_cast<unsigned>(info.kind);
    if (info.kind == EventKind::kCopy) doing.kinds |= std::uint64_t{1} << (32 + info.copyKind % 32);
    doing.events += trace.lanes[id]->size();
    for (const trace::NameId name : trace.lanes[id]->names()) ++counts[info.*owner][numberOf(info, name, numbers)];
  }
  for (std::size_t i = 0; i < owners; ++i) {
    all[i].profile.assign(counts[i].begin(), counts[i].end());
    std::ranges::sort(all[i].profile);
  }
  return all;
}

/// The share of what they do that is the same: the intersection of their histograms, 0 to 1 (Swain and Ballard, 1991).
double likeness(const Doing& x, const Doing& y) {
  double same = 0;
  for (auto i = x.profile.begin(), j = y.profile.begin(); i != x.profile.end() && j != y.profile.end();) {
    if (i->first < j->first) ++i;
    else if (j->first < i->first) ++j;
    else {
      same += std::min(static_cast<double>(i->second) / static_cast<double>(x.events),
                       static_cast<double>(j->second) / static_cast<double>(y.events));
      ++i, ++j;
    }
  }
  return same;
}

/// What something has in common with what plays its part; empty: nothing.
using Key = std::string;
using KeyOf = std::function<Key(std::uint32_t)>;

/// Of something that belongs to an owner: nothing where the owner has no counterpart.
Key keyOf(std::uint32_t owner, std::initializer_list<std::string_view> more = {}) {
  if (owner == kNone) return {};
  Key key = std::to_string(owner);
  for (const std::string_view part : more) (key += '\0') += part;
  return key;
}

/// Pairs of the things of two lists, each given once. Lists are told in the order that decides where nothing else does.
class Pairing {
 public:
  Pairing(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b)
      : a_(std::move(a)), b_(std::move(b)), toB_(a_.size(), kNone), taken_(b_.size()) {}

  /// Pairs the n-th with the n-th of those not yet paired that have one key.
  void by(const KeyOf& keyA, const KeyOf& keyB) {
    for (const auto& [key, lists] : groups(keyA, keyB))
      for (std::size_t i = 0; i < std::min(lists.a.size(), lists.b.size()); ++i) pair(lists.a[i], lists.b[i]);
  }

  /// The same, but those are paired first that are most alike, of equals those in about the same place; those that have
  /// nothing in common are not.
  void byLikeness(const KeyOf& keyA, const KeyOf& keyB, const std::vector<Doing>& doingA,
                  const std::vector<Doing>& doingB) {
    for (const auto& [key, lists] : groups(keyA, keyB)) {
      const auto& [as, bs] = lists;
      std::size_t names = 0;
      for (const std::uint32_t i : as) names += bs.size() * doingA[i].profile.size();
      for (const std::uint32_t i : bs) names += as.size() * doingB[i].profile.size();
      if (names > kMostComparisons || as.size() * bs.size() > kMostComparisons / 100) continue;
      std::vector<Candidate> candidates;
      for (std::size_t i = 0; i < as.size(); ++i)
        for (std::size_t j = 0; j < bs.size(); ++j)
          if (const double alike = likeness(doingA[as[i]], doingB[bs[j]]); alike > 0)
            candidates.push_back({-alike, i < j ? j - i : i - j, as[i], bs[j]});
      std::ranges::sort(candidates);
      for (const Candidate& each : candidates)
        if (toB_[each.a] == kNone && !taken_[each.b]) pair(each.a, each.b);
    }
  }

  std::vector<std::uint32_t> take() { return std::move(toB_); }

 private:
  using List = std::vector<std::uint32_t>;
  struct Lists {
    List a, b;
  };
  struct Candidate {
    double unlikeness;
    std::size_t distance;
    std::uint32_t a, b;
    auto operator<=>(const Candidate&) const = default;
  };

  std::map<Key, Lists> groups(const KeyOf& keyA, const KeyOf& keyB) const {
    std::map<Key, Lists> groups;
    for (const std::uint32_t i : a_)
      if (toB_[i] == kNone) groups[keyA(i)].a.push_back(i);
    for (const std::uint32_t i : b_)
      if (!taken_[i]) groups[keyB(i)].b.push_back(i);
    groups.erase("");
    return groups;
  }

  void pair(std::uint32_t a, std::uint32_t b) {
    toB_[a] = b;
    taken_[b] = true;
  }

  List a_, b_;
  List toB_;
  std::vector<bool> taken_;
};

/// Indices of a list, ordered by what `key` gives.
template <class T, class Key>
std::vector<std::uint32_t> ordered(const std::vector<T>& list, Key key) {
  std::vector<std::uint32_t> order(list.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return key(list[i]); });
  return order;
}

class Matching {
 public:
  Matching(const Trace& a, const Trace& b, const CommonNames& names) : a_(a), b_(b), names_(names) {}

  Roles roles() {
    roles_.processes = processes();
    roles_.gpus = gpus();
    roles_.streams = streams();
    roles_.threads = threads();
    roles_.domains = domains();
    return std::move(roles_);
  }

 private:
  std::uint32_t process(std::uint32_t ofA) const {
    return ofA < roles_.processes.size() ? roles_.processes[ofA] : kNone;
  }

  std::vector<std::uint32_t> processes() const {
    const auto classOf = [](EventKind kind) -> std::uint32_t {  // has GPU work, speaks of itself, the rest
      if (trace::isGpuWork(kind)) return 0;
      return kind == EventKind::kCudaApi || kind == EventKind::kNvtxRange ? 1 : 2;
    };
    const auto classes = [&](const Trace& trace) {
      std::vector<std::uint32_t> all(trace.processes.size(), 2);
      for (const trace::LaneInfo& lane : trace.laneInfo)
        if (lane.process < all.size()) all[lane.process] = std::min(all[lane.process], classOf(lane.kind));
      return all;
    };
    const auto order = [](const trace::Process& p) { return std::tuple(p.rank.size(), p.rank, p.pid, p.globalPid); };
    const std::vector<std::uint32_t> classA = classes(a_), classB = classes(b_);
    Pairing pairing(ordered(a_.processes, order), ordered(b_.processes, order));
    const auto stage = [&](auto key) {
      pairing.by([&](std::uint32_t i) { return key(a_.processes[i], classA[i]); },
                 [&](std::uint32_t i) { return key(b_.processes[i], classB[i]); });
    };
    const auto base = [](const std::string& path) { return path.substr(path.find_last_of('/') + 1); };
    stage([&](const trace::Process& p, std::uint32_t of) {
      return p.rank.empty() ? Key() : keyOf(of, {p.rank, base(p.name)});
    });
    stage([](const trace::Process& p, std::uint32_t of) { return p.rank.empty() ? Key() : keyOf(of, {p.rank}); });
    stage([&](const trace::Process& p, std::uint32_t of) { return keyOf(of, {base(p.name)}); });
    stage([](const trace::Process&, std::uint32_t of) { return keyOf(of); });
    return pairing.take();
  }

  std::vector<std::uint32_t> gpus() const {
    const auto order = [](const trace::Gpu& g) { return g.device; };
    Pairing pairing(ordered(a_.gpus, order), ordered(b_.gpus, order));
    const auto works = [](const Trace& trace) {
      std::vector<bool> all(trace.gpus.size());
      for (const trace::LaneInfo& lane : trace.laneInfo)
        if (trace::isGpuWork(lane.kind) && lane.gpu < all.size()) all[lane.gpu] = true;
      return all;
    };
    const std::vector<bool> worksA = works(a_), worksB = works(b_);
    std::unordered_map<std::uint32_t, std::int64_t> more;  // by process of B: those that work of A less those of B
    for (std::size_t i = 0; i < worksA.size(); ++i) more[process(a_.gpus[i].process)] += worksA[i];
    for (std::size_t i = 0; i < worksB.size(); ++i) more[b_.gpus[i].process] -= worksB[i];
    const auto stage = [&](auto key) {
      pairing.by([&](std::uint32_t i) { return key(process(a_.gpus[i].process), a_.gpus[i].device, worksA[i]); },
                 [&](std::uint32_t i) { return key(b_.gpus[i].process, b_.gpus[i].device, worksB[i]); });
    };
    const auto word = [](bool does) { return does ? "works" : "idle"; };
    stage([&](std::uint32_t owner, std::int64_t device, bool does) {
      return more[owner] == 0 && does ? Key() : keyOf(owner, {word(does), std::to_string(device)});
    });
    stage([&](std::uint32_t owner, std::int64_t, bool does) { return keyOf(owner, {word(does)}); });
    return pairing.take();
  }

  std::vector<std::uint32_t> streams() const {
    const auto order = [](const trace::Stream& s) { return std::tuple(s.context, s.stream); };
    Pairing pairing(ordered(a_.streams, order), ordered(b_.streams, order));
    const std::vector<Doing> doingA =
                                 doings(a_, names_.a, &trace::LaneInfo::stream, a_.streams.size(), trace::isGpuWork),
                             doingB =
                                 doings(b_, names_.b, &trace::LaneInfo::stream, b_.streams.size(), trace::isGpuWork);
    const auto ownerA = [&](std::uint32_t i) {
      const std::uint32_t gpu = a_.streams[i].gpu;
      return gpu < roles_.gpus.size() ? roles_.gpus[gpu] : kNone;
    };
    const auto ownerB = [&](std::uint32_t i) { return b_.streams[i].gpu; };
    const auto named = [](std::uint32_t owner, const std::string& name) {
      return name.empty() ? Key() : keyOf(owner, {name});
    };
    pairing.by([&](std::uint32_t i) { return named(ownerA(i), a_.streams[i].name); },
               [&](std::uint32_t i) { return named(ownerB(i), b_.streams[i].name); });
    pairing.by([&](std::uint32_t i) { return keyOf(ownerA(i), {doingA[i].whole()}); },
               [&](std::uint32_t i) { return keyOf(ownerB(i), {doingB[i].whole()}); });
    pairing.byLikeness([&](std::uint32_t i) { return keyOf(ownerA(i)); },
                       [&](std::uint32_t i) { return keyOf(ownerB(i)); }, doingA, doingB);
    pairing.by([&](std::uint32_t i) { return keyOf(ownerA(i), {std::to_string(doingA[i].kinds)}); },
               [&](std::uint32_t i) { return keyOf(ownerB(i), {std::to_string(doingB[i].kinds)}); });
    return pairing.take();
  }

  std::vector<std::uint32_t> threads() const {
    const auto isMain = [](const Trace& trace, const trace::Thread& t) {
      return t.process < trace.processes.size() && trace.processes[t.process].pid == t.tid;
    };
    const auto order = [](const trace::Thread& t) { return t.tid; };
    Pairing pairing(ordered(a_.threads, order), ordered(b_.threads, order));
    const auto tells = [](EventKind kind) {
      return kind == EventKind::kCudaApi || kind == EventKind::kNvtxRange || kind == EventKind::kNvtxMark;
    };
    const std::vector<Doing> doingA = doings(a_, names_.a, &trace::LaneInfo::thread, a_.threads.size(), tells),
                             doingB = doings(b_, names_.b, &trace::LaneInfo::thread, b_.threads.size(), tells);
    const auto ownerA = [&](std::uint32_t i) { return process(a_.threads[i].process); };
    const auto ownerB = [&](std::uint32_t i) { return b_.threads[i].process; };
    using What = Key (*)(std::uint32_t owner, const std::string& name, const Doing& doing);
    const auto keysA = [&](What what) -> KeyOf {
      return [&, what](std::uint32_t i) { return what(ownerA(i), a_.threads[i].name, doingA[i]); };
    };
    const auto keysB = [&](What what) -> KeyOf {
      return [&, what](std::uint32_t i) { return what(ownerB(i), b_.threads[i].name, doingB[i]); };
    };
    const auto by = [&](What what) { pairing.by(keysA(what), keysB(what)); };
    const auto byLikeness = [&](What what) { pairing.byLikeness(keysA(what), keysB(what), doingA, doingB); };

    pairing.by([&](std::uint32_t i) { return isMain(a_, a_.threads[i]) ? keyOf(ownerA(i)) : Key(); },
               [&](std::uint32_t i) { return isMain(b_, b_.threads[i]) ? keyOf(ownerB(i)) : Key(); });
    using Name = const std::string&;
    by([](std::uint32_t owner, Name name, const Doing& doing) { return keyOf(owner, {name, doing.whole()}); });
    byLikeness([](std::uint32_t owner, Name name, const Doing&) { return keyOf(owner, {name}); });
    by([](std::uint32_t owner, Name name, const Doing& doing) {
      return keyOf(owner, {name, doing.kinds != 0 ? "says" : ""});
    });
    byLikeness([](std::uint32_t owner, Name, const Doing&) { return keyOf(owner); });
    by([](std::uint32_t owner, Name name, const Doing&) { return keyOf(owner, {analysis::withoutNumbers(name)}); });
    return pairing.take();
  }

  std::vector<std::uint32_t> domains() const {
    const auto order = [](const trace::Domain& d) { return d.id; };
    Pairing pairing(ordered(a_.domains, order), ordered(b_.domains, order));
    const auto stage = [&](auto key) {
      pairing.by([&](std::uint32_t i) { return key(process(a_.domains[i].process), a_.domains[i]); },
                 [&](std::uint32_t i) { return key(b_.domains[i].process, b_.domains[i]); });
    };
    stage(
        [](std::uint32_t owner, const trace::Domain& d) { return keyOf(owner, {d.name, d.id == 0 ? "default" : ""}); });
    stage([](std::uint32_t owner, const trace::Domain& d) { return keyOf(owner, {d.name}); });
    return pairing.take();
  }

  const Trace &a_, &b_;
  const CommonNames& names_;
  Roles roles_;
};

}  // namespace

Roles matchRoles(const Trace& a, const Trace& b, const CommonNames& names) { return Matching(a, b, names).roles(); }

std::vector<std::uint32_t> inverse(const std::vector<std::uint32_t>& toB, std::size_t sizeOfB) {
  std::vector<std::uint32_t> toA(sizeOfB, kNone);
  for (std::uint32_t i = 0; i < toB.size(); ++i)
    if (toB[i] != kNone) toA[toB[i]] = i;
  return toA;
}

}  // namespace lanescope::compare
