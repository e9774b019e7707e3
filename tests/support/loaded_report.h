// SPDX-License-Identifier: Apache-2.0
// A fixture for tests of what comes of a report: rows are written to a file and loaded as a trace.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "model/report/load.h"
#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::test {

class LoadedReport : public testing::Test {
 protected:
  ReportBuilder report() { return ReportBuilder(folder / "report.sqlite"); }

  trace::TracePtr load(ReportBuilder& builder, const report::LoadOptions& options = {}) {
    auto trace = report::load(builder.write(), options, {}, Job{});
    EXPECT_TRUE(trace) << sentence(trace.error());
    return trace.value_or(std::make_shared<trace::Trace>());
  }
  trace::TracePtr load(ReportBuilder&& builder) { return load(builder); }

  TemporaryFolder folder;
};

}  // namespace lanescope::test
