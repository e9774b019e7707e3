// SPDX-License-Identifier: Apache-2.0
#include "model/import/amd_reading.h"

#include "model/demangle/demangle.h"
#include "model/import/gpu_words.h"

namespace lanescope::imported::amd {

trace::NameId kernelNamed(trace::NameTable& names, std::string_view text) {
  if (text.ends_with(".kd")) text.remove_suffix(3);  // the symbol of a kernel's descriptor
  if (!text.starts_with("_Z")) return names.intern(text, shortKernelName(text));
  const KernelName spelled = kernelName(text);
  return names.intern(spelled.demangled, spelled.shortName);
}

}  // namespace lanescope::imported::amd
