// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/options.h"

#include <gmock/gmock.h>

namespace lanescope::ui {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::variant<Options, Farewell> parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "lanescope-ui");
  return parseOptions(static_cast<int>(words.size()), words.data());
}

Options options(std::vector<const char*> words) { return std::get<Options>(parsed(std::move(words))); }
Farewell farewell(std::vector<const char*> words) { return std::get<Farewell>(parsed(std::move(words))); }

TEST(Options, WithoutWordsTheEmptyWindowOpens) {
  const Options none = options({});
  EXPECT_TRUE(none.files.empty());
  EXPECT_FALSE(none.screenshot || none.range || none.theme || none.sizeGiven);
}

TEST(Options, EveryOptionArrives) {
  const Options all = options(
      {"a.rep", "b.sqlite", "--screenshot", "o.png", "--size", "800x600", "--range", "1ms,2ms", "--theme", "light"});
  EXPECT_EQ(all.files, (std::vector<std::filesystem::path>{"a.rep", "b.sqlite"}));
  EXPECT_EQ(*all.screenshot, "o.png");
  EXPECT_EQ(all.size, QSize(800, 600));
  EXPECT_EQ(*all.range, (trace::TimeRange{1'000'000, 2'000'000}));
  EXPECT_EQ(*all.theme, views::Theme::Mode::kLight);
}

TEST(Options, TogetherTakesFilesAndFolders) {
  const Options together = options({"--together", "rank0.rep", "job/"});
  EXPECT_TRUE(together.together);
  EXPECT_EQ(together.files, (std::vector<std::filesystem::path>{"rank0.rep", "job/"}));
  EXPECT_FALSE(options({"rank0.rep", "rank1.rep"}).together);
}

TEST(Options, TwoReportsAreComparedNoMoreAndNoFewer) {
  const Options two = options({"--compare", "a.rep", "b.rep", "--range", "1ms,2ms", "--screenshot", "o.png"});
  EXPECT_EQ(two.compared, (std::vector<std::filesystem::path>{"a.rep", "b.rep"}));
  EXPECT_TRUE(two.files.empty());
  EXPECT_EQ(farewell({"--compare", "a.rep"}).status, 2);
}

TEST(Options, ARangeMayBeginBeforeZero) {
  EXPECT_EQ(*options({"a.rep", "--range", "-5us,5us"}).range, (trace::TimeRange{-5'000, 5'000}));
}

TEST(Options, HelpAndVersionGoToStdoutWithStatusZero) {
  EXPECT_EQ(farewell({"--version"}).status, 0);
  EXPECT_THAT(farewell({"--version"}).text, StartsWith("lanescope-ui "));
  EXPECT_EQ(farewell({"--help"}).status, 0);
  for (const char* word : {"--screenshot", "--size", "--range", "--theme", "--version"}) {
    EXPECT_THAT(farewell({"--help"}).text, HasSubstr(word));
  }
}

TEST(Options, BadUsageIsOneLineAndStatusTwo) {
  const std::vector<std::vector<const char*>> bad = {
      {"--unknown"},
      {"--together"},
      {"--together", "a.rep", "ssh://server/b.rep"},
      {"--size", "800"},
      {"--size", "800x"},
      {"--size", "0x0"},
      {"--size", "99999x800"},
      {"--theme", "blue"},
      {"--range", "1ms,2ms"},
      {"a.rep", "--range", "2ms"},
      {"a.rep", "--range", "2ms,1ms"},
      {"a.rep", "--range", "1ms,1ms"},
      {"a.rep", "--range", "one,two"},
      {"--screenshot"},
  };
  for (const auto& words : bad) {
    const auto result = parsed(words);
    ASSERT_TRUE(std::holds_alternative<Farewell>(result)) << words.back();
    const Farewell& said = std::get<Farewell>(result);
    EXPECT_EQ(said.status, 2) << words.back();
    EXPECT_THAT(said.text, StartsWith("lanescope-ui: ")) << words.back();
    EXPECT_THAT(said.text, Not(HasSubstr("\n"))) << words.back();
  }
}

TEST(Options, PagesAndCompletionAreMadeOfTheSameWords) {
  EXPECT_THAT(farewell({"--words-for", "man"}).text, HasSubstr("\\fB\\-\\-screenshot\\fR=\\fIOUT.png\\fR\n"));
  EXPECT_THAT(farewell({"--words-for", "bash"}).text, HasSubstr(":--theme) values='light dark'"));
  EXPECT_EQ(farewell({"--words-for", "tcsh"}).status, 2);
}

TEST(Options, TimesAreExactInEveryUnit) {
  const std::pair<const char*, trace::Ns> good[] = {
      {"0", 0},
      {"1500", 1500},
      {"1500ns", 1500},
      {"1.5us", 1500},
      {"1.5µs", 1500},
      {"-20 ms", -20'000'000},
      {"2s", 2'000'000'000},
      {"0.000000001s", 1},
      {" 7 ", 7},
      {"1.500ms", 1'500'000},
      {"9007199254740993", 9'007'199'254'740'993},
  };
  for (const auto& [text, ns] : good) EXPECT_EQ(parseTime(text), ns) << text;
}

TEST(Options, WhatIsNoTimeIsRefused) {
  for (const char* text : {"", "-", "s", "1.", ".5ms", "1.5", "0.1ns", "1.0000000001s", "5 minutes", "1e6", "--1",
                           "9223372036854775807", "99999999999999s"}) {
    EXPECT_EQ(parseTime(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace lanescope::ui
