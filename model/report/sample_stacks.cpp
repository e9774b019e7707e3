// SPDX-License-Identifier: Apache-2.0
#include "model/report/sample_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "model/report/call_stack.h"
#include "model/report/database.h"
#include "model/report/rows_host.h"
#include "model/report/strings.h"
#include "model/report/table_scan.h"
#include "model/utf8.h"

namespace lanescope::report {
namespace {

struct Tables {
  const char *stacks, *samples;
};
constexpr Tables tablesOf(StackSource source) {
  return source == StackSource::kPython ? Tables{"LANESCOPE_PYTHON_CALLCHAINS", "LANESCOPE_PYTHON_SAMPLES"}
                                        : Tables{"SAMPLING_CALLCHAINS", "COMPOSITE_EVENTS"};
}
constexpr std::size_t kRowsALook = 4096;

/// What was found of one stack.
struct Found {
  std::uint32_t native = 0, addresses = 0;
  /// Frames of Python may stand around that address: they are read another way.
  bool isLone() const { return native == 1 && addresses == 1; }
};

struct Entry {
  std::int64_t sample;
  std::int64_t depth;
  trace::NameId name;
  bool isPython, isAddress;  // of Python; only where the processor was, without an unwinder
};

/// What frames say, each text read once.
class FrameNames {
 public:
  FrameNames(const Database& database, trace::NameTable& names, std::unordered_map<trace::NameId, std::string>& modules,
             std::unordered_set<trace::NameId>& python)
      : strings_(database, texts_), names_(names), modules_(modules), python_(python) {}

  trace::NameId of(const TableRow& row) {
    const bool isPython = row.integer(kMethod) == kPythonFrame;  // its address is a line
    const auto address = isPython ? 0 : static_cast<std::uint64_t>(row.integer(kAddress));
    const auto textAt = [&](int column) { return row.isNull(column) ? 0 : strings_.name(row.integer(column)); };
    const trace::NameId symbol = textAt(kSymbol);
    const bool named = !texts_[symbol].text.empty() && texts_[symbol].text != "(unnamed)";
    const Key key{symbol, textAt(kModule), named ? 0 : address, row.integer(kKernel) != 0, isPython};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Frame frame{.symbol = named          ? shownText(texts_[symbol].text, CallStack::kMostBytes)
                          : address != 0 ? fmt::format("{:#x}", address)
                                         : "(unknown)",
                .module = shownText(texts_[std::get<1>(key)].text, CallStack::kMostBytes),
                .kernel = std::get<3>(key)};
    if (frame.module == frame.symbol) frame.module.clear();
    const trace::NameId name = names_.intern(frame.functionText(), frame.symbol);
    modules_.try_emplace(name, std::move(frame.module));
    if (isPython) python_.insert(name);
    return known_[key] = name;
  }
  std::size_t textBytes() const { return texts_.textBytes() + names_.textBytes(); }

  enum Column { kSample, kSymbol, kModule, kKernel, kAddress, kDepth, kMethod };

 private:
  using Key = std::tuple<trace::NameId, trace::NameId, std::uint64_t, bool, bool>;  // the last: of Python
  trace::NameTable texts_;
  Strings strings_;
  trace::NameTable& names_;
  std::unordered_map<trace::NameId, std::string>& modules_;
  std::unordered_set<trace::NameId>& python_;
  std::map<Key, trace::NameId> known_;
};

}  // namespace

Result<std::shared_ptr<const SampleStacks>> SampleStacks::read(const std::filesystem::path& path, const Job& job,
                                                               StackSource source) {
  auto database = Database::open(path);
  if (!database) return tl::unexpected(database.error());
  auto stacks = read(*database, job, source);
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, path.string(), {}});
  return stacks;
}

std::shared_ptr<const SampleStacks> SampleStacks::read(const Database& database, const Job& job, StackSource source) {
  const Tables tables = tablesOf(source);
  auto stacks = std::make_shared<SampleStacks>();
  FrameNames names(database, stacks->names_, stacks->modules_, stacks->python_);
  std::vector<Entry> entries;
  std::size_t rows = 0;
  const ScanEnd end = scanTable(
      database, tables.stacks, {"id", "symbol", "module", "kernelMode", "originalIP", "stackDepth", "unwindMethod"},
      [&](const TableRow& row) {
        if (++rows % kRowsALook == 0 && job.cancelled()) return false;
        if (entries.size() == kMostFrames || names.textBytes() > kMostText) return !(stacks->cut_ = true);
        const bool isPython = row.integer(FrameNames::kMethod) == kPythonFrame;
        const bool isAddress = !row.isNull(FrameNames::kMethod) && row.integer(FrameNames::kMethod) == kNotUnwound;
        entries.push_back(
            {row.integer(FrameNames::kSample), row.integer(FrameNames::kDepth), names.of(row), isPython, isAddress});
        return true;
      });
  stacks->damaged_ = end == ScanEnd::kDamaged;
  const auto order = [](const Entry& a, const Entry& b) {
    return std::tie(a.sample, a.depth) < std::tie(b.sample, b.depth);
  };
  if (!std::ranges::is_sorted(entries, order)) std::ranges::stable_sort(entries, order);

  std::unordered_map<std::int64_t, Stretch> byId;
  std::unordered_map<std::int64_t, Found> foundById;
  for (const Entry& entry : entries) {
    Stretch& stretch =
        byId.try_emplace(entry.sample, Stretch{static_cast<std::uint32_t>(stacks->frames_.size()), 0, false})
            .first->second;
    ++stretch.count;
    stacks->frames_.push_back(entry.name);
    if (entry.isPython) continue;
    Found& found = foundById[entry.sample];
    ++found.native;
    found.addresses += entry.isAddress ? 1 : 0;
  }
  bool hasLone = false, hasUnwound = false;
  for (auto& [id, stretch] : byId) {
    const auto found = foundById.find(id);
    stretch.lone = found != foundById.end() && found->second.isLone();
    hasLone |= stretch.lone;
    hasUnwound |= found != foundById.end() && !stretch.lone;
  }
  stacks->someLone_ = hasLone && hasUnwound;
  const bool mayShare = source == StackSource::kPython;  // one stack among several samples
  scanTable(database, tables.samples, {"id", mayShare ? "callchainId" : "id"}, [&](const TableRow& row) {
    if (++rows % kRowsALook == 0 && job.cancelled()) return false;
    if (const auto stack = byId.find(row.integer(row.isNull(1) ? 0 : 1)); stack != byId.end())
      stacks->stacks_.emplace(static_cast<std::uint64_t>(row.rowid()), stack->second);
    return true;
  });
  return stacks;
}

std::string_view SampleStacks::module(trace::NameId frame) const {
  const auto known = modules_.find(frame);
  return known == modules_.end() ? std::string_view() : std::string_view(known->second);
}

std::span<const trace::NameId> SampleStacks::of(std::uint64_t row) const {
  const auto stack = stacks_.find(row);
  if (stack == stacks_.end()) return {};
  return std::span(frames_).subspan(stack->second.first, stack->second.count);
}

bool SampleStacks::notTaken(std::uint64_t row) const {
  if (!someLone_) return false;
  const auto stack = stacks_.find(row);
  return stack != stacks_.end() && stack->second.lone;
}

}  // namespace lanescope::report
