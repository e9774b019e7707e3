// SPDX-License-Identifier: Apache-2.0
// Extended NVTX payloads, as NCCL attaches them: a header that names a schema, then bytes laid out by it. Whole numbers,
// floating-point numbers and enumerations are decoded; arrays, texts and nested structures are left out. The bytes are
// the file's: every offset is checked, every text is cut to a kilobyte of clean UTF-8. O(entries of the schema tables),
// which have no index.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/report/database.h"

namespace lanescope::report {

struct PayloadValue {
  std::string name;  ///< "Message size [bytes]"
  std::string text;
};

/// What can be told; empty if the file does not describe the layout.
std::vector<PayloadValue> decodePayload(const Database& database, std::string_view bytes);

}  // namespace lanescope::report
