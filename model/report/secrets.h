// SPDX-License-Identifier: Apache-2.0
// What must not be read over somebody's shoulder: values whose names say that they are secret, in the environments and
// command lines that other profilers store. Our own reports hold no environment. Pure.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::report {

/// True for a row of a report's properties that tells the environment of a process or machine.
bool tellsEnvironment(std::string_view name);

/// True if a name has TOKEN, SECRET, PASSWORD, KEY, CREDENTIAL or the like in it, whatever its case.
bool namesSecret(std::string_view name);

inline constexpr std::string_view kMasked = "••••";

/// The value, or kMasked where its name says that it is secret. Within the value, what follows such a name and "=", an
/// option of such a name, or a user's name in an address is masked too: "--api-key=••••", "https://me:••••@host".
std::string withoutSecrets(std::string_view name, std::string_view value);

}  // namespace lanescope::report
