// SPDX-License-Identifier: Apache-2.0
// A report in the Trace Event Format, with the names that Kineto gives categories and arguments, so that Perfetto,
// chrome://tracing and what reads PyTorch's traces show it. Times are exact: microseconds with three decimals. Every
// column of an event's row that holds something is among its arguments. Samples have their call stacks.
//
// Kineto has one process a file; where several use GPUs, their streams get process numbers of their own. O(rows), one
// row at a time in memory, a byte or so for each call that launched work, to draw an arrow only from there, and the
// call stacks of samples (report::SampleStacks).
#pragma once

#include "model/export/export.h"

namespace lanescope::exporting {

Result<void> writeChrome(report::Slice& slice, const Order& order, Missing& missing);

}  // namespace lanescope::exporting
