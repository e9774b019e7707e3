// SPDX-License-Identifier: Apache-2.0
// Where a GPU is plugged in, from the driver's files in /proc: asking CUDA is not for us inside a program.
#pragma once

#include <cstdint>

namespace lanescope::inject {

struct PciAddress {
  std::uint32_t domain = 0, bus = 0, device = 0;
};

/// All zero if the driver does not say.
PciAddress pciOf(const std::uint8_t (&uuid)[16]);

}  // namespace lanescope::inject
