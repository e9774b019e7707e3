// SPDX-License-Identifier: Apache-2.0
// A thread that launches work, built as a loader builds it: what correlation, projection and selection tests look at.
//
//   µs            0    10   20   30   40   50   60   70   80   90  100       200  210  220
//   NVTX          [layer                                              ]
//   CUDA API           [1]                  [2]                              [3]
//   stream 7                [one     ]           [node node node]                 [late    ]
//
// 1 and 3 are cudaLaunchKernel, 2 is cudaGraphLaunch with three nodes of 3 µs from 60 µs on.
#pragma once

#include <string_view>

#include "model/trace/trace.h"

namespace lanescope::trace {

TracePtr launchTrace();

/// The n-th event with this name, counted from 0 over the lanes in order; fails the test if there is none.
EventRef eventNamed(const Trace& trace, std::string_view name, std::size_t n = 0);

/// The row with this label; fails the test if there is none.
std::uint32_t rowLabelled(const Trace& trace, std::string_view label);

}  // namespace lanescope::trace
