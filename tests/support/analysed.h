// SPDX-License-Identifier: Apache-2.0
// Reports with everything in them loaded, as analyses that look at host and GPU together take them, and a fixture that
// writes such a report in microseconds.
#pragma once

#include "model/analysis/report_input.h"
#include "tests/support/loaded_report.h"

namespace lanescope::test {

struct Analysed {
  explicit Analysed(const std::filesystem::path& file, analysis::Scope of = {})
      : trace(report::load(file, {}, {}, Job{}).value()), values(report::RowValues::open(file).value()), scope(of) {}

  analysis::ReportInput input() { return {*trace, values, scope, arguments, job}; }
  std::string name(trace::EventRef event) const { return std::string((*trace->names)[trace->name(event)].text); }

  trace::TracePtr trace;
  report::RowValues values;
  analysis::Scope scope;
  analysis::ReportArguments arguments;
  Job job;
};

constexpr std::int64_t us(std::int64_t n) { return n * 1000; }

class HostAndGpu : public LoadedReport {
 protected:
  HostAndGpu() : builder(folder / "report.sqlite") {}

  void call(std::int64_t start, std::int64_t end, const char* name, std::int64_t correlation = 0) {
    builder.add(R{.start = us(start), .end = us(end), .correlation = correlation, .name = name});
  }
  void launch(std::int64_t start, std::int64_t end, std::int64_t correlation) {
    call(start, end, "cudaLaunchKernel_v7000", correlation);
  }
  void kernel(std::int64_t start, std::int64_t end, std::int64_t correlation = 0, std::int64_t stream = 7,
              const char* name = "gemm", std::int64_t device = 0) {
    builder.add(K{.start = us(start),
                  .end = us(end),
                  .device = device,
                  .stream = stream,
                  .correlation = correlation,
                  .name = name});
  }
  /// Two kernels with 810 µs between them, most of which the host waits.
  void twoKernelsAndAWait() {
    launch(0, 10, 1);
    kernel(20, 120, 1);
    call(15, 900, "cudaStreamSynchronize_v3020");
    launch(910, 920, 2);
    kernel(930, 1030, 2);
  }
  void range(std::int64_t start, std::int64_t end, const std::string& text, std::int64_t domain = 0) {
    builder.add(N{.start = us(start), .end = us(end), .text = text, .domain = domain});
  }

  ReportBuilder builder;
};

}  // namespace lanescope::test
