// SPDX-License-Identifier: Apache-2.0
// The caveats of a report as a member of a JSON object: "issues": [{"kind", "count", "text"}]. Private to the exports.
#pragma once

#include "model/json.h"
#include "model/report/slice.h"

namespace lanescope::exporting {

void appendIssues(JsonWriter& object, const report::Slice& slice);

}  // namespace lanescope::exporting
