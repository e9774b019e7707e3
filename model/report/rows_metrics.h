// SPDX-License-Identifier: Apache-2.0
// Rows about GPU metrics, as a recorder hands them to the Writer; see rows.h.
#pragma once

#include "model/report/rows.h"

namespace lanescope::report {

struct MetricNameRow {
  static constexpr const char* kTable = "TARGET_INFO_GPU_METRICS";
  Id type = 0, source = 0;
  std::string_view typeName = {};
  Id metric = 0;
  std::string_view name = {};
  void columns(auto&& column) const {
    column("typeId", type), column("sourceId", source), column("typeName", typeName), column("metricId", metric);
    column("metricName", name);
  }
};

struct MetricSampleRow {
  static constexpr const char* kTable = "GPU_METRICS";
  std::int64_t rawTime = 0, time = 0;
  Id type = 0, metric = 0;
  std::int64_t value = 0;
  void columns(auto&& column) const {
    column("rawTimestamp", rawTime), column("timestamp", time), column("typeId", type), column("metricId", metric);
    column("value", value);
  }
};

/// Where samples come from: one row for all GPUs.
struct EventSourceRow {
  static constexpr const char* kTable = "GENERIC_EVENT_SOURCES";
  Id source = 0, name = 0;
  std::int64_t timeSource = 0, group = 0;
  void columns(auto&& column) const {
    column("sourceId", source), column("nameId", name), column("timeSourceId", timeSource);
    column("sourceGroupId", group);
  }
};

/// Samples of one GPU.
struct EventTypeRow {
  static constexpr const char* kTable = "GENERIC_EVENT_TYPES";
  Id type = 0, source = 0, name = 0;
  void columns(auto&& column) const { column("typeId", type), column("sourceId", source), column("nameId", name); }
};

/// A value in them.
struct EventFieldRow {
  static constexpr const char* kTable = "GENERIC_EVENT_TYPE_FIELDS";
  Id type = 0;
  std::int64_t field = 0;
  Id name = 0;
  std::int64_t offset = 0, size = 0, kind = 0;
  void columns(auto&& column) const {
    column("typeId", type), column("fieldIdx", field), column("fieldNameId", name), column("offset", offset);
    column("size", size), column("type", kind);
  }
};

}  // namespace lanescope::report
