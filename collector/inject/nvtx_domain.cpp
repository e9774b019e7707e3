// SPDX-License-Identifier: Apache-2.0
// Domains and registered strings: kept for the life of the process, one per name.
#include <atomic>
#include <cstring>
#include <new>

#include "collector/inject/definitions.h"
#include "collector/inject/memory.h"
#include "collector/inject/nvtx_event.h"
#include "collector/wire/checksum.h"

namespace lanescope::inject::nvtx {
namespace {

std::atomic<Domain*> newest{nullptr};
std::atomic<std::uint32_t> lastNumber{0};

bool isWanted(const char* name) {
  const Session* alive = session();
  if (alive == nullptr) return true;
  if (alive->options.nvtxInclude[0] != 0) return listNames(alive->options.nvtxInclude, name);
  return !listNames(alive->options.nvtxExclude, name);
}

Domain* findDomain(std::uint64_t nameId) {
  for (Domain* domain = newest.load(std::memory_order_acquire); domain != nullptr; domain = domain->older) {
    if (domain->nameId == nameId) return domain;
  }
  return nullptr;
}

char* keepText(const Text& text) {
  auto* bytes = static_cast<char*>(keep(text.length + 1));
  if (bytes != nullptr) std::memcpy(bytes, text.bytes, text.length);
  return bytes;
}

}  // namespace

const Domain& domainOf(nvtxDomainHandle_t handle) {
  static Domain unnamed{0, true, nullptr, 0, nullptr};
  if (handle != nullptr) return *reinterpret_cast<const Domain*>(handle);
  static std::atomic<std::uint32_t> asked{0};
  if (asked.load(std::memory_order_acquire) == 0) {
    __atomic_store_n(&unnamed.recorded, isWanted("default"), __ATOMIC_RELAXED);
    if (session() != nullptr) asked.store(1, std::memory_order_release);
  }
  return unnamed;
}

nvtxDomainHandle_t domainNamed(const Text& name) {
  if (Domain* known = findDomain(name.id)) return reinterpret_cast<nvtxDomainHandle_t>(known);
  void* memory = keep(sizeof(Domain));
  char* bytes = keepText(name);
  if (memory == nullptr || bytes == nullptr) return nullptr;
  auto* domain = new (memory) Domain{0, isWanted(bytes), bytes, name.id, nullptr};
  for (Domain* seen = newest.load(std::memory_order_acquire);;) {
    if (Domain* known = findDomain(name.id)) return reinterpret_cast<nvtxDomainHandle_t>(known);
    if (domain->number == 0) domain->number = lastNumber.fetch_add(1) + 1;
    domain->older = seen;
    if (newest.compare_exchange_weak(seen, domain, std::memory_order_acq_rel)) break;
  }
  defineName(wire::RecordType::kNvtxDomain, domain->number, 0, name);
  return reinterpret_cast<nvtxDomainHandle_t>(domain);
}

nvtxStringHandle_t registerString(const Text& text) {
  if (text.id == 0) return nullptr;
  void* memory = keep(sizeof(Text));
  char* bytes = memory != nullptr ? keepText(text) : nullptr;
  if (bytes == nullptr) {
    if (Session* alive = session()) alive->losses.count(wire::LossKind::kTextCut);
    return nullptr;
  }
  auto* kept = new (memory) Text(text);
  kept->bytes = bytes;
  return reinterpret_cast<nvtxStringHandle_t>(kept);
}

}  // namespace lanescope::inject::nvtx
