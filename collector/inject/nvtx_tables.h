// SPDX-License-Identifier: Apache-2.0
// How NVTX hands over its function tables: types that its headers keep to the side that calls (values of
// nvtxDetail/nvtxTypes.h and nvtxExtTypes.h). Every library of a program that carries NVTX hands over its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collector/inject/nvtx_event.h"

namespace lanescope::inject::nvtx {

using Function = void (*)();
using FunctionTable = Function**;  ///< pointers to the function pointers
using GetExportTable = const void* (*)(std::uint32_t);

struct ExportedCallbacks {
  std::size_t structSize;
  int (*getModuleFunctionTable)(std::uint32_t module, FunctionTable* table, unsigned* size);
};

struct ExtensionSegment {
  std::size_t segmentId, slotCount;
  std::intptr_t* slots;
};
struct ExtensionModule {
  std::uint16_t nvtxVersion, structSize, moduleId, compatId;
  std::size_t segmentsCount;
  ExtensionSegment* segments;
  std::intptr_t (*getExport)(std::uint32_t);
  const void* info;
};
inline constexpr std::uint16_t kPayloadModule = 2;

bool fillTables(GetExportTable getTable);
bool fillPayloadSlots(ExtensionModule& module);

}  // namespace lanescope::inject::nvtx
