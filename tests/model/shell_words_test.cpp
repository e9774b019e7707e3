// SPDX-License-Identifier: Apache-2.0
#include "model/shell_words.h"

#include <gmock/gmock.h>

namespace lanescope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ShellWords, QuotesWhatAShellWouldTakeApart) {
  EXPECT_EQ(shellQuoted("a b"), "'a b'");
  EXPECT_EQ(shellQuoted("$HOME"), "'$HOME'");
  EXPECT_EQ(shellQuoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shellQuoted("`rm`;|&"), "'`rm`;|&'");
  EXPECT_EQ(shellQuoted(""), "''");
  EXPECT_EQ(shellQuoted("~"), "'~'");
  EXPECT_EQ(shellQuoted("ä"), "'ä'");
  EXPECT_EQ(shellQuoted("a\nb'\\\x1b"), "$'a\\x0ab\\'\\\\\\x1b'");
  EXPECT_EQ(shellQuoted("./bin/x-1.2_3"), "./bin/x-1.2_3");
}

std::vector<std::string> wordsOf(std::string_view line) {
  const auto words = readShellWords(line);
  EXPECT_TRUE(words) << line << ": " << (words ? "" : words.error().text);
  return words.value_or(std::vector<std::string>());
}

TEST(ShellWords, AreReadAsAShellSplitsThem) {
  EXPECT_THAT(wordsOf("  python3\ttrain.py   --lr=0.1 "), ElementsAre("python3", "train.py", "--lr=0.1"));
  EXPECT_THAT(wordsOf(R"(sh -c 'a | b > "c"')"), ElementsAre("sh", "-c", R"(a | b > "c")"));
  EXPECT_THAT(wordsOf(R"("two words"'and'\ more)"), ElementsAre("two wordsand more"));
  EXPECT_THAT(wordsOf(R"(p "" '' "\"\$\`\\\n")"), ElementsAre("p", "", "", R"("$`\\n)"));
  EXPECT_THAT(wordsOf("a#b c~d {x} a=b !"), ElementsAre("a#b", "c~d", "{x}", "a=b", "!"));
  EXPECT_THAT(wordsOf(""), IsEmpty());
}

TEST(ShellWords, ControlCharactersAreReadAsTheyAreSpelledOut) {
  EXPECT_THAT(wordsOf(R"(a$'b\n\t\'\x41\x7z'c)"), ElementsAre("ab\n\t'A\x07zc"));
}

TEST(ShellWords, ReadBackWhatWasQuoted) {
  const std::vector<std::string> words = {"p", "", "a b", "it's", "$x", "*", "#", "~", "\\", "\"", "ä", "-x=1;2"};
  EXPECT_EQ(wordsOf(shellLine(words)), words);
  const std::vector<std::string> withControls = {"a\nb'\\", "\x1b\x7f\x01"};
  EXPECT_EQ(wordsOf(shellLine(withControls)), withControls);
}

TEST(ShellWords, WhatAShellWouldDoMoreIsRefusedWhereItStands) {
  const auto refusal = [](std::string_view line) {
    const auto words = readShellWords(line);
    return words ? std::string("taken") : std::to_string(words.error().at) + " " + words.error().text;
  };
  EXPECT_EQ(refusal("a 'b"), "2 ' is not closed");
  EXPECT_EQ(refusal("a \"b"), "2 \" is not closed");
  EXPECT_EQ(refusal("a\\"), "1 \\ stands before nothing");
  EXPECT_EQ(refusal("a $'b"), "2 $' is not closed");
  EXPECT_THAT(refusal("$'a\\xg'"), HasSubstr("3 \\x stands before no"));
  EXPECT_THAT(refusal("$'\\q'"), HasSubstr("2 \\ in $'…' stands before none"));
  EXPECT_THAT(refusal("$'\\"), HasSubstr("2 \\ in $'…'"));
  EXPECT_THAT(refusal("a | b"), HasSubstr("2 | is for a shell; write sh -c"));
  EXPECT_THAT(refusal("a\nb"), HasSubstr("1 a line break is for a shell"));
  EXPECT_THAT(refusal("a $HOME"), HasSubstr("2 $ is not expanded here"));
  EXPECT_THAT(refusal("a \"$HOME\""), HasSubstr("3 $ is not expanded here"));
  EXPECT_THAT(refusal("ls *.py"), HasSubstr("3 * is not expanded to names of files here"));
  EXPECT_THAT(refusal("~/a"), HasSubstr("0 ~ is not expanded here"));
  EXPECT_THAT(refusal("a # b"), HasSubstr("2 # begins a comment"));
}

}  // namespace
}  // namespace lanescope
