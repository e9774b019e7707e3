// SPDX-License-Identifier: Apache-2.0
#include "model/trace/names.h"

#include <gtest/gtest.h>

namespace lanescope::trace {
namespace {

TEST(Names, OneTextIsOneName) {
  NameTable names;
  const NameId a = names.intern("gemm");
  EXPECT_EQ(names.intern("gemm"), a);
  EXPECT_NE(names.intern("gemm2"), a);
  EXPECT_EQ(names[a].text, "gemm");
  EXPECT_EQ(names[a].label, "gemm");
}

TEST(Names, AColourMakesAnotherNameOfTheSameText) {
  NameTable names;
  const NameId red = names.intern("step", {}, 0xFFFF0000);
  const NameId plain = names.intern("step");
  const NameId blue = names.intern("step", {}, 0xFF0000FF);
  EXPECT_NE(red, plain);
  EXPECT_NE(red, blue);
  EXPECT_EQ(names[plain].argb, 0u);
  EXPECT_EQ(names[red].argb, 0xFFFF0000u);
  EXPECT_EQ(names[red].same, plain);
  EXPECT_EQ(names[blue].same, plain);
}

TEST(Names, NeverMoveWhileOthersAreAdded) {
  NameTable names;
  const NameId first = names.intern("first", "f");
  const Name* where = &names[first];
  for (int i = 0; i < 100'000; ++i) names.intern("name " + std::to_string(i));
  EXPECT_EQ(&names[first], where);
  EXPECT_EQ(names[first].text, "first");
  EXPECT_EQ(names[names.intern("name 77777")].text, "name 77777");
}

TEST(Names, BytesThatAreNotUtf8AreShownAsReplacements) {  // IMP-20
  NameTable names;
  EXPECT_EQ(names[names.intern("k\xFF\xFEl")].text, "k\xEF\xBF\xBD\xEF\xBF\xBDl");
  EXPECT_EQ(repairUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // a surrogate is not a character
  EXPECT_EQ(repairUtf8("\xF0\x9F\x9A\x80 \xE6\xBC\xA2"), "\xF0\x9F\x9A\x80 \xE6\xBC\xA2");
  EXPECT_EQ(repairUtf8("cut \xE6\xBC"), "cut \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Names, OneOfManyMegabytesIsCutAndSaysSo) {
  NameTable names;
  const std::string longest(1 << 20, 'x'), control(20'000'000, '\x01');
  EXPECT_EQ(names[names.intern(longest)].text, longest);
  const NameId coloured = names.intern(control, control, 0xFF00FF00), plain = names.intern(control);
  EXPECT_EQ(names[coloured].same, plain);
  EXPECT_EQ(names[plain].text, names[coloured].label);
  EXPECT_TRUE(names[plain].text.ends_with("… (20.0 MB in all)"));
  EXPECT_LT(names.textBytes(), 5u << 20);
  EXPECT_EQ(names.size(), 4u);
}

TEST(Names, ControlCharactersAreShownAsPictures) {  // IMP-17
  EXPECT_EQ(repairUtf8(std::string_view("a\x01 b\nc\0d", 8)),
            "a\xE2\x90\x81 b\xE2\x90\x8A"
            "c\xE2\x90\x80"
            "d");
  EXPECT_TRUE(isCleanUtf8("plain text"));
  EXPECT_FALSE(isCleanUtf8("two\nlines"));
}

}  // namespace
}  // namespace lanescope::trace
