// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/event_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/version.h"
#include "model/format.h"
#include "model/report/source.h"
#include "model/utf8.h"

namespace lanescope::ui {

using report::Field;
using report::FieldGroup;

namespace {

constexpr std::size_t kMostArguments = 500, kLongestLabel = 256, kLongestValue = std::size_t{1} << 20;

}  // namespace

DetailsSource::DetailsSource(const together::Joined& joined) {
  for (const auto& part : joined.parts) files_.push_back({.path = part.identity.path});
}

Result<EventDetails> DetailsSource::of(const trace::Trace& trace, trace::EventRef event, const OneTimeline* together,
                                       const Job& job) {
  const together::Joined* joined = together ? together->joined.get() : nullptr;
  const std::uint32_t report = joined ? joined->reportOf(event) : 0;
  const trace::Trace& own = joined ? *joined->parts[report].trace : trace;
  const trace::EventRef ownEvent = joined ? joined->own(event) : event;
  auto& file = files_[report].details;
  if (!file) file = report::Details::open(files_[report].path);
  report::Details* const from = *file ? &**file : nullptr;
  if (!from) return tl::unexpected(file->error());
  EventDetails details;
  details.fields = from->of(own, ownEvent, job);
  if (together) details.fields = fieldsAmong(*together, event, std::move(details.fields));
  const bool hasEntry = own.info(ownEvent).kind != trace::EventKind::kIdle;  // whose source row is no row
  if (hasEntry && !job.cancelled())
    addArguments(files_[report], own.lanes[ownEvent.lane]->sourceRow(ownEvent.index), details.fields, job);
  if (!job.cancelled()) details.stack = from->callStack(own, ownEvent, job);
  if (!job.cancelled()) details.ncuCommand = from->ncuCommand(own, ownEvent, job);
  return details;
}

void DetailsSource::addArguments(File& file, std::uint64_t entry, std::vector<Field>& fields, const Job& job) {
  if (!file.entries) {
    file.entries.emplace();
    const auto database = report::Database::open(file.path);
    if (auto source = database ? report::sourceOf(*database) : std::nullopt; source && source->written) {
      file.entries->file = std::move(source->file);
      file.entries->positions.offsets = report::entryPositions(*database);
    }
  }
  if (file.entries->file.empty()) return;
  const auto found =
      imported::KeptReports(LANESCOPE_VERSION).arguments(file.entries->file, file.entries->positions, entry, job);
  const auto add = [&](const std::string& label, const std::string& value) {
    fields.push_back({.label = repairUtf8(label.substr(0, kLongestLabel)),
                      .value = repairUtf8(value.substr(0, kLongestValue)),
                      .group = FieldGroup::kArguments});
  };
  if (!found) return add("Not readable", sentence(found.error()));
  for (std::size_t i = 0; i < std::min(found->size(), kMostArguments); ++i) add((*found)[i].first, (*found)[i].second);
  if (found->size() > kMostArguments) add("…", fmt::format("and {} more", found->size() - kMostArguments));
}

namespace {

/// The part that an event is of a collective.
const together::AcrossCall* collectiveOf(const together::Across& across, std::uint32_t report, trace::EventId kernel,
                                         const together::AcrossPart*& found) {
  for (const together::AcrossCall& call : across.calls)
    for (const together::AcrossPart& part : across.partsOf(call))
      if (part.kernel == kernel && across.ranks[part.rank].report == report) {
        found = &part;
        return &call;
      }
  return nullptr;
}

std::vector<Field> collectiveFields(const OneTimeline& timeline, trace::EventRef event) {
  const together::Across& across = *timeline.across;
  const together::Joined& joined = *timeline.joined;
  const std::uint32_t report = joined.reportOf(event);
  const together::AcrossPart* own = nullptr;
  const auto* call = trace::isGpuWork(joined.trace->info(event).kind)
                         ? collectiveOf(across, report, joined.parts[report].trace->id(joined.own(event)), own)
                         : nullptr;
  if (!call) return {};
  const auto parts = across.partsOf(*call);
  const auto& last = *std::ranges::find(parts, call->last, &together::AcrossPart::rank);
  const auto& longest = *std::ranges::max_element(parts, {}, &together::AcrossPart::wait);
  std::vector<Field> fields;
  const auto add = [&](std::string label, std::string value, std::optional<trace::EventId> names = {}) {
    fields.push_back({std::move(label), std::move(value), true, FieldGroup::kRanks, names});
  };
  const std::string surely = call->isCertain ? "" : " (the clocks are not known well enough to be sure)";
  if (own->rank == call->last)
    add("Last rank",
        fmt::format("this one; {} waited {}{}", across.ranks[longest.rank].label, formatDuration(longest.wait), surely),
        eventOf(joined, across, longest));
  else add("Last rank", across.ranks[call->last].label + surely, eventOf(joined, across, last));
  if (own->rank != call->last)
    add("Waited",
        fmt::format("{}, {} of its time", formatDuration(own->wait), formatShare(own->wait, own->time.length())));
  add("Transfer", formatDuration(own->transfer));
  return fields;
}

}  // namespace

std::vector<Field> fieldsAmong(const OneTimeline& timeline, trace::EventRef event, std::vector<Field> own) {
  const together::Joined& joined = *timeline.joined;
  const std::uint32_t report = joined.reportOf(event);
  const together::Joined::Part& part = joined.parts[report];
  for (Field& field : own)
    if (field.event) field.event = joined.trace->id(joined.joined(report, part.trace->ref(*field.event)));
  const auto start = std::ranges::find(own, "Start", &Field::label);
  if (start != own.end() && part.placement.offset != 0) {
    const std::string ownStart = start->value;
    start->value = formatExact(joined.trace->time(event).begin);
    own.insert(start + 1, {.label = "Start in its report", .value = ownStart});
  }
  const auto putBefore = [&own](FieldGroup group, std::vector<Field> fields) {
    const auto place = std::ranges::find_if(own, [group](const Field& field) { return field.group >= group; });
    own.insert(place, std::make_move_iterator(fields.begin()), std::make_move_iterator(fields.end()));
  };
  putBefore(FieldGroup::kRanks, collectiveFields(timeline, event));
  putBefore(FieldGroup::kWhere, {{.label = "Report",
                                  .value = part.title + " · " + part.identity.calledBy().string(),
                                  .main = true,
                                  .group = FieldGroup::kWhere}});
  return own;
}

}  // namespace lanescope::ui
