// SPDX-License-Identifier: Apache-2.0
// The catalogue as it is written down (schema_tables.cpp, schema_glossary.cpp); schema.cpp makes Tables of it.
#pragma once

#include <span>

namespace lanescope::report::schema_text {

struct TableText {
  const char* name;
  const char* meaning;
  const char* columns;
};

struct Meaning {
  const char* column;  ///< "column", or "TABLE.column" where it means something else in that table
  const char* meaning;
};

std::span<const TableText> tables();
std::span<const Meaning> glossary();

}  // namespace lanescope::report::schema_text
