// SPDX-License-Identifier: Apache-2.0
// What PyTorch's profiler notes of a collective beside its call: elements, their type, the process group. Facts:
// ParamCommsUtils of PyTorch, which writes these arguments of record_param_comms. O(args).
#pragma once

#include <optional>

#include "model/import/json_event.h"
#include "model/import/recording.h"

namespace lanescope::imported {

/// Nothing for another event, and for one whose size cannot be told. The range is filled in by the caller.
std::optional<CollectiveCall> collectiveOf(const JsonEvent& entry);

}  // namespace lanescope::imported
