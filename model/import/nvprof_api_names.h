// SPDX-License-Identifier: Apache-2.0
// Functions of CUDA by the numbers that CUPTI gives them ("cbid"), up to CUDA 13.0. Numbers never change their meaning.
// Source: cupti_runtime_cbid.h, cupti_driver_cbid.h.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::imported {

/// With the version that CUPTI puts behind: "cudaMalloc_v3020". Empty: not known.
std::string_view runtimeCall(std::int64_t cbid);

/// "cuLaunchKernel", "cuMemAlloc_v2". Empty: not known.
std::string_view driverCall(std::int64_t cbid);

}  // namespace lanescope::imported
