// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/load_together.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "app/ui/viewer_load.h"
#include "model/on_threads.h"
#include "model/trace/derived.h"

namespace lanescope::ui {
namespace {

namespace fs = std::filesystem;

constexpr double kForJoining = 0.05;  // of the whole
constexpr std::size_t kMostTied = 8;  // ranks of which each is tied to each; of more, all to the one that came last
constexpr std::size_t kMostFound = 1024;  // reports of a folder
constexpr int kDeepest = 3;  // folders below the one that was named

/// How far all of them are, told by whichever thread comes by while no other does.
class Progress {
 public:
  Progress(std::size_t reports, const Job& job) : of_(reports), job_(job) {}

  Job jobOf(std::size_t report) {
    return Job(job_.token(), [this, report](double fraction, std::string_view) {
      of_[report].store(fraction, std::memory_order_relaxed);
      tell();
    });
  }
  void done(std::size_t report) {
    of_[report] = 1;
    ++done_;
    tell();
  }

 private:
  void tell() {
    if (telling_.test_and_set(std::memory_order_acquire)) return;
    double sum = 0;
    for (const auto& each : of_) sum += each.load(std::memory_order_relaxed);
    job_.progress((1 - kForJoining) * sum / static_cast<double>(of_.size()),
                  fmt::format("{} of {} reports read", done_.load(), of_.size()));
    telling_.clear(std::memory_order_release);
  }

  std::vector<std::atomic<double>> of_;
  std::atomic<std::size_t> done_ = 0;
  std::atomic_flag telling_;
  const Job& job_;
};

void addReportsIn(const fs::path& folder, int depth, std::vector<fs::path>& reports) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    entries.push_back(entry->path());
  std::ranges::sort(entries);
  for (const fs::path& entry : entries) {
    if (reports.size() >= kMostFound) return;
    if (fs::is_directory(entry, error)) {
      if (depth < kDeepest && !fs::is_symlink(entry, error)) addReportsIn(entry, depth + 1, reports);
    } else if (imported::hasKnownEnding(entry)) {
      reports.push_back(entry);
    }
  }
}

/// Finds the collectives that ranks have in common, as they stand now, and ties them.
OneTimeline tied(OneTimeline timeline) {
  const together::Joined& joined = *timeline.joined;
  std::vector<together::Identity> identities;
  std::vector<together::Placement> placements;
  for (const auto& part : joined.parts) identities.push_back(part.identity), placements.push_back(part.placement);
  auto across = std::make_shared<const together::Across>(together::across(identities, placements, *timeline.calls));

  // The one that starts last lets the others go on.
  std::vector<std::pair<trace::EventId, trace::EventId>> pairs;
  const auto tie = [&](trace::EventId a, trace::EventId b) {
    const auto start = [&](trace::EventId event) { return joined.trace->time(joined.trace->ref(event)).begin; };
    pairs.push_back(start(a) > start(b) ? std::pair(a, b) : std::pair(b, a));
  };
  for (const together::AcrossCall& call : across->calls) {
    const auto parts = across->partsOf(call);
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t k = i + 1; k < parts.size(); ++k)
        if (parts.size() <= kMostTied || parts[i].rank == call.last || parts[k].rank == call.last)
          tie(eventOf(joined, *across, parts[i]), eventOf(joined, *across, parts[k]));
  }
  auto other = std::make_shared<together::Joined>(joined);
  other->trace = trace::withLinks(joined.trace, pairs);
  timeline.joined = std::move(other);
  timeline.across = std::move(across);
  return timeline;
}

}  // namespace

trace::EventId eventOf(const together::Joined& joined, const together::Across& across,
                       const together::AcrossPart& part) {
  const std::uint32_t report = across.ranks[part.rank].report;
  return joined.trace->id(joined.joined(report, joined.parts[report].trace->ref(part.kernel)));
}

Result<LoadedTogether> loadTogether(const std::vector<fs::path>& paths, const Loader& loader, const Job& job) {
  struct One {
    Result<trace::TracePtr> trace;
    together::Identity identity;
    ReportPtr report;
  };
  std::vector<std::optional<One>> loaded(paths.size());
  Progress progress(paths.size(), job);
  onThreads(paths.size(), [&](std::size_t i) {
    loaded[i] = One{tl::unexpected(Error{ErrorCode::kCancelled, paths[i].string(), {}}), {}, {}};
    if (!job.cancelled()) {
      auto opened = open(paths[i], loader, {.projections = true}, {}, {}, progress.jobOf(i));
      auto identity = opened ? together::identify(opened->report ? opened->report->path : paths[i])
                             : tl::unexpected(opened.error());
      if (!identity) {
        loaded[i]->trace = tl::unexpected(identity.error());
      } else {
        identity->file = paths[i];
        loaded[i] = One{std::move(opened->trace), std::move(*identity), std::move(opened->report)};
      }
    }
    progress.done(i);
  });

  LoadedTogether together;
  std::vector<together::Identity> identities;
  for (const auto& each : loaded) {
    if (each->trace) identities.push_back(each->identity);
    if (each->trace && each->report) together.imported[each->identity.path] = {each->identity.calledBy(), each->report};
    if (!each->trace) together.leftOut.push_back(each->trace.error());
  }
  if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, paths.front().string(), {}});
  if (identities.empty()) return tl::unexpected(together.leftOut.front());
  together::sortForShow(identities);
  std::vector<trace::TracePtr> traces;
  for (const together::Identity& identity : identities) {
    // A file that was named twice was loaded twice.
    const auto found = std::ranges::find_if(
        loaded, [&](const auto& each) { return each && each->trace && each->identity.path == identity.path; });
    traces.push_back(std::move(*(*found)->trace));
    found->reset();
  }
  job.progress(1 - kForJoining, "put together");
  auto calls = std::make_shared<std::vector<together::ReportCalls>>(traces.size());
  onThreads(traces.size(),
            [&](std::size_t i) { (*calls)[i] = together::callsOf(*traces[i], identities[i].path, Job(job.token())); });
  const auto placements = together::place(identities, *calls);
  OneTimeline& timeline = together.timeline;
  timeline.calls = calls;
  timeline.joined = std::make_shared<const together::Joined>(together::join(identities, traces, placements));
  timeline = tied(std::move(timeline));
  return together;
}

OneTimeline placed(const OneTimeline& timeline, std::span<const together::Placement> placements, const Job& job) {
  OneTimeline other = timeline;
  other.joined = std::make_shared<const together::Joined>(together::placed(*timeline.joined, placements, job));
  return tied(std::move(other));
}

std::vector<fs::path> reportsIn(const std::vector<fs::path>& places) {
  std::vector<fs::path> reports;
  std::error_code error;
  for (const fs::path& place : places) {
    if (fs::is_directory(place, error)) addReportsIn(place, 0, reports);
    else reports.push_back(place);
  }
  return reports;
}

}  // namespace lanescope::ui
