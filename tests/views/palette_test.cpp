// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace lanescope::views
