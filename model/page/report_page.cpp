// SPDX-License-Identifier: Apache-2.0
#include "model/page/report_page.h"

#include <fmt/format.h>

#include <filesystem>

#include "model/analysis/gpu_work.h"
#include "model/analysis/reports.h"
#include "model/analysis/rules.h"
#include "model/format.h"
#include "model/utf8.h"

namespace lanescope::page {
namespace {

constexpr std::size_t kColumns = 500;  // of the picture

/// From the first to the last GPU work; empty if there is none.
trace::TimeRange gpuWork(const trace::Trace& trace) {
  trace::TimeRange work;
  for (std::size_t i = 0; i < trace.lanes.size(); ++i) {
    if (isGpuWork(trace.laneInfo[i].kind)) work = hull(work, trace.lanes[i]->span());
  }
  return work;
}

Facts summary(const PageInput& input) {
  const report::Info& info = input.info;
  Facts facts;
  const auto add = [&](const char* what, std::string text) { facts.emplace_back(what, std::move(text)); };
  if (info.span) add("Recorded", formatDuration(info.span->second - info.span->first));
  const trace::TimeRange working = gpuWork(*input.trace);
  if (!working.empty()) add("GPU work", formatDuration(working.length()) + " from the first to the last");
  const analysis::GpuWork work(*input.trace);
  for (const analysis::GpuWork::Device& device : work.devices()) {
    const analysis::GpuFigures figures = analysis::GpuWork::figures(device, working);
    add(device.label.c_str(), fmt::format("busy {} of that", formatShare(figures.busy, figures.available)));
  }
  if (info.kernels.count > 0) {
    add("Kernels", fmt::format("{} of {} names, {} in all", formatCount(info.kernels.count),
                               formatCount(info.kernelNames), formatDuration(info.kernels.totalNs)));
  }
  if (info.copies.count > 0) {
    add("Copies", fmt::format("{}, {} in {}", formatCount(info.copies.count), formatBytes(info.copies.bytes),
                              formatDuration(info.copies.totalNs)));
  }
  if (info.cudaCalls > 0) add("CUDA calls", formatCount(info.cudaCalls));
  if (info.nvtxRanges > 0) add("NVTX ranges", formatCount(info.nvtxRanges));
  if (info.processes > 1) add("Processes", formatCount(info.processes));
  return facts;
}

/// With a little around the GPU work: starting up takes longer than what a profile is for.
trace::TimeRange interesting(const trace::Trace& trace) {
  const trace::TimeRange work = gpuWork(trace);
  if (work.empty()) return trace.range;
  const trace::Ns margin = work.length() / 50 + 1;
  return {std::max(trace.range.begin, work.begin - margin), std::min(trace.range.end, work.end + margin)};
}

Section timeline(const trace::TracePtr& trace) {
  Picture picture = makePicture(*trace, interesting(*trace), kColumns);
  if (picture.strips.empty()) return {};
  Note where{gpuWork(*trace).empty() ? "The whole recording." : "The GPU work and a little around it.", false};
  return {"Timeline", {std::move(where), PicturePart{std::move(picture), trace}}};
}

Section losses(const trace::Trace& trace) {
  Section section{"What to keep in mind", {}};
  for (const trace::Issue& issue : trace.issues) section.parts.emplace_back(Note{issue.text, true});
  if (trace.issues.empty()) section.parts.emplace_back(Note{"Nothing was lost, skipped or repaired.", false});
  return section;
}

class Composer {
 public:
  Composer(const PageInput& input, const Job& job) : input_(input), job_(job) {}

  /// The stats reports of these names that have data.
  void tables(const char* title, std::initializer_list<const char*> names, std::size_t most) {
    Section section{title, {}};
    for (const char* name : names) {
      for (const analysis::ReportCall& call : analysis::findReports(name)) {
        auto table = analysis::makeReport(call, *input_.trace, input_.values, {}, job_);
        if (table && !table->rows.empty()) section.parts.emplace_back(TablePart{std::move(*table), most});
      }
    }
    add(std::move(section));
  }
  /// Rules of `analyze` that have data: what they found, or that they found nothing.
  void rules(const char* title, std::initializer_list<const char*> names, std::size_t most) {
    Section section{title, {}};
    for (const char* name : names) {
      const auto calls = analysis::findRules(name);
      for (const analysis::RuleCall& call : calls.value_or(std::vector<analysis::RuleCall>())) {
        auto result = analysis::apply(call, *input_.trace, input_.values, {}, input_.file, job_);
        if (!result || !*result) continue;
        analysis::Table& table = (*result)->table;
        if (table.rows.empty()) section.parts.emplace_back(Note{analysis::cleanText(call), false});
        else section.parts.emplace_back(TablePart{std::move(table), most});
      }
    }
    add(std::move(section));
  }
  void add(Section section) {
    if (!section.parts.empty()) page_.sections.push_back(std::move(section));
  }
  Page finish() {
    page_.title = shownText(std::filesystem::path(input_.file).filename().string(), 200);
    page_.subtitle = fmt::format("{} {}", input_.info.format, input_.info.version);
    return std::move(page_);
  }

 private:
  const PageInput& input_;
  const Job& job_;
  Page page_;
};

}  // namespace

Page reportPage(const PageInput& input, const Job& job) {
  Composer page(input, job);
  page.add({"The run", {summary(input)}});
  page.add(timeline(input.trace));
  page.rules("What to look at first", {"checklist"}, 40);
  page.rules("Why the GPU was idle", {"idle"}, 15);
  page.tables("Iterations", {"lanescope_iterations"}, 12);
  page.tables("Kernels", {"lanescope_kernel_categories", "cuda_gpu_kern_sum"}, 15);
  page.tables("Copies", {"cuda_gpu_mem_time_sum", "cuda_gpu_mem_size_sum"}, 10);
  page.tables("Collectives", {"lanescope_collectives"}, 10);
  page.tables("Ranges", {"nvtx_sum"}, 15);
  page.tables("CUDA calls", {"cuda_api_sum"}, 10);
  page.add(losses(*input.trace));
  return page.finish();
}

}  // namespace lanescope::page
