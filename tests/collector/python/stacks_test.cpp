// SPDX-License-Identifier: Apache-2.0
// Stacks of running interpreters, read from outside and compared with what the programs say themselves.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include "collector/python/code.h"
#include "collector/sample/python_find.h"
#include "collector/sample/python_memory.h"
#include "tests/collector/python/python_program.h"

namespace lanescope {
namespace {

using test::Interpreter;

/// "qualified.name file:line", innermost first, of each thread but the one that writes it; a line that is empty ends it.
constexpr const char* kReporter = R"py(
import os, sys, threading
def frames_of(frame):
    words = []
    while frame is not None:
        code = frame.f_code
        words.append('%s %s:%d' % (getattr(code, 'co_qualname', code.co_name), code.co_filename, frame.f_lineno or 0))
        frame = frame.f_back
    return ' < '.join(words)
def report():
    for line in iter(lambda: os.read(0, 100), b''):
        me = threading.get_ident()
        names = {t.ident: t.native_id for t in threading.enumerate()}
        for ident, frame in sys._current_frames().items():
            if ident != me:
                print('%d %d %s' % (ident, names[ident], frames_of(frame)))
        print('', flush=True)
forever = threading.Event()
)py";
constexpr const char* kBegin = R"py(
threading.Thread(target=report, name='reporter', daemon=True).start()
print('ready', flush=True)
)py";

/// By pthread_self().
using Stacks = std::map<std::string, std::string>;

Stacks asTold(test::PythonProgram& program) {
  Stacks all;
  program.say("report");
  for (std::string line = program.hear(); !line.empty(); line = program.hear()) {
    const std::size_t id = line.find(' '), native = line.find(' ', id + 1);
    all[line.substr(0, id)] = line.substr(native + 1);
  }
  return all;
}

std::string textOf(const python::Memory& memory, const python::Python& python, python::Address text) {
  char bytes[4096];
  std::size_t length = 0;
  return python::readText(memory, python, text, bytes, length) ? std::string(bytes, length) : "?";
}

/// Of threads that Python has.
Stacks asRead(pid_t process) {
  sample::PythonFiles files;
  const auto found = files.find(process);
  if (!found) return {{"nothing", "no Python"}};
  sample::ProcessMemory remote(process);
  const python::Memory memory = remote.direct();
  python::Python python{.layout = {}, .runtime = found->runtime, .codeType = found->codeType};
  const python::Refusal refusal = python::findLayout(memory, found->runtime, found->minor, python.layout);
  if (refusal != python::Refusal::kNo) return {{"nothing", python::reasonOf(refusal)}};
  python::Thread threads[64];
  std::size_t count = 0;
  if (!python::readThreads(memory, python, threads, count)) return {{"nothing", "threads are inconsistent"}};
  Stacks all;
  for (const python::Thread& thread : std::span(threads).first(count)) {
    python::Frame frames[python::kMostFrames];
    std::size_t depth = 0;
    bool cut = false;
    std::string& stack = all[std::to_string(thread.id)];
    if (!python::readFrames(memory, python, thread.state, frames, depth, cut)) stack = "inconsistent";
    for (const python::Frame& frame : std::span(frames).first(depth)) {
      python::Code code;
      if (!python::readCode(memory, python, frame.code, code)) stack += "no code";
      if (!python::hasBegun(frame, code)) continue;
      if (!stack.empty()) stack += " < ";
      stack += textOf(memory, python, code.name) + " " + textOf(memory, python, code.file) + ":" +
               std::to_string(python::readLine(memory, python, code, frame));
    }
    if (cut) stack += " < ...";
  }
  return all;
}

class PythonStacks : public testing::TestWithParam<Interpreter> {
 protected:
  /// What the program says and what is read, at a moment at which nothing moved.
  static void expectEqual(const std::string& script, const std::function<void(const Stacks&)>& look) {
    test::PythonProgram program(GetParam(), kReporter + script);
    ASSERT_EQ(program.hear(), "ready");
    Stacks told, read;
    bool isStill = false;
    for (int i = 0; i < 1000 && !isStill; ++i) {
      told = asTold(program);
      read = asRead(program.process());
      isStill = told == asTold(program) && !told.empty();
    }
    ASSERT_TRUE(isStill);
    for (const auto& [id, stack] : told) EXPECT_EQ(read[id], stack);
    EXPECT_EQ(read.size(), told.size() + 1);
    look(told);
  }
};

TEST_P(PythonStacks, OfAllThreadsAreAsTheProgramSaysThem) {
  expectEqual(std::string(R"py(
class Loader:
    def work(self):
        def inner(items):
            return sorted(items, key=lambda item:
                forever.wait())
        inner([1])
def generate():
    yield forever.wait()
def middle():
    for x in generate():
        pass
class Other(threading.Thread):
    def run(self):
        middle()
threading.Thread(target=Loader().work, daemon=True).start()
Other(daemon=True).start()
)py") + kBegin + "forever.wait()",
              [](const Stacks& told) { EXPECT_EQ(told.size(), 3u); });
}

TEST_P(PythonStacks, OfCoroutinesAndOfCallsThroughCAreThereWhole) {
  expectEqual(std::string(R"py(
import asyncio, functools
class Deep:
    @staticmethod
    async def inner():
        forever.wait()
    async def outer(self):
        await self.inner()
async def agenerate():
    yield await Deep().outer()
async def main():
    async for x in agenerate():
        pass
def through_c(n):
    if n == 0:
        return asyncio.run(main())
    return functools.reduce(lambda a, b: list(map(through_c, [n - 1]))[0], [0, 1])
threading.Thread(target=through_c, args=(5,), daemon=True).start()
)py") + kBegin + "forever.wait()",
              [](const Stacks& told) { EXPECT_EQ(told.size(), 2u); });
}

TEST_P(PythonStacks, HaveNamesOfAllKindsOfCharacters) {
  expectEqual(std::string(R"py(
source = '''
def grüße():
    def 関数():
        forever.wait()
    関数()
'''
exec(compile(source, 'scri\U0001F40Dpt.py', 'exec'))
threading.Thread(target=grüße, daemon=True).start()
)py") + kBegin + "forever.wait()",
              [](const Stacks& told) { EXPECT_EQ(told.size(), 2u); });
}

TEST_P(PythonStacks, ThatAreDeeperThanIsReadEndThere) {
  test::PythonProgram program(GetParam(), std::string(kReporter) + R"py(
sys.setrecursionlimit(2000)
def down(n):
    if n > 0:
        down(n - 1)
    else:
        print('ready', flush=True)
        sys.stdin.readline()
down(1000)
)py");
  ASSERT_EQ(program.hear(), "ready");
  for (int i = 0; i < 1000; ++i) {
    const std::string stack = asRead(program.process()).begin()->second;
    if (!stack.starts_with("down ")) continue;  // not there yet
    std::size_t calls = 0;
    for (std::size_t at = 0; (at = stack.find("down ", at)) != std::string::npos; ++at) ++calls;
    EXPECT_EQ(calls, python::kMostFrames);
    EXPECT_TRUE(stack.ends_with(" < ...")) << stack;
    return;
  }
  ADD_FAILURE() << "it never came to wait";
}

std::string nameOf(const testing::TestParamInfo<Interpreter>& info) { return "3_" + std::to_string(info.param.minor); }
INSTANTIATE_TEST_SUITE_P(Interpreters, PythonStacks, testing::ValuesIn(test::interpreters()), nameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PythonStacks);

}  // namespace
}  // namespace lanescope
