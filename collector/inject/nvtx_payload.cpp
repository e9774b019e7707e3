// SPDX-License-Identifier: Apache-2.0
// The payload extension: schemas and enumerations as definitions, blobs copied as they are (8 KiB each, 16 an event).
#include <atomic>
#include <cstring>
#include <new>

#include "collector/inject/definitions.h"
#include "collector/inject/memory.h"
#include "collector/inject/nvtx_tables.h"

namespace lanescope::inject::nvtx {
namespace {

constexpr std::size_t kMostBlobs = 16;
constexpr std::size_t kLongestBlob = 8192;
constexpr std::uint32_t kEnumeration = 256;  ///< schema type of enumerations in the stream
constexpr std::size_t kMostEntries = 128;

struct SchemaSize {
  SchemaSize* older;
  std::uint64_t id;
  std::size_t bytes;
  std::uint32_t domain;
};
std::atomic<SchemaSize*> newestSize{nullptr};
std::atomic<std::uint64_t> lastId{NVTX_PAYLOAD_SCHEMA_ID_DYNAMIC_START};

void keepSize(std::uint32_t domain, std::uint64_t id, std::size_t bytes) {
  void* memory = bytes != 0 ? keep(sizeof(SchemaSize)) : nullptr;
  if (memory == nullptr) return;
  auto* size = new (memory) SchemaSize{newestSize.load(std::memory_order_relaxed), id, bytes, domain};
  while (!newestSize.compare_exchange_weak(size->older, size, std::memory_order_release)) {
  }
}

/// Of a static schema; 0 if nobody said.
std::size_t sizeOf(std::uint32_t domain, std::uint64_t id) {
  for (const SchemaSize* size = newestSize.load(std::memory_order_acquire); size != nullptr; size = size->older) {
    if (size->id == id && size->domain == domain) return size->bytes;
  }
  return 0;
}

std::uint64_t schemaRegister(nvtxDomainHandle_t handle, const nvtxPayloadSchemaAttr_t* schema) {
  if (schema == nullptr) return 0;
  const auto has = [&](std::uint64_t field) { return (schema->fieldMask & field) != 0; };
  const std::uint32_t domain = domainOf(handle).number;
  wire::NvtxSchema record;
  record.id = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_SCHEMA_ID) && schema->schemaId != 0
                  ? schema->schemaId
                  : lastId.fetch_add(1, std::memory_order_relaxed) + 1;
  Definition definition;
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NAME)) record.name = definition.text(textOf(schema->name));
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_TYPE)) record.type = static_cast<std::uint32_t>(schema->type);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_FLAGS)) record.flags = static_cast<std::uint32_t>(schema->flags);
  if (has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_STATIC_SIZE)) record.payloadSize = schema->payloadStaticSize;
  keepSize(domain, record.id, record.payloadSize);

  const bool listed = has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_ENTRIES) && has(NVTX_PAYLOAD_SCHEMA_ATTR_FIELD_NUM_ENTRIES) &&
                      schema->entries != nullptr;
  const std::size_t count = !listed ? 0 : schema->numEntries < kMostEntries ? schema->numEntries : kMostEntries;
  wire::NvtxSchemaEntry entries[kMostEntries];
  for (std::size_t i = 0; i < count; ++i) {
    const nvtxPayloadSchemaEntry_t& entry = schema->entries[i];
    entries[i].name = definition.text(textOf(entry.name));
    entries[i].description = definition.text(textOf(entry.description));
    entries[i].offset = entry.offset;
    entries[i].arrayOrUnionDetail = entry.arrayOrUnionDetail;
    entries[i].flags = entry.flags;
    entries[i].type = entry.type;
  }
  definition.record(record, wire::RecordType::kNvtxSchema, domain);
  for (std::size_t i = 0; i < count; ++i) {
    definition.record(entries[i], wire::RecordType::kNvtxSchemaEntry, static_cast<std::uint32_t>(entries[i].type));
  }
  definition.finish();
  return record.id;
}

std::uint64_t enumRegister(nvtxDomainHandle_t handle, const nvtxPayloadEnumAttr_t* schema) {
  if (schema == nullptr) return 0;
  const auto has = [&](std::uint64_t field) { return (schema->fieldMask & field) != 0; };
  wire::NvtxSchema record;
  record.id = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SCHEMA_ID) && schema->schemaId != 0
                  ? schema->schemaId
                  : lastId.fetch_add(1, std::memory_order_relaxed) + 1;
  record.type = kEnumeration;
  Definition definition;
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NAME)) record.name = definition.text(textOf(schema->name));
  if (has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_SIZE)) record.payloadSize = schema->sizeOfEnum;
  keepSize(domainOf(handle).number, record.id, record.payloadSize);
  const bool listed = has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_ENTRIES) && has(NVTX_PAYLOAD_ENUM_ATTR_FIELD_NUM_ENTRIES) &&
                      schema->entries != nullptr;
  const std::size_t count = !listed ? 0 : schema->numEntries < kMostEntries ? schema->numEntries : kMostEntries;
  wire::NvtxSchemaEntry entries[kMostEntries];
  for (std::size_t i = 0; i < count; ++i) {
    entries[i].name = definition.text(textOf(schema->entries[i].name));
    entries[i].offset = schema->entries[i].value;
    entries[i].flags = schema->entries[i].isFlag != 0 ? 1 : 0;
  }
  definition.record(record, wire::RecordType::kNvtxSchema, domainOf(handle).number);
  for (std::size_t i = 0; i < count; ++i) definition.record(entries[i], wire::RecordType::kNvtxSchemaEntry, 0);
  definition.finish();
  return record.id;
}

std::uint64_t scopeRegister(nvtxDomainHandle_t, const nvtxScopeAttr_t* scope) {
  if (scope == nullptr) return NVTX_SCOPE_NONE;
  return scope->scopeId != 0 ? scope->scopeId : lastId.fetch_add(1, std::memory_order_relaxed) + 1;
}

void markPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  mark(domainOf(domain), sayingOf(blobs, count));
}
int pushPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  return push(domainOf(domain), sayingOf(blobs, count));
}
int popPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  return pop(domainOf(domain), blobs, count);
}
nvtxRangeId_t startPayload(nvtxDomainHandle_t domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  return start(domainOf(domain), sayingOf(blobs, count));
}
void endPayload(nvtxDomainHandle_t domain, nvtxRangeId_t range, const nvtxPayloadData_t* blobs, std::size_t count) {
  end(domainOf(domain), range, blobs, count);
}
std::uint8_t domainIsEnabled(nvtxDomainHandle_t domain) { return domainOf(domain).recorded ? 1 : 0; }

}  // namespace

void appendBlobs(ThreadRing& ring, const Domain& domain, const nvtxPayloadData_t* blobs, std::size_t count) {
  if (blobs == nullptr) return;
  bool cut = count > kMostBlobs;
  for (std::size_t i = 0; i < count && i < kMostBlobs; ++i) {
    std::size_t bytes = blobs[i].size != SIZE_MAX ? blobs[i].size : sizeOf(domain.number, blobs[i].schemaId);
    if (blobs[i].payload == nullptr) bytes = 0;
    cut = cut || bytes > kLongestBlob || (blobs[i].size == SIZE_MAX && bytes == 0);
    if (bytes > kLongestBlob) bytes = kLongestBlob;
    wire::NvtxPayload record;
    record.schema = blobs[i].schemaId;
    ring.append(record, wire::RecordType::kNvtxPayload, blobs[i].payload, static_cast<std::uint32_t>(bytes));
  }
  if (cut) session()->losses.count(wire::LossKind::kPayloadCut);
}

bool fillPayloadSlots(ExtensionModule& module) {
  const auto fill = [&](std::size_t slot, auto* function) {
    ExtensionSegment& segment = module.segments[0];
    if (slot < segment.slotCount) segment.slots[slot] = reinterpret_cast<std::intptr_t>(function);
  };
  fill(NVTX3EXT_CBID_nvtxPayloadSchemaRegister, schemaRegister);
  fill(NVTX3EXT_CBID_nvtxPayloadEnumRegister, enumRegister);
  fill(NVTX3EXT_CBID_nvtxMarkPayload, markPayload);
  fill(NVTX3EXT_CBID_nvtxRangePushPayload, pushPayload);
  fill(NVTX3EXT_CBID_nvtxRangePopPayload, popPayload);
  fill(NVTX3EXT_CBID_nvtxRangeStartPayload, startPayload);
  fill(NVTX3EXT_CBID_nvtxRangeEndPayload, endPayload);
  fill(NVTX3EXT_CBID_nvtxDomainIsEnabled, domainIsEnabled);
  fill(NVTX3EXT_CBID_nvtxScopeRegister, scopeRegister);
  return true;
}

}  // namespace lanescope::inject::nvtx
