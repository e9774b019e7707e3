// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/options.h"

#include <gmock/gmock.h>
#include <signal.h>

#include <set>

#include "collector/launch/given.h"
#include "collector/launch/option_table.h"
#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// The words of a line as a shell would make them, for a program called "true".
tl::expected<CommandLine, std::string> read(const std::string& line, bool program = true) {
  std::vector<std::string> words = splitWords(line);
  if (program) words.push_back("./program");
  return readCommandLine(words);
}

Options good(const std::string& line) {
  const auto read_ = read(line);
  EXPECT_TRUE(read_.has_value()) << line << ": " << (read_ ? "" : read_.error());
  return read_ ? read_->options : Options();
}

std::string refusal(const std::string& line) {
  const auto read_ = read(line);
  EXPECT_FALSE(read_.has_value()) << line << " was taken";
  return read_ ? "" : read_.error();
}

std::vector<std::string> warnings(const std::string& line) {
  const auto read_ = read(line);
  EXPECT_TRUE(read_.has_value()) << line << ": " << (read_ ? "" : read_.error());
  return read_ ? read_->warnings : std::vector<std::string>();
}

/// A value that an option of this kind takes.
std::string someValue(const OptionRow& row) {
  switch (row.kind) {
    case OptionKind::kSwitch:
      return "true";
    case OptionKind::kChoice:
    case OptionKind::kChoices:
      return splitList(row.values, '|').front();
    case OptionKind::kNumber:
    case OptionKind::kNumbers:
      return std::string(row.values.substr(0, row.values.find("..")));
    case OptionKind::kSeconds:
      return "1";
    case OptionKind::kText:
      break;
  }
  if (row.name == "trace") return "cuda";
  if (row.name == "cuda-graph-trace") return "graph";
  if (row.name == "capture-range-end") return "stop";
  if (row.name == "kill") return "none";
  if (row.name == "cudabacktrace") return "kernel,sync:80000";
  if (row.name == "max-size") return "500M,ring";
  if (row.name == "env-var") return "A=B";
  if (row.name == "gpu-metrics-devices") return "all";
  if (row.name == "gpu-metrics-set") return "general";
  return "word";
}

TEST(Options, NothingGivenIsCudaAndNvtxOfTheWholeProgram) {
  const Options options = good("");
  EXPECT_TRUE(options.cuda);
  EXPECT_TRUE(options.nvtx);
  EXPECT_EQ(options.graphTrace, GraphTrace::kGraph);
  EXPECT_FALSE(options.allCudaApis);
  EXPECT_EQ(options.flushIntervalMs, 0u);
  EXPECT_EQ(options.delay, 0);
  EXPECT_EQ(options.duration, 0);
  EXPECT_EQ(options.range, CaptureRange::kNone);
  EXPECT_EQ(options.rangeEnd, CaptureEnd::kStopShutdown);
  EXPECT_TRUE(options.stopOnExit);
  EXPECT_EQ(options.wait, WaitFor::kAll);
  EXPECT_EQ(options.killSignal, 0);
  EXPECT_TRUE(options.inheritEnvironment);
  EXPECT_TRUE(options.showOutput);
  EXPECT_EQ(options.output, "report#");
  EXPECT_FALSE(options.overwrite);
  EXPECT_FALSE(options.stats);
  EXPECT_THAT(options.exports, IsEmpty());
  EXPECT_THAT(options.words, IsEmpty());
  EXPECT_THAT(options.program, ElementsAre("./program"));
  EXPECT_THAT(warnings(""), IsEmpty());
}

TEST(Options, ASizeSaysWhatComesThen) {
  EXPECT_EQ(good("").maxBytes, 0u);
  EXPECT_EQ(good("--max-size=500M").maxBytes, 500'000'000u);
  EXPECT_FALSE(good("--max-size=500M,stop").keepsNewest);
  EXPECT_EQ(good("--max-size=2G,ring").maxBytes, 2'000'000'000u);
  EXPECT_TRUE(good("--max-size=2G,ring").keepsNewest);
  EXPECT_EQ(good("--max-size=1000000").maxBytes, 1'000'000u);
  for (const char* bad : {"M", "0", "1K", "many", "5M,", "5M,newest", "5M,ring,ring", "-5M", "5MB", "9999999T"}) {
    EXPECT_THAT(refusal(std::string("'--max-size=") + bad + "'"), HasSubstr("at least 1M")) << bad;
  }
}

TEST(Options, EveryRowIsFoundByItsNameAndNoNameOrLetterIsTwice) {
  std::set<std::string_view> names;
  std::set<char> letters;
  for (const OptionRow& row : optionTable()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(findOption(row.name), &row);
    if (row.letter == 0) continue;
    EXPECT_TRUE(letters.insert(row.letter).second) << row.letter;
    EXPECT_EQ(findOption(row.letter), &row);
  }
  EXPECT_EQ(std::string(letters.begin(), letters.end()), "Ybcdefnopstwxy");
}

TEST(Options, EveryRowIsReadInEveryFormAndWarnsIfItHasNoEffectYet) {
  test::TemporaryFolder folder;
  test::writeFile(folder / "file", "");
  for (const OptionRow& row : optionTable()) {
    std::string value = someValue(row);
    if (row.name == "command-file") value = (folder / "file").string();
    std::vector<std::vector<std::string>> forms = {{"--" + std::string(row.name) + "=" + value},
                                                   {"--" + std::string(row.name), value}};
    if (row.letter) {
      const std::string letter = std::string("-") + row.letter;
      forms.push_back({letter, value});
      forms.push_back({letter + "=" + value});
      forms.push_back({letter + value});
    }
    for (std::vector<std::string> words : forms) {
      const std::string shown = testing::PrintToString(words);
      words.push_back("./program");
      const auto line = readCommandLine(words);
      ASSERT_TRUE(line.has_value()) << shown << ": " << line.error();
      EXPECT_THAT(line->options.program, ElementsAre("./program")) << shown;
      EXPECT_THAT(line->options.words, SizeIs(1)) << shown;
      const bool asksForSomething = row.state == OptionState::kLater && value != row.nothing;
      const bool isLonely =
          row.name == "nvtx-capture" || row.name == "capture-range-end" || row.name == "osrt-file-access";
      EXPECT_THAT(line->warnings, SizeIs(asksForSomething || isLonely ? 1 : 0)) << shown;
    }
  }
}

TEST(Options, AValueThatAsksForNothingNeedsNoWarning) {
  for (const OptionRow& row : optionTable()) {
    if (row.nothing.empty()) continue;
    EXPECT_THAT(warnings("--" + std::string(row.name) + "=" + std::string(row.nothing)), IsEmpty()) << row.name;
  }
}

TEST(Options, AWrongValueNamesTheOptionAndWhatItTakes) {
  const std::pair<const char*, const char*> kCases[] = {
      {"-w=maybe", "-w (--show-output): maybe; it is true or false"},
      {"-x=extra", "-x (--stop-on-exit): extra; it is true or false"},
      {"--wait=some", "--wait: some; it is one of primary|all"},
      {"--sample=gpu", "--sample: gpu; it is one of process-tree|system-wide|none|cpu|xhv|xhv-system-wide"},
      {"--export=pdf", "--export: pdf; it is one or several of "},
      {"--cuda-flush-interval=-1", "--cuda-flush-interval: -1; it is a whole number, 0 to 3600000"},
      {"--cuda-flush-interval=1h", "--cuda-flush-interval: 1h; it is a whole number"},
      {"--gpu-metrics-frequency=5", "--gpu-metrics-frequency: 5; it is a whole number, 10 to 200000, or several"},
      {"--gpu-metrics-frequency=9999999999M", "it is a whole number"},
      {"--delay=soon", "--delay: soon; it is a number of seconds"},
      {"-y -1", "-y (--delay): -1; it is a number of seconds"},
      {"-d 0", "-d (--duration): 0; it is more than 0 seconds"},
      {"-d 99999999999999999999", "it is a number of seconds"},
      {"--kill=softly", "--kill: softly; it is none, sigterm, sigkill or a number"},
      {"--kill=0", "--kill: 0; it is"},
      {"--kill=65", "--kill: 65; it is"},
      {"-x false", "-x (--stop-on-exit): false needs --duration"},
      {"-c nvtx", "--capture-range=nvtx: needs the range; add --nvtx-capture=RANGE"},
      {"-c gpu", "-c (--capture-range): gpu; it is one of none|cudaProfilerApi|nvtx|hotkey"},
      {"--capture-range-end=halt", "--capture-range-end: halt; it is none, stop"},
      {"--capture-range-end=stop:3", "--capture-range-end: stop:3; it is"},
      {"--capture-range-end=repeat:0", "--capture-range-end: repeat:0; it is"},
      {"--capture-range-end=repeat-shutdown", "--capture-range-end: repeat-shutdown; it is"},
      {"--cuda-graph-trace=edge", "--cuda-graph-trace: edge; it is graph or node"},
      {"-t cuda,nvtxx", "--trace: nvtxx is no name of it; did you mean nvtx? see: lanescope profile --trace=help"},
      {"-t none,cuda", "--trace: none excludes all other names"},
      {"-e PATH", "-e (--env-var): PATH; it is NAME=VALUE"},
      {"--nvtx-domain-include=a --nvtx-domain-exclude=b", "only one of them"},
      {"--output=", "--output: the value is missing; it is NAME"},
      {"--command-file=/no/such/file", "/no/such/file: no such file"},
  };
  for (const auto& [line, sentence] : kCases) EXPECT_THAT(refusal(line), HasSubstr(sentence));
  EXPECT_THAT(read("-o", false).error(), HasSubstr("-o (--output): the value is missing"));
  EXPECT_THAT(read("-f true", false).error(), HasSubstr("no program given"));
}

TEST(Options, AnUnknownOptionNamesTheNearest) {
  const std::pair<const char*, const char*> kCases[] = {
      {"--tracee=cuda", "--tracee: unknown option; did you mean --trace?"},
      {"--out x", "--out: unknown option; did you mean --output?"},
      {"-output x", "-output: unknown option; did you mean --output?"},
      {"--capturerange=nvtx", "did you mean --capture-range?"},
      {"--gpu-metric-device=0", "did you mean --gpu-metrics-devices?"},
      {"--forceoverwrite", "did you mean --force-overwrite?"},
      {"--pid 4711",
       "--pid: a program that already runs cannot be recorded, because CUDA loads a recorder only when it starts; "
       "start "
       "the program with `lanescope launch`, then record it at any time with `lanescope start` and `stop`"},
      {"--zzzzzzzzzz", "--zzzzzzzzzz: unknown option; see: lanescope profile --help"},
      {"-z", "-z: unknown option; see: lanescope profile --help"},
  };
  for (const auto& [line, sentence] : kCases) EXPECT_THAT(refusal(line), HasSubstr(sentence));
}

TEST(Options, WhatGuidesInventedSaysWhichOptionWasMeant) {
  EXPECT_THAT(refusal("-c cuda"), HasSubstr("cuda is no capture range; to choose what is recorded, use --trace=cuda"));
  EXPECT_THAT(refusal("--nvtx"), HasSubstr("did you mean --trace=nvtx?"));
  EXPECT_THAT(refusal("--mpi"), HasSubstr("did you mean --trace=mpi?"));
  EXPECT_THAT(refusal("--output-dir=x"), HasSubstr("did you mean --output=FOLDER/NAME?"));
  EXPECT_THAT(refusal("-w=verbose"), HasSubstr("--show-output"));
  EXPECT_THAT(refusal("-x=verbose"), HasSubstr("--stop-on-exit"));
}

TEST(Options, OldSpellingsAreTaken) {
  EXPECT_THAT(warnings("-s cpu"), IsEmpty());
  EXPECT_EQ(good("-s cpu").cpu.samples, sample::CpuScope::kProcessTree);
  EXPECT_THAT(good("--gpu-metrics-device=0").gpuMetrics, ElementsAre("0"));
}

TEST(Options, GpuMetricsTakeDevicesFrequenciesAndASet) {
  EXPECT_THAT(good("").gpuMetrics, IsEmpty());
  EXPECT_THAT(good("--gpu-metrics-devices=none").gpuMetrics, IsEmpty());
  EXPECT_THAT(good("--gpu-metrics-devices=all").gpuMetrics, ElementsAre("all"));
  EXPECT_THAT(good("--gpu-metrics-devices=cuda-visible").gpuMetrics, ElementsAre("cuda-visible"));
  EXPECT_THAT(good("--gpu-metrics-devices=0,3").gpuMetrics, ElementsAre("0", "3"));
  EXPECT_THAT(good("").gpuMetricsHertz, ElementsAre("10000"));
  EXPECT_THAT(good("--gpu-metrics-frequency=20k,100").gpuMetricsHertz, ElementsAre("20000", "100"));
  for (const char* set : {"general", "graphics", "gh100", "ad10x"}) {
    EXPECT_EQ(good("--gpu-metrics-set=" + std::string(set)).gpuMetricsSet, set);
  }
  const std::pair<const char*, const char*> kCases[] = {
      {"--gpu-metrics-devices=gpu0", "--gpu-metrics-devices: gpu0; it is numbers of GPUs, all, cuda-visible or none"},
      {"--gpu-metrics-devices=-1", "--gpu-metrics-devices: -1; it is"},
      {"--gpu-metrics-devices=0,all", "--gpu-metrics-devices: 0,all; it is"},
      {"--gpu-metrics-frequency=200001", "--gpu-metrics-frequency: 200001; it is a whole number, 10 to 200000"},
      {"--gpu-metrics-set=everything", "--gpu-metrics-set: everything; it is general, graphics or file:FILE"},
      {"--gpu-metrics-set=file:/no/such/file", "--gpu-metrics-set: /no/such/file: no such file; check the path"},
  };
  for (const auto& [line, sentence] : kCases) EXPECT_THAT(refusal(line), HasSubstr(sentence));
}

TEST(Options, EveryCommandLineOfTheGuidesIsTaken) {
  struct Case {
    const char* line;
    std::size_t warnings;
  };
  const Case kCases[] = {
      {"", 0},
      {"-o my_report", 0},
      {"-o report_%p", 0},
      {"--trace=cuda,nvtx,osrt,cudnn,cublas", 0},
      {"--delay=10 --duration=30 --kill=sigterm", 0},
      {"--sample=cpu --cpuctxsw=process-tree --backtrace=dwarf", 0},
      {"--gpu-metrics-device=0 --gpu-metrics-frequency=1000", 0},
      {"-o train_profile --trace=cuda,nvtx,cudnn,cublas --sample=none --delay=30 --duration=60 "
       "--gpu-metrics-device=all",
       0},
      {"-o inference_profile --trace=cuda,nvtx --delay=5 --duration=20", 0},
      {"--capture-range=cudaProfilerApi --capture-range-end=stop --trace=cuda,nvtx,cudnn,cublas -o train_detailed", 0},
      {"-o ddp_rank%q{RANK} --trace=cuda,nvtx,nccl --gpu-metrics-device=all", 0},
      {"--trace=cuda,nvtx,osrt --sample=cpu -o cpu_bottleneck", 0},
      {"--trace=cuda,nvtx,osrt --cuda-memory-usage=true --output=weight_analysis", 0},
      {"-w true --cuda-memory-usage=true --python-backtrace=cuda -s cpu -f true -x true -o baseline", 0},
      {"--cuda-um-cpu-page-faults=true --cuda-um-gpu-page-faults=true --output=memory_analysis", 0},
      {"--trace=nvtx --output=nvtx_test", 0},
  };
  for (const Case& c : kCases) EXPECT_THAT(warnings(c.line), SizeIs(c.warnings)) << c.line;
  EXPECT_THAT(read("--trace=help", false)->answer, HasSubstr("nvtx"));
}

TEST(Options, TheCpuIsRecordedUnlessSomebodySaysNo) {
  using sample::CpuScope, sample::StackKind;
  const Options standard = good("");
  EXPECT_EQ(standard.cpu.samples, CpuScope::kProcessTree);
  EXPECT_EQ(standard.cpu.switches, CpuScope::kProcessTree);
  EXPECT_EQ(standard.cpu.stacks, std::nullopt);
  EXPECT_EQ(standard.cpu.samplesPerBacktrace, 0u);
  EXPECT_EQ(standard.cpu.frequency, 1000u);
  EXPECT_FALSE(standard.asksForCpu);
  EXPECT_EQ(good("-s none").cpu.switches, CpuScope::kProcessTree);
  EXPECT_FALSE(good("-s none --cpuctxsw none").cpu.any());
  EXPECT_FALSE(good("-s none --cpuctxsw none -b none").asksForCpu);
}

TEST(Options, WhatIsAskedOfTheCpuIsTaken) {
  using sample::CpuScope, sample::StackKind;
  const Options asked = good("-s cpu -b dwarf --samples-per-backtrace=2 --sampling-frequency=4000");
  EXPECT_TRUE(asked.asksForCpu);
  EXPECT_EQ(asked.cpu.samples, CpuScope::kProcessTree);
  EXPECT_EQ(asked.cpu.stacks, StackKind::kDwarf);
  EXPECT_EQ(asked.cpu.samplesPerBacktrace, 2u);
  EXPECT_EQ(asked.cpu.frequency, 4000u);
  EXPECT_EQ(good("-s system-wide").cpu.switches, CpuScope::kSystemWide);
  EXPECT_EQ(good("-b fp").cpu.stacks, StackKind::kFramePointers);
  EXPECT_EQ(good("-b lbr").cpu.stacks, StackKind::kLbr);
  EXPECT_EQ(good("-b none").cpu.stacks, StackKind::kNone);
  EXPECT_EQ(good("--sampling-period=2000000").cpu.period, 2'000'000u);
  EXPECT_TRUE(good("--sampling-frequency=500").asksForCpu);
  EXPECT_THAT(refusal("--sampling-period=2000000 --sampling-frequency=500"), HasSubstr("only one of them"));
}

TEST(Options, SwitchesFollowTheSamples) {
  EXPECT_THAT(warnings("-s process-tree --cpuctxsw=system-wide"),
              ElementsAre(HasSubstr("follows --sample=process-tree")));
  EXPECT_EQ(good("-s process-tree --cpuctxsw=system-wide").cpu.switches, sample::CpuScope::kProcessTree);
  EXPECT_EQ(good("-s process-tree --cpuctxsw=none").cpu.switches, sample::CpuScope::kNone);
  EXPECT_THAT(warnings("-s xhv"), ElementsAre(HasSubstr("recorded as process-tree")));
  EXPECT_THAT(warnings("-s none --sampling-frequency=500"), ElementsAre(HasSubstr("no effect with --sample=none")));
}

TEST(Options, TheProgramsOwnOptionsStayItsOwn) {
  const auto line = readCommandLine({"-o", "x", "./program", "-o", "y", "--help", "--", "-z"});
  ASSERT_TRUE(line.has_value());
  EXPECT_EQ(line->options.output, "x");
  EXPECT_THAT(line->options.program, ElementsAre("./program", "-o", "y", "--help", "--", "-z"));
  EXPECT_THAT(readCommandLine({"--", "--odd"})->options.program, ElementsAre("--odd"));
}

TEST(Options, ASwitchMayStandAlone) {
  EXPECT_TRUE(good("-f").overwrite);
  EXPECT_THAT(good("-f").program, ElementsAre("./program"));
  EXPECT_TRUE(good("--stats").stats);
  EXPECT_FALSE(good("-f true -f false").overwrite);
  for (const char* no : {"false", "no", "off", "0"}) EXPECT_FALSE(good(std::string("-w ") + no).showOutput) << no;
}

TEST(Options, TracesImplyCudaAndAddUp) {
  EXPECT_FALSE(good("-t nvtx").cuda);
  EXPECT_TRUE(good("-t cublas").cuda);
  EXPECT_FALSE(good("-t cublas").nvtx);
  EXPECT_TRUE(good("-t cuda-sw").cuda);
  EXPECT_FALSE(good("-t none").cuda || good("-t none").nvtx);
  EXPECT_TRUE(good("-t cuda -t nvtx").cuda && good("-t cuda -t nvtx").nvtx);
  EXPECT_THAT(warnings("-t vulkan,ucx"), ElementsAre("--trace=vulkan: not recorded yet; the run goes on without it",
                                                     "--trace=ucx: not recorded yet; the run goes on without it"));
}

TEST(Options, CallsOfTheOsRuntimeAndOfMpiAreRecordedOnlyWhenAskedFor) {
  EXPECT_FALSE(good("").osRuntime || good("").mpi);
  const Options asked = good("-t osrt,mpi --mpi-impl=mpich --osrt-threshold=5k --osrt-backtrace-threshold=1M");
  EXPECT_TRUE(asked.osRuntime && asked.mpi && !asked.cuda && !asked.nvtx);
  EXPECT_EQ(std::pair(asked.osThreshold, asked.osStackThreshold), std::pair(5000u, 1'000'000u));
  EXPECT_EQ(std::pair(asked.osStackBytes, asked.osStackDepth), std::pair(6144u, 24u));
  EXPECT_FALSE(asked.osFileAccess);
  EXPECT_TRUE(good("-t osrt --osrt-file-access=true").osFileAccess);
  EXPECT_THAT(warnings("-t cuda --osrt-file-access=true"), ElementsAre(HasSubstr("without --trace=osrt")));
  EXPECT_EQ(good("-t osrt --osrt-backtrace-depth=0").osStackBytes, 0u);
  EXPECT_THAT(warnings("-t osrt,mpi"), IsEmpty());
}

TEST(Options, ValuesArriveTyped) {
  EXPECT_EQ(good("--cuda-graph-trace=node:host-only").graphTrace, GraphTrace::kNode);
  EXPECT_TRUE(good("--cuda-trace-all-apis=true").allCudaApis);
  EXPECT_EQ(good("--cuda-flush-interval=10k").flushIntervalMs, 10'000u);
  EXPECT_EQ(good("-y 1.5").delay, 1'500'000'000);
  EXPECT_EQ(good("-d 0.000000001").duration, 1);
  EXPECT_EQ(good("--kill=sigterm").killSignal, SIGTERM);
  EXPECT_EQ(good("--kill=sigkill").killSignal, SIGKILL);
  EXPECT_EQ(good("--kill=10").killSignal, 10);
  EXPECT_EQ(good("--wait=primary").wait, WaitFor::kPrimary);
  EXPECT_FALSE(good("-x false -d 1").stopOnExit);
  EXPECT_FALSE(good("-n false").inheritEnvironment);
  EXPECT_THAT(good("--export=sqlite,chrome --export json --export none").exports,
              ElementsAre("sqlite", "chrome", "json"));
  EXPECT_THAT(good("--nvtx-domain-include='a\\,b,default'").nvtxInclude, ElementsAre("a,b", "default"));
  EXPECT_THAT(good("--nvtx-domain-exclude=a -o x").words, ElementsAre("--nvtx-domain-exclude=a", "-o=x"));
  EXPECT_THAT(good("-e TOKEN=secret,B=1").words, ElementsAre("-e=TOKEN,B")) << "they go into the report";
}

TEST(Options, CaptureRangesArriveTyped) {
  EXPECT_EQ(good("-c cudaProfilerApi").range, CaptureRange::kCudaProfilerApi);
  EXPECT_EQ(good("-c nvtx -p train@*").nvtxCapture, "train@*");
  struct Case {
    const char* text;
    CaptureEnd end;
    std::uint32_t repeat;
  };
  const Case kCases[] = {
      {"none", CaptureEnd::kNone, 0},
      {"stop", CaptureEnd::kStop, 0},
      {"stop-shutdown", CaptureEnd::kStopShutdown, 0},
      {"repeat", CaptureEnd::kRepeat, 0},
      {"repeat:3", CaptureEnd::kRepeat, 3},
      {"repeat:3:defer", CaptureEnd::kRepeat, 3},
      {"repeat-shutdown:7", CaptureEnd::kRepeatShutdown, 7},
  };
  for (const Case& c : kCases) {
    const std::string line = std::string("-c cudaProfilerApi --capture-range-end=") + c.text;
    EXPECT_EQ(good(line).rangeEnd, c.end) << c.text;
    EXPECT_EQ(good(line).repeat, c.repeat) << c.text;
    EXPECT_THAT(warnings(line), IsEmpty()) << c.text;
  }
  EXPECT_THAT(warnings("-c cudaProfilerApi --capture-range-end=repeat:2:sync"), SizeIs(1));
  EXPECT_THAT(warnings("-p train"), ElementsAre("--nvtx-capture: has no effect without -c nvtx"));
  EXPECT_THAT(warnings("-c cudaProfilerApi -y 5"), SizeIs(1));
}

TEST(Options, HelpIsAnsweredWithoutAProgram) {
  for (const char* line : {"--help", "-h", "-o x --help", "--trace=help", "-t help", "--gpu-metrics-devices=help",
                           "--gpu-metrics-set help"}) {
    const auto answered = read(line, false);
    ASSERT_TRUE(answered.has_value()) << line << ": " << answered.error();
    EXPECT_NE(answered->answer, "") << line;
  }
  const std::string help = read("--help", false)->answer;
  for (const OptionRow& row : optionTable()) EXPECT_THAT(help, HasSubstr("--" + std::string(row.name))) << row.name;
  EXPECT_EQ(good("-o help").output, "help");
}

TEST(Options, ACommandFileGivesWhatTheLineDoesNot) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "options", "# ours\n--trace=nvtx -o \"a b\"\n--kill sigkill # hard\n-e 'A=1,B=2'\n");
  const std::string file = "--command-file=" + (folder / "options").string();
  EXPECT_EQ(good(file).output, "a b");
  EXPECT_EQ(good(file).killSignal, SIGKILL);
  EXPECT_FALSE(good(file).cuda);
  EXPECT_EQ(good(file + " -o c").output, "c");
  EXPECT_EQ(good("-o c " + file).output, "c");
  EXPECT_TRUE(good(file + " -t cuda").cuda);
  EXPECT_FALSE(good(file + " -t cuda").nvtx);
  EXPECT_THAT(good(file).environment, ElementsAre(Pair("A", "1"), Pair("B", "2")));

  test::writeFile(folder / "options", "--trace=nvtx ./other");
  EXPECT_THAT(refusal(file), HasSubstr("./other is no option; a command file holds options only"));
  test::writeFile(folder / "options", file);
  EXPECT_THAT(refusal(file), HasSubstr("names another command file"));
  test::writeFile(folder / "options", "--tracee=nvtx");
  EXPECT_THAT(refusal(file), HasSubstr("options: --tracee: unknown option"));
}

TEST(Options, AssignmentsAreCutAtCommasThatBeginAnother) {
  const auto all = [](const char* text) { return readAssignments(text).value(); };
  EXPECT_THAT(all("A=1"), ElementsAre(Pair("A", "1")));
  EXPECT_THAT(all("A=1,B_2=x=y"), ElementsAre(Pair("A", "1"), Pair("B_2", "x=y")));
  EXPECT_THAT(all("CUDA_VISIBLE_DEVICES=0,1,B="), ElementsAre(Pair("CUDA_VISIBLE_DEVICES", "0,1"), Pair("B", "")));
  EXPECT_FALSE(readAssignments("=1").has_value());
  EXPECT_FALSE(readAssignments("a b=1").has_value());
}

TEST(Options, NumbersAndSecondsAreReadExactly) {
  EXPECT_EQ(readNumber("12"), 12);
  EXPECT_EQ(readNumber("200k"), 200'000);
  EXPECT_EQ(readNumber("2M"), 2'000'000);
  for (const char* bad : {"", "k", "1.5", "1 ", " 1", "0x10", "9223372036854775807k", "99999999999999999999"}) {
    EXPECT_EQ(readNumber(bad), std::nullopt) << bad;
  }
  EXPECT_EQ(readSeconds("0.1"), 100'000'000);
  EXPECT_EQ(readSeconds("3.1234567891"), 3'123'456'789);
  EXPECT_EQ(readSeconds("5."), 5'000'000'000);
  for (const char* bad : {"", ".", ".5s", "-1", "-0", "1e3", "nan", "1.-5", "1:30"}) {
    EXPECT_EQ(readSeconds(bad), std::nullopt) << bad;
  }
}

TEST(Options, ASessionHasANameAndMayStartLater) {
  EXPECT_FALSE(good("").startLater);
  EXPECT_EQ(good("").session, "");
  EXPECT_TRUE(good("-Y").startLater);
  EXPECT_EQ(good("--session-new=web").session, "web");
  EXPECT_EQ(good("--session web").session, "web");
  EXPECT_THAT(warnings("-Y --delay=5"), ElementsAre("--delay: has no effect with --start-later"));
  const auto both = readCommandLine({"-Y", "-c", "cudaProfilerApi", "./program"});
  ASSERT_FALSE(both.has_value());
  EXPECT_EQ(both.error(), "--start-later and --capture-range: only one of them can begin the recording");
}

}  // namespace
}  // namespace lanescope::launch
