// SPDX-License-Identifier: Apache-2.0
#include "collector/inject/text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanescope::inject {
namespace {

std::string converted(const std::wstring& wide) {
  std::vector<char> room(kLongestText + 4);
  const Text text = textOf(wide.c_str(), room.data());
  return std::string(text.bytes, text.length);
}

TEST(InjectedText, NoTextHasNoId) {
  EXPECT_EQ(textOf(static_cast<const char*>(nullptr)).id, 0u);
  EXPECT_NE(textOf("").id, 0u);
}

TEST(InjectedText, WideTextBecomesUtf8) {
  EXPECT_EQ(converted(L"a\u00e9\u4e2d\U0001F600"), "a\u00e9\u4e2d\U0001F600");
  EXPECT_EQ(converted({wchar_t(0xD800), wchar_t(0x7FFFFFFF)}), "\uFFFD\uFFFD");
}

TEST(InjectedText, LongTextIsCutAtTheEndOfACharacter) {
  std::string longText(kLongestText - 1, 'x');
  longText += "\U0001F600 and more";
  const Text text = textOf(longText.c_str());
  EXPECT_TRUE(text.cut);
  EXPECT_EQ(text.length, kLongestText - 1);
  EXPECT_FALSE(textOf(std::string(kLongestText, 'x').c_str()).cut);
}

TEST(InjectedText, BytesThatAreNoUtf8AreCutWhereTheBoundIs) {
  const std::string odd(kLongestText + 10, '\x80');
  EXPECT_EQ(textOf(odd.c_str()).length, kLongestText);
}

TEST(InjectedText, LongWideTextIsCutAsWell) {
  const std::wstring wide(20000, L'\u4e2d');
  std::vector<char> room(kLongestText + 4);
  const Text text = textOf(wide.c_str(), room.data());
  EXPECT_TRUE(text.cut);
  EXPECT_LE(text.length, kLongestText);
  EXPECT_EQ(text.length % 3, 0u);
}

}  // namespace
}  // namespace lanescope::inject
