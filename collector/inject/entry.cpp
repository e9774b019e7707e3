// SPDX-License-Identifier: Apache-2.0
// The doors of the library: CUDA's driver calls the first inside its own initialisation, every library of the program
// that carries NVTX the next two at its first event, and what is preloaded the last. None calls CUDA or NVTX, and
// nothing is thrown.
#include "collector/inject/cupti_session.h"
#include "collector/inject/nvtx_tables.h"
#include "collector/inject/preload_door.h"
#include "collector/inject/process.h"

namespace inject = lanescope::inject;

#define LANESCOPE_DOOR extern "C" __attribute__((visibility("default")))

/// Always 1: a refusal is the program's trouble, and what is wrong stands in the recording.
LANESCOPE_DOOR int InitializeInjection() {
  const inject::OwnCalls own;
  if (inject::Session* session = inject::startedSession()) {
    if (session->options.cuda) inject::startCupti(*session);
  }
  return 1;
}

/// 0 without a recording, which makes the calls of that library cost nothing.
LANESCOPE_DOOR int InitializeInjectionNvtx2(inject::nvtx::GetExportTable getTable) {
  const inject::Session* session = inject::startedSession();
  return session != nullptr && session->options.nvtx && inject::nvtx::fillTables(getTable) ? 1 : 0;
}

LANESCOPE_DOOR int InitializeInjectionNvtxExtension(inject::nvtx::ExtensionModule* module) {
  const inject::Session* session = inject::startedSession();
  if (session == nullptr || !session->options.nvtx || module == nullptr ||
      module->structSize < sizeof(inject::nvtx::ExtensionModule) || module->segmentsCount == 0 ||
      module->segments == nullptr || module->moduleId != inject::nvtx::kPayloadModule) {
    return 0;
  }
  return inject::nvtx::fillPayloadSlots(*module) ? 1 : 0;
}

LANESCOPE_DOOR const inject::Recorder* lanescopeRecorder() { return inject::openRecorder(); }
