// SPDX-License-Identifier: Apache-2.0
// CUPTI's activity records as records of the stream. Structures are those of CUDA 13.0 and only ever grew at their ends,
// so that an older library's records are read as far as its version says. Unknown kinds are counted, never guessed.
// About 100 ns a record. Frees what CUPTI leaves to its clients: names of devices, data of overheads.
#pragma once

#include <cupti.h>

#include <cstdint>

#include "collector/inject/capture.h"
#include "collector/inject/chunk.h"
#include "collector/inject/losses.h"

namespace lanescope::inject {

struct DecodeContext {
  std::uint32_t version = CUPTI_API_VERSION;
  CaptureWindow window;
  /// Name of an API call, null if unknown; and whether it is one that is left out.
  const char* (*apiName)(bool runtime, std::uint32_t callback) = nullptr;
  bool (*apiLeftOut)(bool runtime, std::uint32_t callback) = nullptr;
  Losses* losses = nullptr;
  bool sawDevice = false;  ///< out
};

/// Of work that began so long after the capture that it is none of it, by a second of grace: the clock may have been set
/// between the capture's end and the record's stamp.
bool outside(std::uint64_t start, const DecodeContext& context);

void decode(const CUpti_Activity* activity, DecodeContext& context, Chunk& chunk);

}  // namespace lanescope::inject
