// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

#include <gtest/gtest.h>

#include <QColor>
#include <random>
#include <set>

#include "views/theme_file.h"

namespace lanescope::views {
namespace {

using trace::EventKind;

PaletteColours coloursOf(const char* theme) {
  const auto file = readTheme(themeJson(QString::fromLatin1(theme)));
  EXPECT_TRUE(file) << (file ? "" : file.error().toStdString());
  return file ? file->palette : PaletteColours{};
}

class BothThemes : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Palette, BothThemes, testing::Values("dark", "light"),
                         [](const auto& theme) { return std::string(theme.param); });

TEST_P(BothThemes, TextOnEveryShadeReadsAtFourAndAHalfToOne) {
  const PaletteColours colours = coloursOf(GetParam());
  const Palette palette(colours);
  std::vector<QRgb> all(colours.copies.begin(), colours.copies.end());
  for (const auto& shades : colours.shades) all.insert(all.end(), shades.begin(), shades.end());
  all.push_back(colours.waitingApi);
  all.push_back(colours.copyApi);
  all.push_back(colours.preempted);
  for (const QRgb shade : all) {
    EXPECT_GE(contrast(shade, palette.textOn(shade)), 4.5) << std::hex << shade;
    EXPECT_GE(contrast(shade, colours.canvas), 1.6) << std::hex << shade;
  }
}

TEST_P(BothThemes, TextOnWhateverColourAnAuthorChoseReadsAtFourAndAHalfToOne) {
  const Palette palette(coloursOf(GetParam()));
  std::mt19937 random(3);
  for (int i = 0; i < 5000; ++i) {
    const QRgb own = palette.nudged(0xFF000000 | random());
    EXPECT_GE(contrast(own, palette.textOn(own)), 4.5) << std::hex << own;
    EXPECT_GE(contrast(own, palette.colours().canvas), 1.6) << std::hex << own;
  }
  EXPECT_NE(palette.nudged(palette.colours().canvas), palette.colours().canvas);
}

trace::Trace traceWith(const std::shared_ptr<trace::NameTable>& names) {
  trace::Trace trace;
  trace.names = names;
  return trace;
}

TEST(Palette, HashesANameTheSameOnEveryMachine) {
  EXPECT_EQ(stableHash(""), 2166136261u);
  EXPECT_EQ(stableHash("a"), 0xe40c292cu);
  EXPECT_EQ(stableHash("foobar"), 0xbf9cf968u);
}

TEST(Palette, GivesANameOneColourWhateverItsId) {
  auto first = std::make_shared<trace::NameTable>(), second = std::make_shared<trace::NameTable>();
  const auto a = first->intern("attention");
  second->intern("feed_forward");
  const auto b = second->intern("attention");
  Palette one(coloursOf("dark")), other(coloursOf("dark"));
  one.learn(traceWith(first));
  other.learn(traceWith(second));
  const trace::LaneInfo kernels{.kind = EventKind::kKernel};
  EXPECT_EQ(one.colour(kernels, a), other.colour(kernels, b));
}

TEST(Palette, TellsCallsThatWaitAndCallsThatCopyFromTheRest) {
  auto names = std::make_shared<trace::NameTable>();
  const auto waits = names->intern("cudaStreamSynchronize_v3020"), copies = names->intern("cudaMemcpyAsync_v3020"),
             streamWaits = names->intern("cudaStreamWaitEvent_v3020"), launch = names->intern("cudaLaunchKernel_v7000");
  Palette palette(coloursOf("dark"));
  palette.learn(traceWith(names));
  const trace::LaneInfo api{.kind = EventKind::kCudaApi};
  EXPECT_EQ(palette.colour(api, waits), palette.colours().waitingApi);
  EXPECT_EQ(palette.colour(api, copies), palette.colours().copyApi);
  for (const auto plain : {streamWaits, launch}) {
    EXPECT_NE(palette.colour(api, plain), palette.colours().waitingApi);
    EXPECT_NE(palette.colour(api, plain), palette.colours().copyApi);
  }
}

TEST_P(BothThemes, AThreadThatWasPreemptedDoesNotLookAsIfItWaited) {
  auto names = std::make_shared<trace::NameTable>();
  const auto waits = names->intern("Waiting"), preempted = names->intern("Preempted");
  for (const bool colourBlind : {false, true}) {
    Palette palette(coloursOf(GetParam()), {Colouring::By::kName, colourBlind});
    palette.learn(traceWith(names));
    const trace::LaneInfo lane{.kind = EventKind::kThreadWait};
    EXPECT_GE(contrast(palette.colour(lane, waits), palette.colour(lane, preempted)), 1.1);
    EXPECT_GT(QColor(palette.colour(lane, preempted)).saturation(),
              2 * QColor(palette.colour(lane, waits)).saturation());
    EXPECT_NE(palette.colour({.kind = EventKind::kKernel}, preempted), palette.colours().preempted) << "only a state";
  }
}

TEST_P(BothThemes, NoProcessOnACoreHasTheColourOfACopy) {
  const PaletteColours colours = coloursOf(GetParam());
  constexpr std::size_t kHostToDevice = 1, kDeviceToHost = 2, kDeviceToDevice = 8;
  for (const QRgb core : colours.shades[static_cast<std::size_t>(EventKind::kCpuCore)])
    for (const std::size_t copy : {kHostToDevice, kDeviceToHost, kDeviceToDevice}) {
      const int apart = std::abs(QColor(core).hslHue() - QColor(colours.copies[copy]).hslHue());
      EXPECT_GE(std::min(apart, 360 - apart), 25) << std::hex << core << " and a copy of kind " << copy;
    }
}

TEST(Palette, NamesThatWereNotChosenStepBack) {
  auto names = std::make_shared<trace::NameTable>();
  const auto one = names->intern("one"), other = names->intern("other");
  Palette palette(coloursOf("dark"));
  palette.learn(traceWith(names));
  EXPECT_FALSE(palette.stepsBack(other));
  palette.choose((*names)[one].same);
  EXPECT_TRUE(palette.stepsBack(other));
  EXPECT_FALSE(palette.stepsBack(one));
}

TEST(Palette, KeepsTheColourOfAnAuthorAlsoWhenItsAlphaWasLeftOut) {
  auto names = std::make_shared<trace::NameTable>();
  const auto own = names->intern("step", {}, 0x0044CC66);
  Palette palette(coloursOf("dark"));
  palette.learn(traceWith(names));
  EXPECT_EQ(palette.colour({.kind = EventKind::kNvtxRange}, own), 0xFF44CC66);
}

TEST(Palette, TellsTheDirectionsOfCopiesApart) {
  const Palette palette(coloursOf("light"));
  std::set<QRgb> colours;
  for (std::uint8_t kind = 0; kind < PaletteColours::kCopyKinds; ++kind)
    colours.insert(palette.colour({.kind = EventKind::kCopy, .copyKind = kind}, 0));
  EXPECT_EQ(colours.size(), PaletteColours::kCopyKinds);
  EXPECT_EQ(palette.colour({.kind = EventKind::kCopy, .copyKind = 200}, 0), palette.colours().copies[0]);
}

TEST(Palette, LearnsTheNamesThatALaterSnapshotAdds) {
  auto names = std::make_shared<trace::NameTable>();
  Palette palette(coloursOf("dark"));
  palette.learn(traceWith(names));
  const auto late = names->intern("cudaDeviceSynchronize");
  const trace::LaneInfo api{.kind = EventKind::kCudaApi};
  EXPECT_EQ(palette.colour(api, late), palette.colours().shades[std::size_t(EventKind::kCudaApi)].front());
  palette.learn(traceWith(names));
  EXPECT_EQ(palette.colour(api, late), palette.colours().waitingApi);
}

TEST_P(BothThemes, EveryColourOfEveryColouringReads) {  // GUI-11
  for (const bool colourBlind : {false, true}) {
    for (const auto by : {Colouring::By::kName, Colouring::By::kKind, Colouring::By::kStream, Colouring::By::kDuration,
                          Colouring::By::kAuthor}) {
      const Palette palette(coloursOf(GetParam()),
                            {by, colourBlind, {{"nccl", qRgb(255, 165, 0)}, {"black", qRgb(0, 0, 0)}}});
      std::vector<QRgb> all;
      for (std::size_t kind = 0; kind < trace::kEventKinds; ++kind)
        for (std::uint32_t stream = 0; stream < 8; ++stream)
          all.push_back(palette.colour({.kind = static_cast<EventKind>(kind), .copyKind = 2, .stream = stream}, 0));
      for (trace::Ns length = 1; length < 10'000'000'000; length *= 10)
        all.push_back(palette.colourOfLength(0, length));
      for (const LegendEntry& entry : palette.legend()) all.push_back(entry.colour);
      for (const QRgb colour : all) {
        EXPECT_GE(contrast(colour, palette.textOn(colour)), 3) << std::hex << colour;
        EXPECT_GE(contrast(colour, palette.colours().canvas), 1.6) << std::hex << colour;
      }
    }
  }
}

TEST(Colouring, ARuleColoursItsNamesInEveryModeAndOnEveryLane) {  // GUI-15
  auto names = std::make_shared<trace::NameTable>();
  const auto nccl = names->intern("NcclDevKernel_AllReduce"), gemm = names->intern("sgemm");
  for (const auto by : {Colouring::By::kName, Colouring::By::kKind, Colouring::By::kStream, Colouring::By::kAuthor}) {
    Palette palette(coloursOf("dark"), {by, false, {{"nccl", qRgb(255, 165, 0)}}});
    palette.learn(traceWith(names));
    for (const auto kind : {EventKind::kKernel, EventKind::kCudaApi}) {
      EXPECT_EQ(palette.colour({.kind = kind}, nccl), qRgb(255, 165, 0));
      EXPECT_EQ(palette.colourOfLength(nccl, 5), qRgb(255, 165, 0));
      EXPECT_NE(palette.colour({.kind = kind}, gemm), qRgb(255, 165, 0));
    }
  }
}

TEST(Colouring, EachModeTellsApartWhatItGoesBy) {
  const trace::LaneInfo one{.kind = EventKind::kKernel, .stream = 1}, other{.kind = EventKind::kKernel, .stream = 2},
      copy{.kind = EventKind::kCopy, .copyKind = 1, .stream = 1};
  const Palette byStream(coloursOf("dark"), {Colouring::By::kStream});
  EXPECT_NE(byStream.colour(one, 0), byStream.colour(other, 0));
  EXPECT_EQ(byStream.colour(one, 0), byStream.colour(copy, 0));
  const Palette byKind(coloursOf("dark"), {Colouring::By::kKind});
  EXPECT_EQ(byKind.colour(one, 0), byKind.colour(other, 0));
  EXPECT_NE(byKind.colour(one, 0), byKind.colour(copy, 0));
  const Palette byLength(coloursOf("dark"), {Colouring::By::kDuration});
  EXPECT_NE(byLength.colourOfLength(0, 5'000), byLength.colourOfLength(0, 50'000));
  EXPECT_EQ(byLength.colourOfLength(0, 5'000), byLength.colourOfLength(0, 9'999));
}

TEST(Colouring, RulesAreALineEach) {
  const auto rules = parseRules("nccl = orange\n\n# remark\n a=b =#0072B2");
  ASSERT_TRUE(rules);
  EXPECT_EQ(*rules, (std::vector<Colouring::Rule>{{"nccl", QColor("orange").rgb()}, {"a=b", 0xFF0072B2}}));
  EXPECT_EQ(parseRules("nccl = orange\nsgemm = fuzzy").error(), 2);
  EXPECT_EQ(parseRules("= red").error(), 1);
  EXPECT_EQ(parseRules("nccl").error(), 1);
}

}  // namespace
}  // namespace lanescope::views
