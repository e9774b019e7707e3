// SPDX-License-Identifier: Apache-2.0
// A library with NVTX that nvtx_places opens.
#include <nvtx3/nvToolsExt.h>

extern "C" void work();
extern "C" void work() {
  nvtxRangePushA("in a library opened later");
  nvtxRangePop();
}
