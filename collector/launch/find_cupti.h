// SPDX-License-Identifier: Apache-2.0
// Which libcupti the recorder is to load where the program has none of its own yet: the wheels of the program's Python,
// the CUDA toolkit, the system's folders; the newest that the driver can serve (facts/collector.md, 2.3). The recorder
// looks by itself first for what the process has loaded. Looks at files only, so it does not run any Python. Any thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collector/launch/injection.h"

namespace lanescope::launch {

struct CuptiPlaces {
  std::filesystem::path root = "/";  ///< under which the toolkit and the driver are looked for
  std::filesystem::path interpreter;  ///< what runs the program; of interest if it is a Python
  ReadVariable environment;
};

/// Absolute; empty if there is none.
std::filesystem::path findCupti(const CuptiPlaces& places);

/// The CUDA major version that a driver such as "580.159.03" can serve; empty without a number.
std::optional<int> cudaOfDriver(const std::string& version);

/// The version of the loaded driver; empty if there is none.
std::string driverVersion(const std::filesystem::path& root = "/");

}  // namespace lanescope::launch
