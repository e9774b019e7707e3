// SPDX-License-Identifier: Apache-2.0
// Kernel names as Nsight Systems writes them: `void f<float, (int)4>(T1 *, const T2 &)`, `<unnamed>`,
// `[lambda(float) (instance 1)]`. Parsed by LLVM's demangler, printed by our own nodes. What is no mangled name, or is
// too long, too deep or would grow too much, stays as it is in all three forms. O(length); any thread; no state.
#pragma once

#include <string>
#include <string_view>

namespace lanescope {

struct KernelName {
  std::string demangled;
  std::string shortName;  ///< without namespace, template arguments and parameters
};

KernelName kernelName(std::string_view mangled);

}  // namespace lanescope
