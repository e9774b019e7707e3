// SPDX-License-Identifier: Apache-2.0
// What loading a report and importing another tool's file say alike of what is missing.
#pragma once

#include <cstdint>

#include "model/trace/builder.h"

namespace lanescope::report {

/// What --strict refuses; the other issues are about the program or the recording, not the file.
bool isDamage(const trace::Issue& issue);

void addBadSamples(trace::TraceBuilder& builder, std::uint64_t count);

/// Graphs whose kernels nobody recorded.
void addWholeGraphs(trace::TraceBuilder& builder);

}  // namespace lanescope::report
