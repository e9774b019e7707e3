// SPDX-License-Identifier: Apache-2.0
// NVTX calls as records. Attributes are read as far as their size says they go; nothing of the program's is kept after
// the call. Domains and registered strings live as long as the process, because other libraries use the same handles.
// About 40 ns an event; any thread.
#pragma once

#include <cstdint>

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
#undef NVTX_NO_IMPL

#include "collector/inject/process.h"
#include "collector/inject/text.h"

namespace lanescope::inject::nvtx {

struct Domain {
  std::uint32_t number;  ///< 0 the default one
  bool recorded;         ///< the user did not exclude it
  const char* name;      ///< null for the default one
  std::uint64_t nameId;
  Domain* older;
};

/// The domain behind a handle; the default one for null.
const Domain& domainOf(nvtxDomainHandle_t handle);
/// Of that name, made if need be; null when memory is at its bound.
nvtxDomainHandle_t domainNamed(const Text& name);

nvtxStringHandle_t registerString(const Text& text);

/// What an event says, however it was said.
struct Saying {
  Text text;
  bool registered = false;
  std::uint8_t payloadType = 0;
  std::uint32_t category = 0, argb = 0;
  std::uint64_t payload = 0;
  const nvtxPayloadData_t* blobs = nullptr;
  std::size_t blobCount = 0;
};
inline constexpr std::uint8_t kBlobs = 9;  ///< payload type of events with payload blobs

Saying sayingOf(const nvtxEventAttributes_t* attributes, ThreadRing& ring);
Saying sayingOf(const nvtxPayloadData_t* blobs, std::size_t count);
/// The text of a message value, or none.
Text messageOf(std::int32_t type, const nvtxMessageValue_t& message, ThreadRing& ring);

/// Each gives what NVTX returns: the level of a push (0 first), the level after a pop or -2, the number of a range.
void mark(const Domain& domain, const Saying& saying);
int push(const Domain& domain, const Saying& saying);
int pop(const Domain& domain, const nvtxPayloadData_t* blobs = nullptr, std::size_t count = 0);
nvtxRangeId_t start(const Domain& domain, const Saying& saying);
void end(const Domain& domain, nvtxRangeId_t range, const nvtxPayloadData_t* blobs = nullptr, std::size_t count = 0);

/// nvtx_payload.cpp: the blobs of the event just recorded.
void appendBlobs(ThreadRing& ring, const Domain& domain, const nvtxPayloadData_t* blobs, std::size_t count);

}  // namespace lanescope::inject::nvtx
