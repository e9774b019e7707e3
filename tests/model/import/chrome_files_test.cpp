// SPDX-License-Identifier: Apache-2.0
// Strangers' files, against figures that were computed without this project's code.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/import/importers.h"
#include "model/import/json_number.h"
#include "model/import/json_reader.h"
#include "tests/support/files.h"

namespace lanescope::imported {
namespace {

using trace::EventKind;

/// What EXPECTED.json says of a file: its "figures", as texts.
const std::map<std::string, JsonArguments>& expected() {
  static const auto files = [] {
    std::map<std::string, JsonArguments> all;
    const JsonArguments whole(test::readFile(test::sharedFolder() / "traces/EXPECTED.json"));
    for (const auto& [name, file] : whole.all())
      if (name.starts_with("kineto/") || name.starts_with("chrome/"))
        all.emplace(name, JsonArguments(JsonArguments(file).text("figures")));
    return all;
  }();
  return files;
}

std::vector<std::string> elements(const std::string& list) {
  std::vector<std::string> all;
  std::string text;
  for (const char c : list)
    if (c == ',' || c == ']') {
      if (!text.empty()) all.push_back(text);
      text.clear();
    } else if (c != '[' && c != '"' && c != ' ' && c != '\n') {
      text += c;
    }
  return all;
}

/// What one kind of GPU work sums up to.
struct Sum {
  std::uint64_t count = 0;
  std::int64_t ns = 0;
  std::set<std::string_view> names;
  std::set<std::int64_t> devices, correlations;
  std::set<std::uint32_t> streams;
};

Sum sumOf(const Recording& recording, EventKind kind) {
  Sum sum;
  for (const Track& track : recording.tracks) {
    if (track.kind != kind) continue;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      ++sum.count;
      sum.ns += track.events[i].end - track.events[i].start;
      sum.names.insert((*recording.names)[track.events[i].name].text);
      sum.correlations.insert(track.events[i].correlation);
    }
    if (track.gpu != trace::kNone) sum.devices.insert(recording.gpus[track.gpu].device);
    sum.streams.insert(track.stream);
  }
  return sum;
}

class Files : public testing::TestWithParam<std::string> {};

TEST_P(Files, HoldTheFiguresThatWereComputedOtherwise) {
  LANESCOPE_NEEDS_SHARED();
  const JsonArguments& figures = expected().at(GetParam());
  const auto read = readChrome(test::sharedFolder() / "traces" / GetParam(), {}, {});
  const auto number = [&](const char* key) { return figures.integer(key).value_or(0); };
  if (GetParam().find("O-C22") != std::string::npos) {
    ASSERT_FALSE(read);
    return;
  }
  ASSERT_TRUE(read) << sentence(read.error());
  const Recording::Written& written = *read->written;
  EXPECT_EQ(read->format, GetParam().starts_with("kineto/") ? "kineto" : "chrome-json");
  if (figures.text("n").empty()) return;  // what strict JSON does not allow was not counted

  EXPECT_EQ(written.entries, static_cast<std::uint64_t>(number("n")));
  EXPECT_EQ(written.totalNs, number("x_ns"));
  const JsonArguments phases(figures.text("ph"));
  EXPECT_EQ(written.byPhase.size(), phases.all().size());
  for (const auto& [phase, count] : phases.all())
    EXPECT_EQ(std::to_string(written.byPhase.count(phase) ? written.byPhase.at(phase) : 0), count) << phase;
  if (const std::string from = figures.text("tmin_us"); !from.empty()) {
    ASSERT_TRUE(written.span);
    EXPECT_EQ(written.span->first, scaledDecimal(from, 3));
    EXPECT_EQ(written.span->second, scaledDecimal(figures.text("tmax_us"), 3));
  }

  const Sum kernels = sumOf(*read, EventKind::kKernel), memsets = sumOf(*read, EventKind::kMemset);
  const Sum calls = sumOf(*read, EventKind::kCudaApi);
  EXPECT_EQ(kernels.count, static_cast<std::uint64_t>(number("kernels")));
  EXPECT_EQ(kernels.ns, number("kernel_ns"));
  EXPECT_EQ(kernels.names.size(), static_cast<std::size_t>(number("kernel_names")));
  if (GetParam().find("O-K11") == std::string::npos) {  // of which these were not computed
    std::set<std::int64_t> devices;
    for (const std::string& device : elements(figures.text("devices"))) devices.insert(*wholeNumber(device));
    EXPECT_EQ(kernels.devices, devices);
    EXPECT_EQ(kernels.streams.size(), static_cast<std::size_t>(number("nstreams")));
    EXPECT_EQ(kernels.correlations.size(), static_cast<std::size_t>(number("kern_corr")));
    EXPECT_EQ(
        std::ranges::count_if(kernels.correlations, [&](std::int64_t id) { return !calls.correlations.contains(id); }),
        number("corr_no_launch"));
  }
  const std::vector<std::string> memset = elements(figures.text("memset"));
  EXPECT_EQ(memsets.count, memset.empty() ? 0 : static_cast<std::uint64_t>(*wholeNumber(memset[0])));
  EXPECT_EQ(memsets.ns, memset.empty() ? 0 : *wholeNumber(memset[1]));
  const JsonArguments copies(figures.text("memcpy"));
  EXPECT_EQ(written.copiesByName.size(), copies.all().size());
  for (const auto& [name, text] : copies.all()) {
    const std::vector<std::string> sums = elements(text);
    ASSERT_EQ(sums.size(), 3U);
    ASSERT_TRUE(written.copiesByName.contains(name)) << name;
    const Recording::Written::Copies& copy = written.copiesByName.at(name);
    EXPECT_EQ(copy.count, static_cast<std::uint64_t>(*wholeNumber(sums[0])));
    EXPECT_EQ(copy.bytes, static_cast<std::uint64_t>(*wholeNumber(sums[1])));
    EXPECT_EQ(copy.totalNs, *wholeNumber(sums[2]));
  }
  std::set<std::pair<std::uint32_t, std::string>> counters;  // names without instance and key
  for (const Curve& curve : read->curves)
    if (curve.unit == trace::Counter::Unit::kCount)
      counters.emplace(curve.process, curve.name.substr(0, std::min(curve.name.find(" ["), curve.name.find(" · "))));
  EXPECT_EQ(counters.size(), static_cast<std::size_t>(number("counter_tracks")));
}

std::vector<std::string> allFiles() {
  std::vector<std::string> names;
  if (std::filesystem::exists(test::sharedFolder()))
    for (const auto& [name, figures] : expected()) names.push_back(name);
  return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Files);
INSTANTIATE_TEST_SUITE_P(Traces, Files, testing::ValuesIn(allFiles()),
                         [](const auto& file) { return test::testName(file.param); });

}  // namespace
}  // namespace lanescope::imported
