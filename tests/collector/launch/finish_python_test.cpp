// SPDX-License-Identifier: Apache-2.0
// Python's stacks of a session folder made by hand: samples from outside, frames on CUDA calls, waits for the interpreter.
#include <gmock/gmock.h>

#include <cstring>

#include "collector/sample/python_file.h"
#include "tests/collector/launch/finish_fixture.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using wire::PythonFrame;
using wire::RecordType;

class FinishPython : public FinishFixture {
 protected:
  FinishPython() {
    EXPECT_TRUE(file_.create((folder_ / "python.samples").string()));
    file_.facts("hertz=1000\nexe.300=/usr/bin/python3.11\n");
    file_.code(1, "load", "/app/data.py", 10);
    file_.code(2, "Trainer.step", "/app/train.py", 20);
    file_.code(3, "<module>", "/app/train.py", 1);
  }
  void sample(std::uint64_t time, std::uint32_t thread, const std::vector<PythonFrame>& frames,
              std::uint32_t holdsGil = 0, std::uint32_t cut = 0) {
    wire::PythonStack stack;
    stack.time = cpu(time), stack.process = 300, stack.thread = thread, stack.holdsGil = holdsGil, stack.cut = cut;
    file_.stack(stack, frames);
  }
  std::vector<std::string> stackRows(const std::string& table) {
    return rows("SELECT c.id, stackDepth, s.value, m.value, originalIP, unwindMethod, unresolved FROM " + table +
                " c JOIN StringIds s ON s.id = symbol JOIN StringIds m ON m.id = module ORDER BY c.id, stackDepth");
  }
  /// Of the calling thread, behind a call.
  static void pythonStack(test::StreamBuilder& stream, const std::vector<PythonFrame>& frames) {
    wire::PythonStack stack;
    stack.header = {RecordType::kPythonStack,
                    static_cast<std::uint16_t>(sizeof stack + frames.size() * sizeof(PythonFrame)),
                    static_cast<std::uint32_t>(frames.size())};
    stream.bytes({reinterpret_cast<const char*>(&stack), sizeof stack})
        .bytes({reinterpret_cast<const char*>(frames.data()), frames.size() * sizeof(PythonFrame)});
  }
  static void code(test::StreamBuilder& stream, std::uint64_t id, const char* name, const char* file) {
    wire::PythonCode code;
    code.id = id, code.name = stream.text(name), code.file = stream.text(file);
    stream.record(RecordType::kPythonCode, code);
  }

  sample::PythonFile file_;
};

TEST_F(FinishPython, SamplesOfOneStackShareItsRows) {
  process().ended().write();
  sample(1000, 301, {{1, 12, 0}, {2, 25, 0}, {3, 40, 1}}, 1);
  sample(2000, 301, {}, 1, wire::kSameFrames);
  sample(2000, 302, {{2, 26, 0}, {3, 40, 1}}, 2);
  sample(3000, 301, {{1, 12, 0}, {2, 25, 0}, {3, 40, 1}}, 0);
  file_.end();
  finished();
  EXPECT_EQ(result_.events, 4u);
  EXPECT_THAT(rows("SELECT id, start, globalTid >> 24 & 16777215, globalTid & 16777215, holdsGil, callchainId FROM "
                   "LANESCOPE_PYTHON_SAMPLES"),
              ElementsAre("1|1000|300|301|1|1", "2|2000|300|301|1|1", "3|2000|300|302|NULL|2", "4|3000|300|301|0|1"));
  EXPECT_THAT(stackRows("LANESCOPE_PYTHON_CALLCHAINS"),
              ElementsAre("1|0|load|/app/data.py|12|100|0", "1|1|Trainer.step|/app/train.py|25|100|0",
                          "1|2|<module>|/app/train.py|40|100|0", "2|0|Trainer.step|/app/train.py|26|100|0",
                          "2|1|<module>|/app/train.py|40|100|0"));
  EXPECT_THAT(rows("SELECT pid, name FROM PROCESSES WHERE pid = 300"), ElementsAre("300|python3.11"));
  EXPECT_THAT(issues(), IsEmpty());
}

TEST_F(FinishPython, WhatCouldNotBeReadIsToldOnceAndAFewLostStacksAreNot) {
  process().ended().write();
  sample(1000, 301, {{1, 12, 1}});
  file_.message(1, "no Python samples of process 7: the kernel says no");
  file_.facts("read=1000\ndropped=3\nlate=400\n");
  file_.end();
  finished();
  EXPECT_THAT(issues(), ElementsAre("no-python-samples", "python-samples-missing"));
  EXPECT_THAT(result_.notes, ElementsAre(HasSubstr("the kernel says no"), HasSubstr("400 samples of Python")));
}

TEST_F(FinishPython, SamplesThatCameLateOfNoPythonAreNobodysBusiness) {
  process().ended().write();
  file_.facts("read=0\ndropped=0\nlate=400\n");
  file_.end();
  finished();
  EXPECT_THAT(issues(), IsEmpty());
}

TEST_F(FinishPython, AStackThatNamesNothingKnownIsNotFollowed) {
  process().ended().write();
  sample(1000, 301, {}, 0, wire::kSameFrames);  // the same as nothing
  sample(2000, 301, {{99, 5, 1}});
  file_.end();
  finished();
  EXPECT_THAT(stackRows("LANESCOPE_PYTHON_CALLCHAINS"), ElementsAre(HasSubstr("1|0|(name missing)")));
  EXPECT_THAT(rows("SELECT count(*) FROM LANESCOPE_PYTHON_SAMPLES"), ElementsAre("1"));
}

TEST_F(FinishPython, CallsOfOneStackShareItAndOthersHaveNone) {
  auto stream = process();
  stream.thread(101, 0);
  code(stream, 5, "forward", "/app/model.py");
  const std::vector<PythonFrame> frames = {{5, 70, 0}, {6, 9, 1}};
  stream.call({.start = cpu(100), .end = cpu(200), .correlation = 1});
  pythonStack(stream, frames);
  stream.call({.start = cpu(300), .end = cpu(301), .correlation = 2});
  stream.call({.start = cpu(400), .end = cpu(500), .correlation = 3});
  pythonStack(stream, frames);
  stream.thread(102, 1).call({.start = cpu(450), .end = cpu(460), .correlation = 4});
  pythonStack(stream, {{5, 71, 1}});
  code(stream, 6, "main", "/app/main.py");  // told by another thread, later
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT correlationId, callchainId FROM CUPTI_ACTIVITY_KIND_RUNTIME ORDER BY correlationId"),
              ElementsAre("1|1", "2|NULL", "3|1", "4|2"));
  EXPECT_THAT(stackRows("CUDA_CALLCHAINS"),
              ElementsAre("1|0|forward|/app/model.py|70|100|0", "1|1|main|/app/main.py|9|100|0",
                          "2|0|forward|/app/model.py|71|100|0"));
  EXPECT_THAT(issues(), IsEmpty());
}

TEST_F(FinishPython, ACopyOfTheStackIsOfTheCallBeforeItToo) {
  auto stream = process();
  stream.thread(101, 0).call({.start = cpu(100), .end = cpu(200), .correlation = 1});
  wire::StackCopy copy;
  copy.ip = 0x1234, copy.sp = 0x7000;
  stream.record(RecordType::kStackCopy, copy);
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT callchainId FROM CUPTI_ACTIVITY_KIND_RUNTIME"), ElementsAre("1"));
  EXPECT_THAT(stackRows("CUDA_CALLCHAINS"), ElementsAre(HasSubstr("1|0|0x1234|")));
}

TEST_F(FinishPython, SlicesOfOneWaitForTheInterpreterAreOneWait) {
  test::writeFile(folder_ / "options", "trace=cuda,nvtx\npython-gil=1\n");
  auto stream = process();
  stream.facts("python-runtime.100=5000+1000\n").thread(101);
  const auto wait = [&](std::uint64_t start, std::uint64_t end, std::uint64_t object,
                        const char* name = "pthread_cond_timedwait") {
    wire::OsCall call;
    call.start = cpu(start), call.end = cpu(end), call.name = stream.text(name), call.object = object;
    stream.record(RecordType::kOsCall, call);
  };
  wait(0, 5'000'000, 0x5100);
  wait(5'002'000, 10'000'000, 0x5100);
  wait(10'001'000, 12'000'000, 0x5100);
  wait(20'000'000, 21'000'000, 0x5100);
  wait(22'000'000, 23'000'000, 0x6000);  // another condition
  wait(24'000'000, 25'000'000, 0x5100, "pthread_cond_wait");
  stream.thread(102, 1);
  wait(1'000'000, 2'000'000, 0x5100, "pthread_cond_clockwait");
  stream.ended().write();
  finished();
  EXPECT_THAT(rows("SELECT start, end, globalTid & 16777215 FROM LANESCOPE_GIL_WAITS ORDER BY start"),
              ElementsAre("0|12000000|101", "1000000|2000000|102", "20000000|21000000|101"));
  EXPECT_FALSE(database_->has("OSRT_API")) << "nobody asked for the OS runtime";
}

}  // namespace
}  // namespace lanescope::launch
