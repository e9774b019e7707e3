// SPDX-License-Identifier: Apache-2.0
#include "model/report/nvtx_payload.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/files.h"
#include "tests/support/report_builder.h"

namespace lanescope::report {
namespace {

std::string word(std::uint64_t value, int bytes = 8) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

std::string header(std::uint64_t schema, std::uint64_t size, std::uint64_t begin = 32) {
  return word(1) + word(schema) + word(size) + word(begin);
}

class NvtxPayload : public testing::Test {
 protected:
  NvtxPayload() {
    test::ReportBuilder builder(folder_ / "a.sqlite");
    builder.sql(
        "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId, schemaId, idx, flags, type, name, description, "
        "arrayOrUnionDetail, offset);"
        "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES"
        "(1, 9, 1, NULL, 5, 'ranks', NULL, NULL, 8), (1, 9, 0, NULL, 18, 'id', NULL, NULL, NULL),"
        "(1, 9, 2, NULL, 77, 'operation', NULL, NULL, 12), (1, 9, 3, NULL, 20, 'ratio', NULL, NULL, 16),"
        "(1, 9, 4, 2, 5, 'array', NULL, 3, 0), (1, 9, 5, NULL, 5, 'behind', NULL, NULL, 22),"
        "(1, 9, 6, NULL, 5, 'before', NULL, NULL, -4);"
        "CREATE TABLE NVTX_PAYLOAD_ENUMS(domainId, schemaId, name, numEntries, size);"
        "INSERT INTO NVTX_PAYLOAD_ENUMS VALUES(1, 77, NULL, 2, 4);"
        "CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES(domainId, schemaId, idx, name, value, isFlag);"
        "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES(1, 77, 0, 'Sum', NULL, NULL), (1, 77, 1, 'Max', 2, NULL);");
    database_ = std::make_unique<Result<Database>>(Database::open(builder.write()));
  }

  std::string decode(const std::string& bytes) const {
    std::string text;
    for (const PayloadValue& value : decodePayload(**database_, bytes)) text += value.name + "=" + value.text + " ";
    return text;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<Result<Database>> database_;
};

const std::string kHalf = word(0x3FE0000000000000);  // 0.5

TEST_F(NvtxPayload, IsReadByItsSchemaInTheOrderOfItsEntries) {
  EXPECT_EQ(decode(header(9, 24) + word(7) + word(0xFFFFFFFE, 4) + word(2, 4) + kHalf),
            "id=7 ranks=-2 operation=Max ratio=0.5 ");
}

TEST_F(NvtxPayload, AnEnumerationsZeroIsWrittenAsNull) {
  EXPECT_EQ(decode(header(9, 16) + word(7) + word(1, 4) + word(0, 4)), "id=7 ranks=1 operation=Sum ");
}

TEST_F(NvtxPayload, AValueWithoutANameIsANumber) {
  EXPECT_EQ(decode(header(9, 16) + word(7) + word(1, 4) + word(5, 4)), "id=7 ranks=1 operation=5 ");
}

TEST_F(NvtxPayload, BytesThatAreNotThereAreNotRead) {
  EXPECT_EQ(decode(""), "");
  EXPECT_EQ(decode(header(9, 1 << 30) + word(7)), "id=7 ");
  EXPECT_EQ(decode(header(9, 24, ~std::uint64_t{0}) + word(7)), "");
  EXPECT_EQ(decode(header(9, ~std::uint64_t{0}, 32) + word(7, 5)), "");
}

TEST_F(NvtxPayload, AnUnknownSchemaHasNoValues) { EXPECT_EQ(decode(header(10, 8) + word(7)), ""); }

TEST_F(NvtxPayload, TextsWithoutEndAreCut) {
  test::ReportBuilder builder(folder_ / "long.sqlite");
  builder.sql(
      "CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES(domainId, schemaId, idx, flags, type, name, offset);"
      "INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES(1, 9, 0, NULL, 77, hex(zeroblob(100000)), 0);"
      "CREATE TABLE NVTX_PAYLOAD_ENUMS(schemaId, size); INSERT INTO NVTX_PAYLOAD_ENUMS VALUES(77, 8);"
      "CREATE TABLE NVTX_PAYLOAD_ENUM_ENTRIES(domainId, schemaId, name, value);"
      "INSERT INTO NVTX_PAYLOAD_ENUM_ENTRIES VALUES(1, 77, hex(zeroblob(100000)), 3);");
  const auto database = Database::open(builder.write());
  ASSERT_TRUE(database);
  const auto values = decodePayload(*database, header(9, 8) + word(3));
  ASSERT_EQ(values.size(), 1u);
  EXPECT_LT(values[0].name.size(), 1100u);
  EXPECT_LT(values[0].text.size(), 1100u);
  EXPECT_TRUE(values[0].text.ends_with(" in all)"));
}

}  // namespace
}  // namespace lanescope::report
