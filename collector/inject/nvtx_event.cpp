// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/nvtx_event.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>

#include "collector/inject/capture.h"
#include "collector/inject/clock.h"

namespace lanescope::inject::nvtx {
namespace {

std::atomic<std::uint64_t> lastRange{0};

std::uint32_t auxOf(const Domain& domain, const Saying& saying) {
  return (domain.number & 0xFFFFFFu) | static_cast<std::uint32_t>(saying.payloadType) << 24;
}

void append(ThreadRing& ring, wire::RecordType type, const Domain& domain, const Saying& saying, std::uint64_t time,
            std::uint64_t range = 0) {
  wire::NvtxEvent event;
  event.time = time;
  event.text = saying.text.id != 0 ? define(ring, saying.text) : 0;
  event.payload = saying.payload;
  event.range = range;
  event.category = saying.category;
  event.argb = saying.argb;
  event.registered = saying.registered ? 1 : 0;
  ring.append(event, type, auxOf(domain, saying));
  if (saying.blobCount != 0) appendBlobs(ring, domain, saying.blobs, saying.blobCount);
}

/// Where the nesting of a domain is counted for this thread; null beyond the first 1024 domains.
std::uint32_t* depthOf(ThreadRing& ring, const Domain& domain) {
  return domain.number < ThreadRing::kDepths ? &ring.depth[domain.number] : nullptr;
}

/// Whether events of the domain are kept now.
bool kept(const Domain& domain) {
  const Session* alive = session();
  return alive != nullptr && domain.recorded && alive->capturing();
}

}  // namespace

Text messageOf(std::int32_t type, const nvtxMessageValue_t& message, ThreadRing& ring) {
  switch (type) {
    case NVTX_MESSAGE_TYPE_ASCII:
      return textOf(message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE:
      return textOf(message.unicode, ring.scratch);
    case NVTX_MESSAGE_TYPE_REGISTERED:
      return message.registered != nullptr ? *reinterpret_cast<const Text*>(message.registered) : Text{};
    default:
      return {};
  }
}

Saying sayingOf(const nvtxEventAttributes_t* attributes, ThreadRing& ring) {
  constexpr std::size_t kKnown = offsetof(nvtxEventAttributes_t, message) + sizeof(nvtxMessageValue_t);
  Saying saying;
  if (attributes == nullptr || attributes->size < kKnown) return saying;
  saying.text = messageOf(attributes->messageType, attributes->message, ring);
  saying.registered = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  saying.category = attributes->category;
  if (attributes->colorType == NVTX_COLOR_ARGB) saying.argb = attributes->color;
  if (static_cast<std::uint32_t>(attributes->payloadType) == static_cast<std::uint32_t>(NVTX_PAYLOAD_TYPE_EXT)) {
    saying.blobs = std::bit_cast<const nvtxPayloadData_t*>(attributes->payload.ullValue);
    saying.blobCount = static_cast<std::uint32_t>(attributes->reserved0);
    saying.payloadType = kBlobs;
    saying.payload = saying.blobCount;
  } else if (attributes->payloadType > 0 && attributes->payloadType < kBlobs) {
    saying.payloadType = static_cast<std::uint8_t>(attributes->payloadType);
    saying.payload = attributes->payload.ullValue;
  }
  return saying;
}

Saying sayingOf(const nvtxPayloadData_t* blobs, std::size_t count) {
  Saying saying;
  saying.payloadType = kBlobs;
  saying.payload = count;
  saying.blobs = blobs;
  saying.blobCount = count;
  return saying;
}

void mark(const Domain& domain, const Saying& saying) {
  const std::uint64_t time = now();
  ThreadRing* ring = threadRing();
  if (ring != nullptr && kept(domain)) append(*ring, wire::RecordType::kNvtxMark, domain, saying, time);
}

int push(const Domain& domain, const Saying& saying) {
  const std::uint64_t time = now();
  ThreadRing* ring = threadRing();
  if (ring == nullptr) return 0;
  std::uint32_t* depth = depthOf(*ring, domain);
  const std::uint32_t level = depth != nullptr ? (*depth)++ : 0;
  if (rangesCapture()) rangeOpens(*session(), {ring, level, domain.number}, domain.name, saying.text);
  if (kept(domain)) append(*ring, wire::RecordType::kNvtxPush, domain, saying, time);
  return static_cast<int>(level);
}

int pop(const Domain& domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  const std::uint64_t time = now();
  ThreadRing* ring = threadRing();
  if (ring == nullptr) return -2;
  if (kept(domain)) {
    wire::NvtxEnd event;
    event.time = time;
    ring->append(event, wire::RecordType::kNvtxPop, domain.number & 0xFFFFFFu);
    if (count != 0) appendBlobs(*ring, domain, blobs, count);
  }
  std::uint32_t* depth = depthOf(*ring, domain);
  if (depth == nullptr) return 0;
  if (*depth == 0) return -2;
  --*depth;
  if (rangesCapture()) rangeClosed(*session(), {ring, *depth, domain.number});
  return static_cast<int>(*depth);
}

nvtxRangeId_t start(const Domain& domain, const Saying& saying) {
  const std::uint64_t time = now();
  const std::uint64_t range = lastRange.fetch_add(1, std::memory_order_relaxed) + 1;
  ThreadRing* ring = threadRing();
  if (ring == nullptr) return range;
  if (rangesCapture()) rangeOpens(*session(), {nullptr, range, domain.number}, domain.name, saying.text);
  if (kept(domain)) append(*ring, wire::RecordType::kNvtxStart, domain, saying, time, range);
  return range;
}

void end(const Domain& domain, nvtxRangeId_t range, const nvtxPayloadData_t* blobs, std::size_t count) {
  const std::uint64_t time = now();
  ThreadRing* ring = threadRing();
  if (ring == nullptr) return;
  if (kept(domain)) {
    wire::NvtxEnd event;
    event.time = time;
    event.range = range;
    ring->append(event, wire::RecordType::kNvtxEnd, domain.number & 0xFFFFFFu);
    if (count != 0) appendBlobs(*ring, domain, blobs, count);
  }
  if (rangesCapture()) rangeClosed(*session(), {nullptr, range, domain.number});
}

}  // namespace lanescope::inject::nvtx
