// SPDX-License-Identifier: Apache-2.0
// The numbers that CUPTI gives the program's streams and their contexts, learnt when a stream is made, and asked for once
// where it was not (the default streams). Any thread.
#pragma once

#include <cstdint>

#include "collector/inject/cupti_library.h"

namespace lanescope::inject {

struct CudaStream {
  std::uint32_t stream, context;
};

/// CUPTI tells that the program made a stream.
void streamCreated(const CuptiLibrary& library, const CUpti_ResourceData& resource);

/// The stream that a call names: 0 and the two special handles are default streams, of the thread where `perThread`.
CudaStream streamOfCall(const CuptiLibrary& library, const CUpti_CallbackData& call, std::uint64_t handle,
                        bool perThread);

/// False if no stream with this handle has been seen.
bool streamOfHandle(std::uint64_t handle, CudaStream& stream);

}  // namespace lanescope::inject
