// SPDX-License-Identifier: Apache-2.0
#include "model/export/issues.h"

#include "model/report/caveats.h"

namespace lanescope::exporting {

void appendIssues(JsonWriter& object, const report::Slice& slice) {
  object.key("issues").beginArray();
  for (const trace::Issue& issue : report::caveats(slice.database(), slice.job()))
    object.beginObject().member("kind", issue.kind).member("count", issue.count).member("text", issue.text).endObject();
  object.endArray();
}

}  // namespace lanescope::exporting
