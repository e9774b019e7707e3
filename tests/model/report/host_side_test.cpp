// SPDX-License-Identifier: Apache-2.0
// What a report tells of the host: switches, samples, Python, MPI, and what OS runtime calls were about.
#include <gmock/gmock.h>

#include <algorithm>

#include "model/report/copy.h"
#include "model/report/database.h"
#include "model/report/details.h"
#include "model/report/host_story.h"
#include "model/report/os_objects.h"
#include "model/report/sample_stacks.h"
#include "tests/support/loaded_report.h"

namespace lanescope::report {
namespace {

using namespace lanescope::test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using trace::EventKind;
using trace::EventRef;
using trace::TimeRange;
using trace::TracePtr;

class HostSide : public LoadedReport {
 protected:
  std::filesystem::path file() const { return folder / "report.sqlite"; }

  std::vector<EventRef> eventsOf(const trace::Trace& trace, EventKind kind) {
    std::vector<EventRef> events;
    for (trace::LaneId lane = 0; lane < trace.lanes.size(); ++lane)
      for (std::uint32_t i = 0; trace.laneInfo[lane].kind == kind && i < trace.lanes[lane]->size(); ++i)
        events.push_back({lane, i});
    std::ranges::stable_sort(events, {}, [&](EventRef event) { return trace.time(event).begin; });
    return events;
  }
  /// "Waiting 200-300"
  std::vector<std::string> told(const trace::Trace& trace, EventKind kind) {
    std::vector<std::string> texts;
    for (const EventRef event : eventsOf(trace, kind)) {
      const TimeRange time = trace.time(event);
      texts.push_back(std::string((*trace.names)[trace.name(event)].text) + " " + std::to_string(time.begin) + "-" +
                      std::to_string(time.end));
    }
    return texts;
  }
  std::vector<std::string> labels(const trace::Trace& trace) {
    std::vector<std::string> labels;
    for (const trace::Row& row : trace.rows) labels.push_back(row.label);
    return labels;
  }
  /// "Label: value" lines of the first event of a kind.
  std::string details(const trace::Trace& trace, EventKind kind, std::size_t which = 0) {
    std::string text;
    auto open = Details::open(file());
    for (const Field& field : open->of(trace, eventsOf(trace, kind).at(which)))
      text += field.label + ": " + field.value + "\n";
    return text;
  }
  std::string stack(const trace::Trace& trace, EventKind kind) {
    std::string text;
    auto open = Details::open(file());
    for (const Frame& frame : open->callStack(trace, eventsOf(trace, kind).at(0)).frames) text += frame.text() + "\n";
    return text;
  }
  void sched(ReportBuilder& builder, std::int64_t start, std::int64_t in, std::int64_t state = 0,
             std::int64_t block = 0) {
    builder.insert("SCHED_EVENTS", {{"start", start},
                                    {"cpu", std::int64_t{2}},
                                    {"isSchedIn", in},
                                    {"globalTid", gtid(1, 5)},
                                    {"threadState", state},
                                    {"threadBlock", block}});
  }
  void sample(ReportBuilder& builder, std::int64_t id, std::int64_t start, std::int64_t cycles) {
    builder.insert("COMPOSITE_EVENTS",
                   {{"id", id}, {"start", start}, {"globalTid", gtid(1, 5)}, {"cpuCycles", cycles}});
  }
};

TEST_F(HostSide, BetweenTwoRunsAThreadWaitsAndIsCalledByWhyItLeft) {
  auto builder = report();
  sched(builder, 100, 1), sched(builder, 200, 0, 7);
  sched(builder, 300, 1), sched(builder, 400, 0, 0, 44);
  sched(builder, 500, 1), sched(builder, 600, 0, 3);
  sched(builder, 700, 1), sched(builder, 800, 0);
  sched(builder, 900, 1), sched(builder, 950, 0, 5);
  const TracePtr trace = load(builder);
  EXPECT_THAT(
      told(*trace, EventKind::kThreadWait),
      ElementsAre("Waiting 200-300", "Preempted 400-500", "Waiting, uninterruptible 600-700", "Not running 800-900"))
      << "a thread that ended waits for nothing";
  EXPECT_THAT(told(*trace, EventKind::kThreadState), SizeIs(5));
}

TEST_F(HostSide, OfAPartOfARecordingAThreadIsKnownToThePartsEnd) {
  auto builder = report();
  builder.insert("LANESCOPE_META", {{"name", std::string("part-begin")}, {"value", std::string("100")}});
  builder.insert("LANESCOPE_META", {{"name", std::string("part-end")}, {"value", std::string("450")}});
  builder.insert("OSRT_API", {{"start", std::int64_t{300}},
                              {"end", std::int64_t{9000}},
                              {"eventClass", std::int64_t{27}},
                              {"globalTid", gtid(1, 6)},
                              {"nameId", builder.id("poll")},
                              {"returnValue", std::int64_t{0}},
                              {"callchainId", std::int64_t{0}}});
  sched(builder, 100, 1), sched(builder, 200, 0, 7), sched(builder, 300, 1);
  const TracePtr trace = load(builder);
  EXPECT_THAT(told(*trace, EventKind::kThreadState), ElementsAre("Running 100-200", "Running 300-450"))
      << "not to the end of the longest call that reaches beyond the part";
}

TEST_F(HostSide, AThreadThatNeverComesBackWaitsToTheEnd) {
  auto builder = report();
  sched(builder, 100, 1), sched(builder, 200, 0, 2);
  builder.add(R{.start = 150, .end = 900, .thread = gtid(1, 6)});
  const TracePtr trace = load(builder);
  const auto waits = eventsOf(*trace, EventKind::kThreadWait);
  ASSERT_THAT(waits, SizeIs(1));
  EXPECT_EQ(trace->time(waits[0]), (TimeRange{200, 900}));
  EXPECT_TRUE(trace->lanes[waits[0].lane]->unfinished(0));
}

TEST_F(HostSide, ABarOfAThreadTellsWhatItDidThenAndTheWaitItsStack) {
  auto builder = report();
  sched(builder, 100, 1), sched(builder, 200, 0, 7, 7), sched(builder, 300, 1);
  sample(builder, 1, 150, 1);
  sample(builder, 2, 200, 0);
  builder.stack("SAMPLING_CALLCHAINS", 2, {{"futex_wait"}, {"main", "/opt/train"}});
  const TracePtr trace = load(builder);
  EXPECT_THAT(details(*trace, EventKind::kThreadState), HasSubstr("CPU: 2\nThen: Waiting\n"));
  EXPECT_THAT(details(*trace, EventKind::kThreadWait), HasSubstr("Left CPU: 2\nState: Waiting\nBlocked by: CondVar\n"));
  EXPECT_EQ(stack(*trace, EventKind::kThreadWait), "futex_wait (libc.so.6)\nmain (train)\n");
}

TEST_F(HostSide, ATooltipHasTheInnermostFramesOfASample) {
  auto builder = report();
  sample(builder, 1, 150, 1);
  builder.add(O{.start = 10, .end = 20});
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("f" + std::to_string(i));
  for (int i = 0; i < 12; ++i)
    builder.insert("SAMPLING_CALLCHAINS",
                   {{"id", 1}, {"symbol", builder.id(names[static_cast<std::size_t>(i)])}, {"stackDepth", i}});
  const TracePtr trace = load(builder);
  auto open = Details::open(file());
  const auto fields = open->stackFields(*trace, eventsOf(*trace, EventKind::kCpuSample).at(0));
  ASSERT_THAT(fields, SizeIs(11));
  EXPECT_EQ(fields[0].label + "|" + fields[0].value, "In|f0");
  EXPECT_EQ(fields[9].label + "|" + fields[9].value, "|f9");
  EXPECT_EQ(fields[10].value, "… 2 more");
  EXPECT_TRUE(fields[0].main);
  EXPECT_THAT(open->stackFields(*trace, eventsOf(*trace, EventKind::kOsRuntime).at(0)), IsEmpty());
}

TEST_F(HostSide, ASampleWithoutCyclesIsNoneUnlessNoneHasAny) {
  auto builder = report();
  sample(builder, 1, 150, 1), sample(builder, 2, 200, 0), sample(builder, 3, 250, 3);
  EXPECT_THAT(eventsOf(*load(builder), EventKind::kCpuSample), SizeIs(2));
  auto without = report();
  sample(without, 1, 150, 0), sample(without, 2, 200, 0);
  EXPECT_THAT(eventsOf(*load(without), EventKind::kCpuSample), SizeIs(2));
}

TEST_F(HostSide, SamplesHaveARowOfTheirOwnWhereBarsOfTheThreadWouldCoverThem) {
  auto builder = report();
  sample(builder, 1, 150, 1);
  sched(builder, 100, 1), sched(builder, 200, 0);
  const TracePtr trace = load(builder);
  EXPECT_THAT(labels(*trace),
              ElementsAre("process [1]", "Threads (1)", "Thread 5", "CPU samples", "CPU (1)", "Core 2"));
  for (const trace::LaneId lane : trace->rows[2].lanes) EXPECT_NE(trace->laneInfo[lane].kind, EventKind::kCpuSample);
  auto without = report();
  sample(without, 1, 150, 1);
  EXPECT_THAT(labels(*load(without)), ElementsAre("process [1]", "Threads (1)", "Thread 5"));
}

TEST_F(HostSide, ThreadsOfTheProfilerStandLastInOneClosedRow) {
  auto builder = report();
  builder.thread(gtid(1, 2), "lanescope-write").thread(gtid(1, 3), "lanescope-flush");
  for (const std::int64_t thread : {2, 3, 5})
    builder.insert("COMPOSITE_EVENTS",
                   {{"id", thread}, {"start", 10}, {"globalTid", gtid(1, thread)}, {"cpuCycles", std::int64_t{1}}});
  const TracePtr trace = load(builder);
  EXPECT_THAT(labels(*trace), ElementsAre("process [1]", "Threads (1)", "Thread 5", "Profiler (2)", "2 lanescope-write",
                                          "3 lanescope-flush"));
  EXPECT_FALSE(trace->rows[3].expanded);
}

TEST_F(HostSide, PythonHasARowOfSamplesAndOneOfWaitsForItsLock) {
  auto builder = report();
  builder.insert("LANESCOPE_PYTHON_SAMPLES",
                 {{"id", 1}, {"start", 150}, {"globalTid", gtid(1, 5)}, {"holdsGil", std::int64_t{1}}});
  builder.stack("LANESCOPE_PYTHON_CALLCHAINS", 1,
                {{"Model.forward", "/opt/net/resnet.py", 273}, {"<module>", "/opt/train.py", 55}});
  builder.insert("LANESCOPE_GIL_WAITS", {{"start", 200}, {"end", 300}, {"globalTid", gtid(1, 5)}});
  const TracePtr trace = load(builder);
  EXPECT_THAT(labels(*trace), ElementsAre("process [1]", "Threads (1)", "Thread 5", "Python", "Python GIL"));
  EXPECT_THAT(told(*trace, EventKind::kGilWait), ElementsAre("Waiting for the interpreter lock 200-300"));
  EXPECT_THAT(details(*trace, EventKind::kPythonSample), HasSubstr("Interpreter lock: held\n"));
  EXPECT_EQ(stack(*trace, EventKind::kPythonSample), "Model.forward (resnet.py:273)\n<module> (train.py:55)\n");
}

TEST_F(HostSide, FramesOfPythonStandAmongThoseOfTheStackOfACall) {
  auto builder = report();
  builder.insert("CUPTI_ACTIVITY_KIND_RUNTIME", {{"start", 1},
                                                 {"end", 2},
                                                 {"globalTid", gtid(1, 1)},
                                                 {"nameId", builder.id("cudaMalloc")},
                                                 {"callchainId", std::int64_t{7}}});
  builder.stack("CUDA_CALLCHAINS", 7, {{"cudaMalloc", "/lib/libcudart.so"}, {"to", "/opt/train.py", 12}, {"_start"}});
  EXPECT_EQ(stack(*load(builder), EventKind::kCudaApi),
            "cudaMalloc (libcudart.so)\nto (train.py:12)\n_start (libc.so.6)\n");
}

TEST_F(HostSide, ATooltipHasTheStackOfACallToo) {
  auto builder = report();
  builder.insert("OSRT_API", {{"start", 100},
                              {"end", 190},
                              {"eventClass", std::int64_t{27}},
                              {"globalTid", gtid(1, 1)},
                              {"nameId", builder.id("poll")},
                              {"callchainId", std::int64_t{4}}});
  builder.stack("OSRT_CALLCHAINS", 4, {{"poll"}, {"main", "/opt/train.py", 55}});
  builder.add(R{.start = 1, .end = 2, .correlation = 3});
  const TracePtr trace = load(builder);
  auto open = Details::open(file());
  const auto fields = open->stackFields(*trace, eventsOf(*trace, EventKind::kOsRuntime).at(0));
  ASSERT_THAT(fields, SizeIs(2));
  EXPECT_EQ(fields[0].value, "poll (libc.so.6)");
  EXPECT_EQ(fields[1].value, "main (train.py:55)");
  EXPECT_THAT(open->stackFields(*trace, eventsOf(*trace, EventKind::kCudaApi).at(0)), IsEmpty());
}

TEST_F(HostSide, MpiCallsStandInOneRowAndTellTheirMessage) {
  auto builder = report();
  const auto tid = gtid(1, 1);
  builder.insert("MPI_RANKS", {{"globalTid", tid}, {"rank", 3}});
  builder.insert("MPI_P2P_EVENTS", {{"start", 10},
                                    {"end", 20},
                                    {"globalTid", tid},
                                    {"textId", builder.id("MPI_Send")},
                                    {"commHandle", std::int64_t{0x44000000}},
                                    {"tag", std::int64_t{9}},
                                    {"remoteRank", std::int64_t{1}},
                                    {"size", std::int64_t{4000}}});
  builder.insert("MPI_COLLECTIVES_EVENTS", {{"start", 30},
                                            {"end", 40},
                                            {"globalTid", tid},
                                            {"textId", builder.id("MPI_Bcast")},
                                            {"rootRank", std::int64_t{0}},
                                            {"size", std::int64_t{8}},
                                            {"recvSize", std::int64_t{16}}});
  builder.insert("MPI_START_WAIT_EVENTS", {{"start", 50}, {"globalTid", tid}, {"textId", builder.id("MPI_Wait")}});
  const TracePtr trace = load(builder);
  EXPECT_THAT(labels(*trace), ElementsAre("rank 3 · process [1]", "Threads (1)", "Thread 1", "MPI"));
  EXPECT_THAT(details(*trace, EventKind::kLibraryCall),
              HasSubstr("Rank: 3\nPeer rank: 1\nSize: 4.00 kB\nTag: 9\nCommunicator: MPI_COMM_WORLD (0x44000000)\n"));
  EXPECT_THAT(details(*trace, EventKind::kLibraryCall, 1),
              HasSubstr("Rank: 3\nRoot rank: 0\nSent: 8 B\nReceived: 16 B\n"));
  EXPECT_THAT(details(*trace, EventKind::kLibraryCall, 2), HasSubstr("Name: MPI_Wait\nStart: 50 ns\nDuration: not fin"))
      << "one that never returned";
  EXPECT_THAT(trace->issues, IsEmpty());
}

TEST(OsObjects, AreCalledByTheCallAndByWhatTheyAre) {
  EXPECT_EQ(osObject("pthread_mutex_lock", 0x7f00, "gate").text(), "lock gate");
  EXPECT_EQ(osObject("pthread_mutex_lock", 0x7f00, "").text(), "lock 0x7f00");
  EXPECT_EQ(osObject("pthread_cond_timedwait", 16, "").kind, "Condition");
  EXPECT_EQ(osObject("sem_wait", 16, "").kind, "Semaphore");
  EXPECT_EQ(osObject("read", 4, "/data/x.bin").text(), "file /data/x.bin");
  EXPECT_EQ(osObject("recvfrom", 4, "socket:[77]").kind, "Socket");
  EXPECT_EQ(osObject("poll", 4, "pipe:[77]").kind, "Pipe");
  EXPECT_EQ(osObject("poll", 4, "pipe:[77]").text(), "pipe:[77]");
  EXPECT_EQ(osObject("read", 4, "").text(), "descriptor 4");
}

TEST(OsObjects, ResultsAreSaidAsTheCallMeansThem) {
  EXPECT_EQ(osResult("pthread_cond_timedwait", 110), "timed out (ETIMEDOUT, 110)");
  EXPECT_EQ(osResult("pthread_mutex_lock", 0), "success");
  EXPECT_EQ(osResult("pthread_mutex_lock", 77), "error 77");
  EXPECT_EQ(osResult("pthread_barrier_wait", -1), "success, as the one of all");
  EXPECT_EQ(osResult("read", 4000), "4.00 kB");
  EXPECT_EQ(osResult("read", 0), "0 B");
  EXPECT_EQ(osResult("read", -1), "failed (-1)");
  EXPECT_EQ(osResult("poll", 0), "timed out");
  EXPECT_EQ(osResult("poll", 2), "2 ready");
  EXPECT_EQ(osResult("mmap", 0x7f00), "0x7f00");
  EXPECT_EQ(osResult("waitpid", 4711), "4711");
}

TEST_F(HostSide, AnOsRuntimeCallTellsItsLockOrFile) {
  auto builder = report();
  builder.add(O{.start = 10, .end = 20, .name = "pthread_mutex_lock"}).add(O{.start = 30, .end = 40, .name = "read"});
  builder.insert("LANESCOPE_OSRT_OBJECTS",
                 {{"osrtRow", 1}, {"object", std::int64_t{0x7f10}}, {"nameId", builder.id("gate")}});
  builder.insert("LANESCOPE_OSRT_OBJECTS",
                 {{"osrtRow", 2}, {"object", std::int64_t{5}}, {"nameId", builder.id("/data/x.bin")}});
  const TracePtr trace = load(builder);
  EXPECT_THAT(details(*trace, EventKind::kOsRuntime), HasSubstr("Lock: gate\n"));
  EXPECT_THAT(details(*trace, EventKind::kOsRuntime, 1), HasSubstr("File: /data/x.bin\n"));
}

TEST_F(HostSide, APartOfAReportHasTheStacksAndObjectsOfWhatIsLeft) {
  auto builder = report();
  builder.add(O{.start = 10, .end = 20, .name = "read"}).add(O{.start = 500, .end = 540, .name = "read"});
  for (const std::int64_t row : {1, 2})
    builder.insert("LANESCOPE_OSRT_OBJECTS", {{"osrtRow", row}, {"object", row}, {"nameId", builder.id("/data/x")}});
  for (const std::int64_t id : {1, 2}) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id}, {"start", 500 * id - 490}, {"globalTid", gtid(1, 1)}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id, {{"main", "/opt/train.py", 5 * id}});
  }
  builder.insert("LANESCOPE_GIL_WAITS", {{"start", 12}, {"end", 14}, {"globalTid", gtid(1, 1)}});
  const auto whole = builder.write();
  const auto database = Database::open(whole);
  const Job job;
  Slice slice(*database, TimeRange{400, 600}, job);
  ASSERT_TRUE(copyReport(slice, folder / "part.rep", IfExists::kRefuse, "1"));
  const auto part = Database::open(folder / "part.rep");
  EXPECT_EQ(part->integer("SELECT osrtRow FROM LANESCOPE_OSRT_OBJECTS"), 2);
  EXPECT_EQ(part->integer("SELECT count(*) FROM LANESCOPE_OSRT_OBJECTS"), 1);
  EXPECT_EQ(part->integer("SELECT count(*) FROM LANESCOPE_PYTHON_CALLCHAINS"), 1);
  EXPECT_EQ(part->integer("SELECT originalIP FROM LANESCOPE_PYTHON_CALLCHAINS"), 10);
  EXPECT_EQ(part->integer("SELECT count(*) FROM LANESCOPE_GIL_WAITS"), 0);
}

TEST_F(HostSide, StacksOfPythonAreOneNameAFunctionWhateverTheLine) {
  auto builder = report();
  for (const std::int64_t id : {1, 2}) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id}, {"start", 10 * id}, {"globalTid", gtid(1, 1)}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id, {{"main", "/opt/train.py", 5 * id}});
  }
  const auto stacks = SampleStacks::read(builder.write(), Job{}, StackSource::kPython);
  ASSERT_TRUE(stacks);
  ASSERT_THAT((*stacks)->of(1), SizeIs(1));
  EXPECT_EQ((*stacks)->of(1)[0], (*stacks)->of(2)[0]);
  EXPECT_EQ((*stacks)->names()[(*stacks)->of(1)[0]].text, "main (train.py)");
  EXPECT_EQ((*stacks)->names()[(*stacks)->of(1)[0]].label, "main");
  EXPECT_EQ((*stacks)->module((*stacks)->of(1)[0]), "/opt/train.py");
}

class Story : public HostSide {
 protected:
  void python(ReportBuilder& builder, std::int64_t id, std::int64_t start, std::initializer_list<F> frames) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id}, {"start", start}, {"globalTid", gtid(1, 1)}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id, frames);
  }
  std::string story(const trace::Trace& trace, TimeRange range, std::optional<EventRef> event = {}) {
    const auto database = Database::open(file());
    return HostStory(*database, trace).of(0, range, event);
  }
};

TEST_F(Story, NamesTheLineOfTheProgramThatMostSamplesWereInAndTheCallItWaitedIn) {
  auto builder = report();
  builder.add(O{.start = 100, .end = 190, .name = "sem_wait"});
  builder.insert("LANESCOPE_OSRT_OBJECTS", {{"osrtRow", 1}, {"object", std::int64_t{0x10}}});
  const F library{"_get", "/usr/lib/python3.12/site-packages/torch/utils/data/dataloader.py", 1200};
  python(builder, 1, 110, {library, {"main", "/opt/train.py", 55}});
  python(builder, 2, 130, {{"step", "/opt/train.py", 60}, {"main", "/opt/train.py", 70}});
  python(builder, 3, 150, {library, {"main", "/opt/train.py", 55}});
  const TracePtr trace = load(builder);
  EXPECT_EQ(story(*trace, {100, 200}), "main (train.py:55), in sem_wait of semaphore 0x10");
  const auto database = Database::open(file());
  HostStory all(*database, *trace);
  EXPECT_TRUE(all.place(0, {100, 200})->loadsData);
  EXPECT_FALSE(all.place(0, {125, 140})->loadsData);
  EXPECT_EQ(all.place(0, {125, 140})->text(), "step (train.py:60)");
}

TEST_F(Story, TakesTheStackOfTheCallWhereThereAreNoSamples) {
  auto builder = report();
  builder.insert("OSRT_API", {{"start", 100},
                              {"end", 190},
                              {"eventClass", std::int64_t{27}},
                              {"globalTid", gtid(1, 1)},
                              {"nameId", builder.id("poll")},
                              {"callchainId", std::int64_t{4}}});
  builder.stack("OSRT_CALLCHAINS", 4,
                {{"poll"}, {"_poll", "/usr/lib/python3.12/selectors.py", 400}, {"main", "/opt/train.py", 55}});
  EXPECT_EQ(story(*load(builder), {100, 200}), "main (train.py:55), in poll");
}

TEST_F(Story, WaitsTellTheLineOfPythonAndWhoHadTheLock) {
  auto builder = report();
  builder.add(O{.start = 100, .end = 190, .name = "sem_wait"});
  builder.insert("LANESCOPE_GIL_WAITS", {{"start", 100}, {"end", 190}, {"globalTid", gtid(1, 1)}});
  python(builder, 1, 50, {{"before", "/opt/prog.py", 3}});
  python(builder, 2, 120, {{"waiter", "/opt/prog.py", 17}});
  for (const std::int64_t id : {3, 4}) {
    builder.insert("LANESCOPE_PYTHON_SAMPLES", {{"id", id},
                                                {"start", 100 + 10 * id},
                                                {"globalTid", gtid(1, 4 + id)},
                                                {"holdsGil", std::int64_t{id == 3 ? 0 : 1}}});
    builder.stack("LANESCOPE_PYTHON_CALLCHAINS", id, {{"spin", "/opt/prog.py", 20 + id}});
  }
  builder.thread(gtid(1, 8), "worker");
  const TracePtr trace = load(builder);
  EXPECT_THAT(details(*trace, EventKind::kOsRuntime), HasSubstr("Python: waiter (prog.py:17)\n"));
  EXPECT_THAT(details(*trace, EventKind::kGilWait),
              HasSubstr("Python: waiter (prog.py:17)\nHeld by: worker (8), in spin (prog.py:24)\n"));
}

TEST_F(Story, NamesTheFunctionThatMostCpuSamplesWereIn) {
  auto builder = report();
  for (const std::int64_t id : {1, 2, 3, 4}) {
    sample(builder, id, 100 + id, 1);
    builder.stack("SAMPLING_CALLCHAINS", id, {{id == 1 ? "read" : "0x7f" + std::to_string(id), "/opt/lib/libgemm.so"}});
  }
  const TracePtr trace = load(builder);
  const auto database = Database::open(file());
  HostStory all(*database, *trace);
  EXPECT_EQ(all.function(0, {100, 200}), "libgemm.so") << "addresses of one module are one place";
  EXPECT_EQ(all.function(0, {100, 102}), "read (libgemm.so)");
  EXPECT_EQ(all.function(0, {300, 400}), "");
}

TEST_F(Story, HasNothingToSayOfACallAlone) {
  auto builder = report();
  builder.add(O{.start = 100, .end = 190, .name = "poll"});
  EXPECT_EQ(story(*load(builder), {100, 200}), "");
}

}  // namespace
}  // namespace lanescope::report
