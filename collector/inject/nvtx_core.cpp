// SPDX-License-Identifier: Apache-2.0
// The NVTX calls themselves: the tables CORE, CORE2, CUDA and CUDART.
#include "collector/inject/cuda_streams.h"
#include "collector/inject/definitions.h"
#include "collector/inject/nvtx_tables.h"

namespace lanescope::inject::nvtx {
namespace {

/// A text of either kind; wide ones are converted into the thread's scratch, where one lives at a time.
Text textOfEither(const char* utf8) { return textOf(utf8); }
Text textOfEither(const wchar_t* wide) {
  ThreadRing* ring = threadRing();
  return ring != nullptr ? textOf(wide, ring->scratch) : Text{};
}

template <class Character>
Saying saying(const Character* message) {
  Saying said;
  said.text = textOfEither(message);
  return said;
}
Saying saying(const nvtxEventAttributes_t* attributes) {
  ThreadRing* ring = threadRing();
  return ring != nullptr ? sayingOf(attributes, *ring) : Saying{};
}

const Domain& unnamed() { return domainOf(nullptr); }

template <class Said>
void markIt(const Said* said) {
  mark(unnamed(), saying(said));
}
template <class Said>
nvtxRangeId_t startIt(const Said* said) {
  return start(unnamed(), saying(said));
}
template <class Said>
int pushIt(const Said* said) {
  return push(unnamed(), saying(said));
}
void rangeEnd(nvtxRangeId_t range) { end(unnamed(), range); }
int rangePop() { return pop(unnamed()); }

template <class Character>
void nameCategory(std::uint32_t category, const Character* name) {
  defineName(wire::RecordType::kNvtxCategory, 0, category, textOfEither(name));
}
template <class Character>
void nameThread(std::uint32_t tid, const Character* name) {
  defineName(wire::RecordType::kThreadName, tid, 0, textOfEither(name));
}

void domainMark(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* said) { mark(domainOf(domain), saying(said)); }
nvtxRangeId_t domainStart(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* said) {
  return start(domainOf(domain), saying(said));
}
void domainEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range) { end(domainOf(domain), range); }
int domainPush(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* said) {
  return push(domainOf(domain), saying(said));
}
int domainPop(nvtxDomainHandle_t domain) { return pop(domainOf(domain)); }

template <class Character>
nvtxDomainHandle_t domainCreate(const Character* name) {
  const Text text = textOfEither(name);
  return text.id != 0 ? domainNamed(text) : nullptr;
}
void domainDestroy(nvtxDomainHandle_t) {}
template <class Character>
void domainNameCategory(nvtxDomainHandle_t domain, std::uint32_t category, const Character* name) {
  defineName(wire::RecordType::kNvtxCategory, domainOf(domain).number, category, textOfEither(name));
}
template <class Character>
nvtxStringHandle_t domainRegisterString(nvtxDomainHandle_t, const Character* text) {
  return registerString(textOfEither(text));
}

void nameHandle(std::uint32_t kind, std::uint64_t handle, const Text& name) {
  constexpr std::uint32_t kStream = 1;
  CudaStream known = {};
  if (kind == kStream && streamOfHandle(handle, known)) {
    defineName(wire::RecordType::kStreamName, known.stream, known.context, name);
  } else {
    defineName(wire::RecordType::kResourceName, kind, handle, name);
  }
}

/// nvtxResourceType: class in the high half; those of CUDA (4) and its runtime (5) are what has names of its own.
nvtxResourceHandle_t resourceCreate(nvtxDomainHandle_t, nvtxResourceAttributes_t* resource) {
  static char handle;
  ThreadRing* ring = threadRing();
  if (resource == nullptr || ring == nullptr) return reinterpret_cast<nvtxResourceHandle_t>(&handle);
  const Text name = messageOf(resource->messageType, resource->message, *ring);
  const auto type = static_cast<std::uint32_t>(resource->identifierType);
  const std::uint64_t identifier = resource->identifier.ullValue;
  constexpr std::uint32_t kNativeThread = 0x10003;  // NVTX_RESOURCE_TYPE_GENERIC_THREAD_NATIVE
  if (name.id == 0) return reinterpret_cast<nvtxResourceHandle_t>(&handle);
  if (type == kNativeThread) {
    defineName(wire::RecordType::kThreadName, static_cast<std::uint32_t>(identifier), 0, name);
  } else if (type == 0x40003 || type == 0x50001) {  // CUDA stream by driver, by runtime
    nameHandle(1, identifier, name);
  } else {
    defineName(wire::RecordType::kResourceName, type, identifier, name);
  }
  return reinterpret_cast<nvtxResourceHandle_t>(&handle);
}
void resourceDestroy(nvtxResourceHandle_t) {}
void initialize(const void*) {}

template <std::uint32_t Kind, class Character>
void nameObject(void* handle, const Character* name) {
  nameHandle(Kind, reinterpret_cast<std::uint64_t>(handle), textOfEither(name));
}
template <class Character>
void nameDevice(int device, const Character* name) {
  nameHandle(2, static_cast<std::uint64_t>(device), textOfEither(name));
}

template <class F>
Function as(F* function) {
  return reinterpret_cast<Function>(function);
}

void fill(const ExportedCallbacks& callbacks, std::uint32_t module, const Function* functions, unsigned count) {
  FunctionTable table = nullptr;
  unsigned size = 0;
  if (callbacks.getModuleFunctionTable(module, &table, &size) == 0 || table == nullptr) return;
  for (unsigned i = 1; i < count && i < size; ++i) {
    if (table[i] != nullptr && functions[i] != nullptr) *table[i] = functions[i];
  }
}

}  // namespace

bool fillTables(GetExportTable getTable) {
  const auto* callbacks = static_cast<const ExportedCallbacks*>(getTable(1));
  if (callbacks == nullptr || callbacks->structSize < sizeof(ExportedCallbacks)) return false;
  using Attributes = nvtxEventAttributes_t;
  const Function core[] = {nullptr,
                           as(markIt<Attributes>),
                           as(markIt<char>),
                           as(markIt<wchar_t>),
                           as(startIt<Attributes>),
                           as(startIt<char>),
                           as(startIt<wchar_t>),
                           as(rangeEnd),
                           as(pushIt<Attributes>),
                           as(pushIt<char>),
                           as(pushIt<wchar_t>),
                           as(rangePop),
                           as(nameCategory<char>),
                           as(nameCategory<wchar_t>),
                           as(nameThread<char>),
                           as(nameThread<wchar_t>)};
  const Function core2[] = {nullptr,
                            as(domainMark),
                            as(domainStart),
                            as(domainEnd),
                            as(domainPush),
                            as(domainPop),
                            as(resourceCreate),
                            as(resourceDestroy),
                            as(domainNameCategory<char>),
                            as(domainNameCategory<wchar_t>),
                            as(domainRegisterString<char>),
                            as(domainRegisterString<wchar_t>),
                            as(domainCreate<char>),
                            as(domainCreate<wchar_t>),
                            as(domainDestroy),
                            as(initialize)};
  const Function cuda[] = {nullptr,
                           as(nameDevice<char>),
                           as(nameDevice<wchar_t>),
                           as(nameObject<4, char>),
                           as(nameObject<4, wchar_t>),
                           as(nameObject<1, char>),
                           as(nameObject<1, wchar_t>),
                           as(nameObject<3, char>),
                           as(nameObject<3, wchar_t>)};
  const Function cudart[] = {nullptr,
                             as(nameDevice<char>),
                             as(nameDevice<wchar_t>),
                             as(nameObject<1, char>),
                             as(nameObject<1, wchar_t>),
                             as(nameObject<3, char>),
                             as(nameObject<3, wchar_t>)};
  fill(*callbacks, 1, core, 16);
  fill(*callbacks, 2, cuda, 9);
  fill(*callbacks, 4, cudart, 7);
  fill(*callbacks, 5, core2, 16);
  return true;
}

}  // namespace lanescope::inject::nvtx
