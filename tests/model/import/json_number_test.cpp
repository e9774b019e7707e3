// SPDX-License-Identifier: Apache-2.0
#include "model/import/json_number.h"

#include <gmock/gmock.h>

namespace lanescope::imported {
namespace {

using testing::Eq;
using testing::Optional;

constexpr int kMicroseconds = 3;

std::string unescaped(std::string_view written) {
  std::string text;
  appendUnescaped(text, written);
  return text;
}

TEST(JsonNumber, ADecimalOfMicrosecondsIsExactInNanoseconds) {  // IMP-03
  EXPECT_THAT(scaledDecimal("1682666453031165.466", kMicroseconds), Optional(1682666453031165466));
  EXPECT_THAT(scaledDecimal("1682666453031166.842", kMicroseconds), Optional(1682666453031166842));
  EXPECT_THAT(scaledDecimal("1.376", kMicroseconds), Optional(1376));
  EXPECT_THAT(scaledDecimal("13837451", kMicroseconds), Optional(13837451000));
  EXPECT_THAT(scaledDecimal("0", kMicroseconds), Optional(0));
  EXPECT_THAT(scaledDecimal("-5", kMicroseconds), Optional(-5000));
  EXPECT_THAT(scaledDecimal("-0.5", kMicroseconds), Optional(-500));
  EXPECT_THAT(scaledDecimal("5.", kMicroseconds), Optional(5000));
  EXPECT_THAT(scaledDecimal(".5", kMicroseconds), Optional(500));
  EXPECT_THAT(scaledDecimal("+2", kMicroseconds), Optional(2000));
  EXPECT_THAT(scaledDecimal("007", kMicroseconds), Optional(7000));
  EXPECT_THAT(scaledDecimal("1682666453031165466", 0), Optional(1682666453031165466));
}

TEST(JsonNumber, ExponentsMoveThePoint) {
  EXPECT_THAT(scaledDecimal("1.5e3", kMicroseconds), Optional(1500000));
  EXPECT_THAT(scaledDecimal("1.682666453031165466E+15", kMicroseconds), Optional(1682666453031165466));
  EXPECT_THAT(scaledDecimal("25e-4", kMicroseconds), Optional(3));
  EXPECT_THAT(scaledDecimal("1e-99999999999", kMicroseconds), Optional(0));
  EXPECT_THAT(scaledDecimal("0e99999999999", kMicroseconds), Optional(0));
  EXPECT_THAT(scaledDecimal("1e16", kMicroseconds), Eq(std::nullopt));
  EXPECT_THAT(scaledDecimal("1e99999999999", kMicroseconds), Eq(std::nullopt));
}

TEST(JsonNumber, BelowANanosecondHalvesAreRoundedAwayFromZero) {
  EXPECT_THAT(scaledDecimal("1.0004", kMicroseconds), Optional(1000));
  EXPECT_THAT(scaledDecimal("1.0005", kMicroseconds), Optional(1001));
  EXPECT_THAT(scaledDecimal("-1.0005", kMicroseconds), Optional(-1001));
  EXPECT_THAT(scaledDecimal("1.00049999999999999999999999999", kMicroseconds), Optional(1000));
  EXPECT_THAT(scaledDecimal("1.9999999999999999999999999999", kMicroseconds), Optional(2000));
  EXPECT_THAT(scaledDecimal("0.0000000000000000000000000001", kMicroseconds), Optional(0));
  EXPECT_THAT(scaledDecimal("1.5", 0), Optional(2));
}

TEST(JsonNumber, TheWholeRangeOf64BitsIsKept) {
  EXPECT_THAT(scaledDecimal("9223372036854775.807", kMicroseconds), Optional(INT64_MAX));
  EXPECT_THAT(scaledDecimal("-9223372036854775.808", kMicroseconds), Optional(INT64_MIN));
  EXPECT_THAT(scaledDecimal("-9223372036854775808", 0), Optional(INT64_MIN));
  EXPECT_THAT(scaledDecimal("9223372036854775.808", kMicroseconds), Eq(std::nullopt));
  EXPECT_THAT(scaledDecimal("-9223372036854775.809", kMicroseconds), Eq(std::nullopt));
  EXPECT_THAT(scaledDecimal("99999999999999999999", kMicroseconds), Eq(std::nullopt));
  EXPECT_THAT(scaledDecimal(std::string(1'000'000, '9'), kMicroseconds), Eq(std::nullopt));
}

TEST(JsonNumber, WhatIsNoNumberIsNone) {
  for (const char* text : {"", "-", ".", "NaN", "Infinity", "null", "1.2.3", "1e", "1e+", "1e5x", "0x10", "1 2", "1,5"})
    EXPECT_THAT(scaledDecimal(text, kMicroseconds), Eq(std::nullopt)) << text;
}

TEST(JsonNumber, AWholeNumberMayBeWrittenAsADecimal) {
  EXPECT_THAT(wholeNumber("12"), Optional(12));
  EXPECT_THAT(wholeNumber("-136712896"), Optional(-136712896));
  EXPECT_THAT(wholeNumber("12.0"), Optional(12));
  EXPECT_THAT(wholeNumber("1.2e1"), Optional(12));
  EXPECT_THAT(wholeNumber("9007199254740993"), Optional(9007199254740993));
  EXPECT_THAT(wholeNumber("9223372036854775807"), Optional(INT64_MAX));
  EXPECT_THAT(wholeNumber("12.5"), Eq(std::nullopt));
  EXPECT_THAT(wholeNumber("0.5"), Eq(std::nullopt));
  EXPECT_THAT(wholeNumber("18446744073709551615"), Eq(std::nullopt));
  EXPECT_THAT(wholeNumber("stream 7"), Eq(std::nullopt));
}

TEST(JsonNumber, EscapesSayWhatTheyMean) {
  EXPECT_EQ(unescaped(R"(a\"b\\c\/d\b\f\n\r\te)"), "a\"b\\c/d\b\f\n\r\te");
  EXPECT_EQ(unescaped(R"(\u00e9\u20AC\uD83D\uDE00)"), "é€😀");
  EXPECT_EQ(unescaped("no escape"), "no escape");
  EXPECT_EQ(unescaped(R"(\u0000)"), std::string(1, '\0'));
}

TEST(JsonNumber, BrokenEscapesAndLoneSurrogatesBecomeTheReplacement) {
  EXPECT_EQ(unescaped(R"(a\uD83Db)"), "a\uFFFDb");
  EXPECT_EQ(unescaped(R"(a\uDE00b)"), "a\uFFFDb");
  EXPECT_EQ(unescaped(R"(\uD83D\u0041)"), "\uFFFDA");
  EXPECT_EQ(unescaped(R"(\uD83D\uD83D\uDE00)"), "\uFFFD😀");
  EXPECT_EQ(unescaped(R"(\u12)"), "\uFFFD12");
  EXPECT_EQ(unescaped(R"(\u12G4)"), "\uFFFD12G4");
  EXPECT_EQ(unescaped(R"(a\xb)"), "a\uFFFDxb");
  EXPECT_EQ(unescaped("a\\"), "a\uFFFD");
}

}  // namespace
}  // namespace lanescope::imported
