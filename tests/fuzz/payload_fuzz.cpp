// SPDX-License-Identifier: Apache-2.0
// The bytes that a program attached to an NVTX range, read by the schema of seeds/payload_schema.sql, which has every
// type, an enumeration, and offsets before and behind what there is.
#include "model/report/nvtx_payload.h"
#include "tests/fuzz/fuzz.h"

#include "model/utf8.h"

namespace {

using namespace lanescope;

const report::Database& schema() {
  static const auto database = report::Database::open(FUZZ_PAYLOAD_SCHEMA);
  fuzz::demand(database.has_value());
  return *database;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto values = report::decodePayload(schema(), fuzz::textOf(bytes, size));
  fuzz::demand(values.size() <= 64);
  for (const report::PayloadValue& value : values) {
    fuzz::demand(value.name.size() <= 1100 && value.text.size() <= 1100);
    fuzz::demand(repairUtf8(value.name) == value.name && repairUtf8(value.text) == value.text);
  }
  return 0;
}
