// SPDX-License-Identifier: Apache-2.0
#include "model/record/record_settings.h"

#include <gmock/gmock.h>

namespace lanescope::record {
namespace {

using testing::ElementsAre;

TEST(RecordSettings, AFreshOneAddsNoOption) {
  RecordSettings settings;
  settings.program = {"python3", "train.py"};
  EXPECT_THAT(profileWords(settings), ElementsAre("python3", "train.py"));
  EXPECT_EQ(commandLine(settings, "", ""), "lanescope profile python3 train.py");
}

TEST(RecordSettings, WhatDiffersIsSaid) {
  RecordSettings settings;
  settings.program = {"-odd", "a b"};
  settings.environment = {{"A", "1,B=2"}, {"C", ""}};
  settings.trace = {"nvtx"};
  settings.graphNodes = settings.memoryUsage = settings.overwrite = settings.endsProgram = true;
  settings.cpuSamples = settings.contextSwitches = false;
  settings.pythonSamples = settings.pythonOfCalls = true;
  settings.gpuMetrics = "0,1";
  settings.gpuMetricsHertz = "2k";
  settings.delay = "2.5";
  settings.duration = "soon";
  settings.output = "run-%p";
  EXPECT_THAT(profileWords(settings),
              ElementsAre("--output=run-%p", "--force-overwrite=true", "--env-var=A=1\\,B=2",
                          "--env-var=C=", "--trace=nvtx", "--sample=none", "--cpuctxsw=none", "--python-sampling=true",
                          "--python-backtrace=cuda", "--cuda-graph-trace=node", "--cuda-memory-usage=true",
                          "--gpu-metrics-devices=0,1", "--gpu-metrics-frequency=2k", "--delay=2.5", "--duration=soon",
                          "--kill=sigterm", "--", "-odd", "a b"));
  settings.trace.clear();
  settings.range = Range::kNvtx;
  settings.nvtxRange = "step@app";
  EXPECT_THAT(profileWords(settings),
              testing::IsSupersetOf({"--trace=none", "--capture-range=nvtx", "--nvtx-capture=step@app"}));
  EXPECT_THAT(profileWords(settings), testing::Not(testing::Contains("--delay=2.5"))) << "the range says when to begin";
}

TEST(RecordSettings, TheLineToTypeNamesFolderAndHost) {
  RecordSettings settings;
  settings.program = {"./a b"};
  EXPECT_EQ(commandLine(settings, "/data/my runs", ""), "cd '/data/my runs' && lanescope profile './a b'");
  EXPECT_EQ(commandLine(settings, "runs", "me@gpu1"), "ssh me@gpu1 'cd runs && lanescope profile '\\''./a b'\\'''");
}

TEST(RecordSettings, PresetsSayWhatAndWhenAndLeaveTheProgram) {
  for (const Preset& preset : presets()) {
    RecordSettings settings;
    settings.program = {"serve"};
    settings.output = "mine";
    settings.range = Range::kNvtx;
    settings.nvtxRange = "old";
    settings.gpuMetrics = "all";
    preset.apply(settings);
    EXPECT_THAT(settings.program, ElementsAre("serve"));
    EXPECT_EQ(settings.output, "mine");
    EXPECT_EQ(settings.range, Range::kNone) << preset.name;
    EXPECT_EQ(settings.gpuMetrics, "");
    EXPECT_NE(settings.duration, "") << preset.name;
  }
  EXPECT_EQ(presets().size(), 3u);
}

}  // namespace
}  // namespace lanescope::record
