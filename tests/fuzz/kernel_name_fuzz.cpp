// SPDX-License-Identifier: Apache-2.0
// A mangled name of a kernel: what comes of it is bounded, and what is no name stays as it is.
#include "model/demangle/demangle.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view mangled = fuzz::lineOf(bytes, size);
  const KernelName name = kernelName(mangled);
  fuzz::demand(mangled.empty() || (!name.demangled.empty() && !name.shortName.empty()));
  fuzz::demand(name.demangled.size() <= (1u << 20) + mangled.size() &&
               name.shortName.size() <= (1u << 20) + mangled.size());
  return 0;
}
