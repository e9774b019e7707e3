// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ui/recorder_words.h"

#include <gmock/gmock.h>

#include "collector/launch/options.h"
#include "model/shell_words.h"

namespace lanescope::ui {
namespace {

using record::Range;
using record::RecordSettings;
using testing::IsEmpty;

RecordSettings fullSettings() {
  RecordSettings settings;
  settings.program = {"-odd", "a b", ""};
  settings.environment = {{"A", "1,B=2"}, {"C", "x y"}, {"D", ""}};
  settings.trace = {"cuda", "nvtx", "osrt", "cublas", "nccl", "mpi", "python-gil"};
  settings.cpuSamples = false;
  settings.pythonSamples = settings.pythonOfCalls = true;
  settings.graphNodes = settings.memoryUsage = settings.overwrite = settings.endsProgram = true;
  settings.gpuMetrics = "0,1";
  settings.gpuMetricsHertz = "2000,500";
  settings.duration = "0.25";
  settings.range = Range::kNvtx;
  settings.nvtxRange = "step,1@app";
  settings.output = "a-%h-%q{HOME}-%n";
  return settings;
}

TEST(RecorderWords, TheCommandLineReadsWhatTheFormSays) {
  std::vector<RecordSettings> all(1, fullSettings());
  for (const record::Preset& preset : record::presets()) preset.apply(all.emplace_back());
  all.emplace_back().trace.clear();
  all.back().delay = "2.5";
  all.emplace_back().range = Range::kCudaProfilerApi;
  all.emplace_back().contextSwitches = false;
  all.emplace_back().systemWide = true;
  all.back().cpuHertz = "4000";
  all.back().backtrace = "fp";
  all.back().trace = {"cuda", "osrt", "cusolver", "cusparse"};
  all.back().osThreshold = "0";
  all.push_back(all.back());
  all.back().contextSwitches = false;
  all.emplace_back().cpuSamples = false;
  all.back().systemWide = true;
  for (RecordSettings& settings : all) {
    if (settings.program.empty()) settings.program = {"python3", "train.py"};
    const auto line = launch::readCommandLine(profileWords(settings));
    ASSERT_TRUE(line) << line.error();
    EXPECT_THAT(line->warnings, IsEmpty());
    EXPECT_TRUE(settingsOf(line->options) == settings) << shellLine(profileWords(settings)) << "\n"
                                                       << shellLine(profileWords(settingsOf(line->options)));
  }
}

}  // namespace
}  // namespace lanescope::ui
