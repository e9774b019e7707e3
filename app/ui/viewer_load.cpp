// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/viewer_load.h"

#include "app/version.h"
#include "model/analysis/idle_rows.h"

namespace lanescope::ui {
namespace {

imported::ImportOptions how{.details = true};  // set before the first file is opened

/// A part of a job, told as part of its progress.
Job partOf(const Job& job, double begin, double end) {
  return Job(job.token(), [&job, begin, end](double fraction, std::string_view step) {
    job.progress(begin + (end - begin) * fraction, step);
  });
}

trace::TracePtr withIdle(trace::TracePtr trace, const std::filesystem::path& report, const Job& job) {
  job.progress(1, "idle causes");
  auto values = report::RowValues::open(report);
  return values ? analysis::withIdleRows(trace, *values, job) : trace;
}

/// An error is of the file, whoever failed.
tl::unexpected<Error> ofFile(Error error, const std::filesystem::path& file) {
  if (error.code == ErrorCode::kCancelled || error.subject.empty()) error.subject = file.string();
  return tl::unexpected(std::move(error));
}

Result<Opened> import(const std::filesystem::path& file, const imported::KeptReports& keeper,
                      const report::LoadOptions& options, const report::Publish& publish, const Job& job) {
  constexpr double kRead = 0.5, kShown = 0.6;
  const auto recording = imported::read(file, how, partOf(job, 0, kRead));
  if (!recording) return ofFile(recording.error(), file);
  const auto trace = imported::toTrace(*recording, options, partOf(job, kRead, kShown));
  if (!trace) return ofFile(trace.error(), file);
  if (publish) {
    auto early = std::make_shared<trace::Trace>(**trace);
    early->complete = false;
    publish(std::move(early));
  }
  job.progress(kShown, "keeping it as a report");
  auto report = keeper.keep(*recording, file, how, partOf(job, kShown, 1));
  if (!report) return ofFile(report.error(), file);
  auto kept = std::make_shared<const imported::ReportOf>(std::move(*report));
  trace::TracePtr whole = withIdle(*trace, kept->path, job);
  if (publish) publish(whole);
  return Opened{std::move(whole), std::move(kept)};
}

}  // namespace

void importWith(const imported::ImportOptions& options) {
  how = options;
  how.details = true;
}

Result<trace::TracePtr> loadForViewer(const std::filesystem::path& path, const report::LoadOptions& options,
                                      const report::Publish& publish, const Job& job) {
  auto trace = report::load(path, options, publish, job);
  return trace ? withIdle(*trace, path, job) : trace;
}

Result<Opened> open(const std::filesystem::path& file, const Loader& loader, const report::LoadOptions& options,
                    const report::Publish& publish, const std::function<void()>& isImported, const Job& job) {
  const auto format = imported::formatOf(file);
  if (!format || *format == imported::Format::kReport) {
    auto trace = loader(file, options, publish, job);
    if (trace) return Opened{std::move(*trace), {}};
    return tl::unexpected(format || trace.error().code != ErrorCode::kNotAReport ? trace.error() : format.error());
  }
  if (isImported) isImported();
  const imported::KeptReports keeper(LANESCOPE_VERSION);
  auto kept = keeper.find(file, how);
  if (!kept) return import(file, keeper, options, publish, job);
  auto report = std::make_shared<const imported::ReportOf>(std::move(*kept));
  auto trace = loader(report->path, options, publish, job);
  if (!trace) return ofFile(trace.error(), file);
  return Opened{std::move(*trace), std::move(report)};
}

}  // namespace lanescope::ui
