// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/cuda_streams.h"

#include "collector/inject/handle_table.h"

namespace lanescope::inject {
namespace {

constexpr std::uint64_t kPerThread = 2;  // cudaStreamPerThread; below it are 0 and cudaStreamLegacy

HandleTable<CudaStream, 12> streams;
HandleTable<CudaStream, 6> defaults;  // by context

bool ask(const CuptiLibrary& library, CUcontext context, std::uint64_t handle, bool perThread, CudaStream& stream) {
  return library.cuptiGetStreamIdEx != nullptr && library.cuptiGetContextId != nullptr &&
         library.cuptiGetStreamIdEx(context, reinterpret_cast<CUstream>(handle), perThread ? 1 : 0, &stream.stream) ==
             CUPTI_SUCCESS &&
         library.cuptiGetContextId(context, &stream.context) == CUPTI_SUCCESS;
}

}  // namespace

void streamCreated(const CuptiLibrary& library, const CUpti_ResourceData& resource) {
  const auto handle = reinterpret_cast<std::uint64_t>(resource.resourceHandle.stream);
  CudaStream stream = {};
  if (!ask(library, resource.context, handle, false, stream)) return;
  streams.update(handle, [&](CudaStream& known) { known = stream; });
}

CudaStream streamOfCall(const CuptiLibrary& library, const CUpti_CallbackData& call, std::uint64_t handle,
                        bool perThread) {
  CudaStream stream = {CUPTI_SYNCHRONIZATION_INVALID_VALUE, call.contextUid};
  if (handle > kPerThread) {
    if (streams.find(handle, stream) || !ask(library, call.context, handle, false, stream)) return stream;
    return streams.update(handle, [&](CudaStream& known) { known = stream; });
  }
  if (handle == kPerThread || (handle == 0 && perThread)) {
    ask(library, call.context, 0, true, stream);
    return stream;
  }
  const auto context = reinterpret_cast<std::uint64_t>(call.context);
  if (defaults.find(context, stream) || !ask(library, call.context, 0, false, stream)) return stream;
  return defaults.update(context, [&](CudaStream& known) { known = stream; });
}

bool streamOfHandle(std::uint64_t handle, CudaStream& stream) { return streams.find(handle, stream); }

}  // namespace lanescope::inject
