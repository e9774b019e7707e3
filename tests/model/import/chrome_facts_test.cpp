// SPDX-License-Identifier: Apache-2.0
// What a file tells beside its ranges: who, when, on what; values over time; samples.
#include "model/import/chrome_facts.h"
#include "model/analysis/iterations.h"
#include "tests/model/import/chrome_text.h"
#include "tests/model/import/sums.h"

namespace lanescope::imported {
namespace {

using trace::Counter;

TEST(ChromeFacts, TheUnitOfTheDisplayIsNotThatOfTimes_IMP24) {
  for (const std::string_view text :
       {R"j({"displayTimeUnit":"ns","traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1236,"dur":13837451}]})j",
        R"j({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1236,"dur":13837451}],"displayTimeUnit":"ns"})j"})
    EXPECT_EQ(told(readText(text)), (Lines{"NVTX range a 1236000+13837451000 on 1/1/Slices"}));
  EXPECT_EQ(
      told(readText(R"j([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1236,"dur":13}])j", {.timesAreNanoseconds = true})),
      (Lines{"NVTX range a 1236+13 on 1/1/Slices"}));
}

TEST(ChromeFacts, TheBaseGivesUtcAndMovesNothing) {
  const Recording recording = readText(R"j({"schemaVersion":1,"baseTimeNanoseconds":1727743122000000000,
    "traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":5,"dur":1}]})j");
  EXPECT_EQ(recording.utcOfZero, 1727743122000000000);
  EXPECT_EQ(told(recording), (Lines{"NVTX range a 5000+1000 on 1/1/PyTorch"}));
  // Before there was a base, times were those of the epoch.
  EXPECT_EQ(readText(R"j({"schemaVersion":1,"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,
    "ts":1615207264505100,"dur":1}]})j")
                .utcOfZero,
            0);
  EXPECT_EQ(readEntries(R"j({"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1})j").utcOfZero, std::nullopt);
}

TEST(ChromeFacts, DevicesAndRank) {
  const Recording recording = readText(R"j({"traceEvents":[
    {"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":5,"dur":1,"args":{"device":1}},
    {"ph":"X","cat":"cpu_op","name":"a","pid":31,"tid":1,"ts":5,"dur":1}],
    "deviceProperties":[{"id":0,"name":"A"},{"id":1,"name":"B","totalGlobalMem":80,"numSms":132,"computeMajor":9,
                         "warpSize":32,"maxThreadsPerMultiprocessor":2048}],
    "distributedInfo":{"rank":3,"world_size":8,"backend":"nccl"},"traceName":"t.json","host_name":"node1"})j");
  ASSERT_EQ(recording.gpus.size(), 1U);
  EXPECT_EQ(recording.gpus[0].name, "B");
  using Facts = std::vector<std::pair<std::string, std::int64_t>>;
  EXPECT_EQ(
      recording.gpus[0].facts,
      (Facts{
          {"totalMemory", 80}, {"computeMajor", 9}, {"smCount", 132}, {"threadsPerWarp", 32}, {"maxWarpsPerSm", 64}}));
  ASSERT_EQ(recording.processes.size(), 1U);
  EXPECT_EQ(recording.processes[0].rank, "3");
  EXPECT_EQ(recording.host, "node1");
  EXPECT_NE(std::ranges::find(recording.facts, std::pair<std::string, std::string>("world_size", "8")),
            recording.facts.end());
}

TEST(ChromeFacts, IterationsAreAnnotationsAndNotOperators) {
  const auto iterationsIn = [](std::string_view annotation) {
    std::string entries;
    for (int i = 0; i < 4; ++i) {
      const auto entry = [&](std::string_view category, std::string name, int from, int length) {
        entries += (entries.empty() ? "" : ",") + (R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")") +
                   name + R"(","pid":1,"tid":1,"ts":)" + std::to_string(100 * i + from) + R"(,"dur":)" +
                   std::to_string(length) + "}";
      };
      entry("cpu_op", "record_param_comms", 1, 90);
      entry("python_function", "train.py(1): step", 1, 95);
      entry("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 2, 50);
      if (!annotation.empty()) entry("user_annotation", std::string(annotation) + std::to_string(i), 60, 20);
    }
    const auto trace = toTrace(readEntries(entries), {}, {});
    const auto found = analysis::findIterations(**trace);
    return found ? found->name : std::string("none");
  };
  EXPECT_EQ(iterationsIn(""), "none");
  EXPECT_EQ(iterationsIn("ProfilerStep#"), "Annotations:ProfilerStep#*");
}

TEST(ChromeFacts, TheFormatIsToldByItsWords) {
  EXPECT_EQ(readText(R"j({"schemaVersion":1,"traceEvents":[]})j").format, "kineto");
  EXPECT_EQ(readEntries(R"j({"ph":"X","cat":"Operator","name":"a","pid":1,"tid":1,"ts":5,"dur":1})j").format, "kineto");
  EXPECT_EQ(readEntries(R"j({"ph":"X","cat":"toplevel","name":"a","pid":1,"tid":1,"ts":5,"dur":1})j").format,
            "chrome-json");
}

TEST(ChromeFacts, ProcessesAndThreadsAreCalledAsTheMetadataSay) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","name":"a","pid":31,"tid":1,"ts":5,"dur":1},
    {"ph":"M","name":"process_name","pid":31,"args":{"name":"python3"}},
    {"ph":"M","name":"thread_name","pid":31,"tid":1,"args":{"name":"main"}},
    {"ph":"M","name":"thread_name","pid":99,"tid":1,"args":{"name":"nobody"}})j");
  ASSERT_EQ(recording.processes.size(), 1U);
  EXPECT_EQ(recording.processes[0].name, "python3");
  ASSERT_EQ(recording.threads.size(), 1U);
  EXPECT_EQ(recording.threads[0].name, "main");
}

TEST(ChromeFacts, NamesLoseWhatKinetoWritesAroundThem) {
  const Recording recording = readEntries(R"j(
    {"ph":"X","cat":"cpu_op","name":"a","pid":31,"tid":1,"ts":5,"dur":1},
    {"ph":"M","name":"process_name","pid":31,"args":{"name":"python3"}},
    {"ph":"M","name":"process_labels","pid":31,"args":{"labels":"CPU"}},
    {"ph":"M","name":"thread_name","pid":31,"tid":1,"args":{"name":"thread 1 (pt_autograd_0)"}})j");
  EXPECT_EQ(recording.threads.at(0).name, "pt_autograd_0");
  EXPECT_EQ(recording.processes.at(0).name, "python3");
}

TEST(ChromeFacts, LabelsOfAProcessStandBehindItsName) {
  EXPECT_EQ(readEntries(R"j(
    {"ph":"X","name":"a","pid":31,"tid":1,"ts":5,"dur":1},
    {"ph":"M","name":"process_name","pid":31,"args":{"name":"Renderer"}},
    {"ph":"M","name":"process_labels","pid":31,"args":{"labels":"News"}})j")
                .processes.at(0)
                .name,
            "Renderer · News");
}

/// Labels of the rows of processes and threads of a file with these entries, in the order of the timeline.
Lines rowsOfWhom(std::string_view entries) {
  const auto trace = toTrace(readEntries(entries), {}, Job());
  Lines labels;
  if (!trace) return labels;
  for (const trace::Row& row : (*trace)->rows)
    if (row.kind == trace::RowKind::kProcess || row.kind == trace::RowKind::kThread) labels.push_back(row.label);
  return labels;
}

TEST(ChromeFacts, ProcessesAndThreadsStandWhereTheirSortIndexPutsThem) {
  constexpr const char* kEvents = R"j(
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":5,"dur":1},
    {"ph":"X","name":"b","pid":2,"tid":2,"ts":5,"dur":1},
    {"ph":"X","name":"b","pid":2,"tid":3,"ts":5,"dur":1},
    {"ph":"X","name":"b","pid":2,"tid":4,"ts":5,"dur":1},
    {"ph":"X","name":"c","pid":3,"tid":3,"ts":5,"dur":1})j";
  constexpr const char* kOrder = R"j(,
    {"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":7}},
    {"ph":"M","name":"process_sort_index","pid":3,"args":{"sort_index":-2}},
    {"ph":"M","name":"thread_sort_index","pid":2,"tid":3,"args":{"sort_index":-1}},
    {"ph":"M","name":"thread_sort_index","pid":2,"tid":2,"args":{"sort_index":1}},
    {"ph":"M","name":"thread_sort_index","pid":2,"tid":4,"args":{"sort_index":"top"}})j";
  const Lines plain = rowsOfWhom(kEvents), sorted = rowsOfWhom(std::string(kEvents) + kOrder);
  ASSERT_EQ(plain.size(), 8u);
  EXPECT_EQ(sorted, (Lines{plain[6], plain[7], plain[2], plain[4], plain[5], plain[3], plain[0], plain[1]}));
}

TEST(ChromeFacts, SortIndicesOfKinetoSayNothing) {
  constexpr const char* kEvents = R"j(
    {"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":5,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":9,"ts":5,"dur":1},
    {"ph":"X","cat":"cpu_op","name":"c","pid":2,"tid":2,"ts":5,"dur":1})j";
  const Lines plain = rowsOfWhom(kEvents);
  ASSERT_EQ(plain.size(), 5u);
  EXPECT_EQ(rowsOfWhom(std::string(kEvents) + R"j(,
    {"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":10}},
    {"ph":"M","name":"thread_sort_index","pid":1,"tid":1,"args":{"sort_index":10}})j"),
            plain);
}

TEST(ChromeFacts, CountersAreACurveAnArg) {
  const Recording recording = readEntries(R"j(
    {"ph":"C","name":"load","pid":1,"ts":1,"args":{"value":10}},
    {"ph":"C","name":"load","pid":1,"ts":2,"args":{"value":"2.5"}},
    {"ph":"C","name":"pool","pid":1,"ts":1,"args":{"used":1,"free":2}},
    {"ph":"C","name":"inst","id":"0x7","pid":1,"ts":1,"args":{"value":4}},
    {"ph":"C","name":"inst","id":"0x8","pid":2,"ts":1,"args":{"value":5}},
    {"ph":"C","name":"load","pid":1,"ts":3,"args":{"value":"many"}},
    {"ph":"C","name":"load","pid":1,"ts":4})j");
  Lines curves;
  for (const Curve& curve : recording.curves)
    curves.push_back(nameOf(recording.processes.at(curve.process).id) + " " + curve.name + " " +
                     std::to_string(curve.values.size()));
  EXPECT_EQ(curves, (Lines{"1 load 2", "1 pool · used 1", "1 pool · free 1", "1 inst [0x7] 1", "2 inst [0x8] 1"}));
  EXPECT_EQ(recording.curves[0].times, (std::vector<trace::Ns>{1000, 2000}));
  EXPECT_EQ(recording.curves[0].values, (std::vector<double>{10, 2.5}));
  EXPECT_EQ(issueCount(recording.issues, "import-counter-without-number"), 2U);
}

TEST(ChromeFacts, MemoryInUseIsACurveOfTheGpuOrTheProcess) {
  const Recording recording = readEntries(R"j(
    {"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":31,"tid":1,"ts":1,
     "args":{"Total Reserved":100,"Total Allocated":50,"Bytes":50,"Device Id":1,"Device Type":1}},
    {"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":31,"tid":1,"ts":2,
     "args":{"Total Allocated":7,"Device Id":-1,"Device Type":0}})j");
  ASSERT_EQ(recording.curves.size(), 3U);
  EXPECT_EQ(recording.curves[0].name, "Memory allocated");
  EXPECT_EQ(recording.curves[0].unit, Counter::Unit::kBytes);
  EXPECT_EQ(recording.gpus.at(recording.curves[0].gpu).device, 1);
  EXPECT_EQ(recording.curves[1].values, (std::vector<double>{100}));
  EXPECT_EQ(recording.curves[2].gpu, trace::kNone);
  EXPECT_EQ(recording.curves[2].values, (std::vector<double>{7}));
  EXPECT_EQ(nameOf(recording.processes.at(recording.curves[2].process).id), "31");
}

TEST(ChromeFacts, MemoryOfLanescopesOwnExportIsAddedUp) {
  const Recording recording = readEntries(R"j(
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":31,"tid":1,"ts":2,
     "args":{"device":1,"bytes":10,"memKind":2,"memoryOperationType":1}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":31,"tid":1,"ts":1,
     "args":{"device":1,"bytes":30,"memKind":2,"memoryOperationType":0}},
    {"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":31,"tid":1,"ts":3,
     "args":{"device":1,"bytes":5,"memKind":1,"memoryOperationType":0}})j");
  ASSERT_EQ(recording.curves.size(), 1U);
  EXPECT_EQ(recording.curves[0].name, "Memory usage");
  EXPECT_EQ(recording.curves[0].times, (std::vector<trace::Ns>{1000, 2000}));
  EXPECT_EQ(recording.curves[0].values, (std::vector<double>{30, 20}));
}

TEST(ChromeFacts, WhatCollectivesMoveIsReadWhereDetailsAre) {
  constexpr std::string_view kEntries = R"j(
    {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":1,"dur":1,"args":{"dtype":"Float",
     "In msg nelems":100,"Out msg nelems":200,"Group size":2,"Process Group Name":"0","Process Group Ranks":"[0, 1]"}},
    {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":2,"dur":1,"args":{"dtype":"Half",
     "In msg nelems":100,"Out msg nelems":100,"Group size":2,"Process Group Name":"0","Process Group Ranks":"[0, 1]"}},
    {"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":3,"dur":1,"args":{"dtype":"Odd"}})j";
  EXPECT_TRUE(readEntries(kEntries).collectives.empty());
  const Recording recording = readEntries(kEntries, {.details = true});
  ASSERT_EQ(recording.collectives.size(), 2U);
  EXPECT_EQ(recording.collectives[0].bytes, 400);
  EXPECT_EQ(recording.collectives[1].bytes, 200);
  EXPECT_EQ(recording.collectives[1].range.index, 1U);
  EXPECT_EQ(recording.collectives[0].group, recording.collectives[1].group);
  EXPECT_EQ(recording.collectives[0].ranks, 2);
}

TEST(ChromeFacts, SamplesAreCalledByTheirFrame) {
  const Recording recording = readText(R"j({"traceEvents":[
      {"ph":"P","cat":"s","name":"sample","pid":1,"tid":2,"ts":1,"sf":7},
      {"ph":"P","cat":"s","name":"other","pid":1,"tid":2,"ts":2}],
    "stackFrames":{"7":{"name":"leaf","parent":"1"},"1":{"name":"main"}},
    "samples":[{"name":"cpu","ts":"3.5","pid":1,"tid":"2","sf":1},{"ts":"x"}]})j");
  Lines lines = told(recording);
  std::ranges::sort(lines);
  EXPECT_EQ(lines, (Lines{"CPU sample leaf 1000+0 on 1/2", "CPU sample main 3500+0 on 1/2",
                          "CPU sample other 2000+0 on 1/2"}));
}

TEST(ChromeFacts, SamplesHaveTheWholeStackOfTheirFrame) {
  const Recording recording =
      readText(R"j({"traceEvents":[{"ph":"P","cat":"s","name":"x","pid":1,"tid":2,"ts":1,"sf":7}],
    "stackFrames":{"7":{"name":"leaf","category":"lib.so","parent":1},"1":{"name":"main"},
                   "2":{"name":"round","parent":"3"},"3":{"name":"and round","parent":"2"}},
    "samples":[{"ts":"2","pid":1,"tid":2,"sf":7},{"ts":"3","pid":1,"tid":2,"sf":2}]})j");
  const Track& samples = *trackOf(recording, trace::EventKind::kCpuSample);
  ASSERT_EQ(samples.stacks.size(), 3u);
  EXPECT_EQ(samples.stacks[0], samples.stacks[1]) << "they share one";
  const auto& stack = recording.stacks[samples.stacks[0]];
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ((*recording.names)[stack[0].name].text, "leaf");
  EXPECT_EQ((*recording.names)[stack[0].module].text, "lib.so");
  EXPECT_EQ((*recording.names)[stack[1].name].text, "main");
  EXPECT_EQ(stack[1].module, 0u);
  EXPECT_EQ(recording.stacks[samples.stacks[2]].size(), kMostFrames) << "of frames that are their own parents";
  EXPECT_EQ(issueCount(recording.issues, "import-stacks-cut"), 1u);
}

TEST(ChromeFacts, KindsThatAreNotShownAreNamedAndCounted) {
  const Recording recording = readEntries(R"j(
    {"ph":"O","name":"a","id":1,"pid":1,"tid":1,"ts":1}, {"ph":"N","name":"a","id":1,"pid":1,"tid":1,"ts":1},
    {"ph":"c","name":"clock_sync","pid":1,"tid":1,"ts":1}, {"name":"none","pid":1,"tid":1,"ts":1},
    {"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1})j");
  EXPECT_EQ(told(recording).size(), 1U);
  ASSERT_EQ(recording.issues.size(), 1U);
  EXPECT_EQ(recording.issues[0].kind, "import-not-shown");
  EXPECT_EQ(recording.issues[0].count, 4U);
  EXPECT_EQ(recording.issues[0].text,
            "4 entries are of kinds that are not shown (ph none, N, O, c); the first is entry 0");
  EXPECT_EQ(recording.written->entries, 5U);
  EXPECT_EQ(recording.written->byPhase.at("O"), 1U);
}

TEST(ChromeFacts, WhoStoppedTheJobGetsNothing) {
  std::stop_source stop;
  stop.request_stop();
  const test::TemporaryFolder folder;
  test::writeFile(folder / "t.json", R"j([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}])j");
  const auto read = readChrome(folder / "t.json", {}, Job(stop.get_token()));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace lanescope::imported
