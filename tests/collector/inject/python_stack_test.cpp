// SPDX-License-Identifier: Apache-2.0
// Python programs that call CUDA (a stand-in for it), with the recorder inside: what their calls say of where they came from.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/collector/inject/recorded.h"
#include "tests/collector/python/python_program.h"

namespace lanescope::test {
namespace {

using testing::HasSubstr;
using wire::RecordType;

const std::string kMock = LANESCOPE_MOCK_CUPTI;
/// Begins when the recorder has found Python, which its writer looks for.
const std::string kScript = R"py(
import ctypes, os, sys, threading, time
ctypes.CDLL(os.environ['CUDA_INJECTION64_PATH']).InitializeInjection()
mock = ctypes.CDLL(sys.argv[1])
class Model:
    def forward(self):
        mock.mockLaunch()
def sort_key(item):
    Model().forward()
    return item
def train(n):
    for i in range(n):
        sorted([1], key=sort_key)
def is_found():
    folder = os.environ['LANESCOPE_SESSION']
    streams = [name for name in os.listdir(folder) if name.endswith('.stream')]
    return any(b'python-runtime.%d=' % os.getpid() in open(os.path.join(folder, name), 'rb').read() for name in streams)
while not is_found():
    time.sleep(0.002)
train(int(sys.argv[2]))
worker = threading.Thread(target=train, args=(3,))
worker.start()
worker.join()
for i in range(20):
    exec(compile('def made_%d():\n    mock.mockLaunch()\nmade_%d()' % (i, i), 'made.py', 'exec'))
)py";

class PythonOnCalls : public testing::TestWithParam<Interpreter> {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a python without the sanitizer cannot load what is built with it";
#endif
  }
  static Stream run(TestSession& session, const std::string& script, int calls) {
    EXPECT_EQ(session.run({GetParam().path, "-c", script, kMock, std::to_string(calls)}), 0);
    EXPECT_EQ(session.output(), "");
    return session.onlyStream();
  }
  /// "forward:7 < train:13 < …" of each stack.
  static std::vector<std::string> stacksOf(const Stream& stream) {
    std::map<std::uint64_t, std::string> codes;
    for (const Recorded& record : stream.all(RecordType::kPythonCode)) {
      const auto code = record.as<wire::PythonCode>();
      codes[code.id] = stream.texts.at(code.name);
    }
    std::vector<std::string> stacks;
    for (const Recorded& record : stream.all(RecordType::kPythonStack)) {
      std::string text;
      for (std::uint32_t i = 0; i < record.header.aux; ++i) {
        wire::PythonFrame frame;
        std::memcpy(&frame, record.bytes.data() + sizeof(wire::PythonStack) + i * sizeof frame, sizeof frame);
        text += (i > 0 ? " < " : "") + codes[frame.code] + ":" + std::to_string(frame.line);
      }
      stacks.push_back(text);
    }
    return stacks;
  }
};

TEST_P(PythonOnCalls, EachCallHasTheFramesOfItsThread) {
  TestSession session("trace=cuda\ncupti=" + kMock + "\npython-stacks=1\ncuda-stacks-kernel=0\n");
  const Stream stream = run(session, kScript, 100);  // whose stacks fit into the ring, however late it is emptied
  EXPECT_EQ(stream.messages(), "");
  EXPECT_EQ(stream.count(RecordType::kApi, "cudaLaunchKernel_v7000"), 123u);
  EXPECT_THAT(stream.fact("python-runtime." + stream.fact("pid")), HasSubstr("+"));
  const std::vector<std::string> stacks = stacksOf(stream);
  ASSERT_EQ(stacks.size(), 123u);
  const std::string forward = GetParam().minor >= 11 ? "Model.forward" : "forward";
  const std::string train = forward + ":7 < sort_key:9 < train:13 < ";
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stacks[i], train + "<module>:20");
  std::size_t ofWorker = 0, made = 0;
  for (std::size_t i = 100; i < stacks.size(); ++i) {
    ofWorker += stacks[i].find(train) == 0 && stacks[i].find("run:") != std::string::npos ? 1 : 0;
    made += stacks[i].starts_with("made_") ? 1 : 0;
  }
  EXPECT_EQ(ofWorker, 3u);
  EXPECT_EQ(made, 20u);
  EXPECT_EQ(stream.count(RecordType::kStackCopy), 123u);
  EXPECT_GT(stream.count(RecordType::kModule), 0u);
}

TEST_P(PythonOnCalls, ThatAreShorterThanAskedForHaveNone) {
  TestSession session("trace=cuda\ncupti=" + kMock + "\npython-stacks=1\ncuda-stacks-kernel=4000000000\n");
  const Stream stream = run(session, kScript, 10);
  EXPECT_EQ(stream.count(RecordType::kPythonStack), 0u);
  EXPECT_EQ(stream.count(RecordType::kStackCopy), 0u);
}

TEST_P(PythonOnCalls, AForkedChildGoesOnUnharmed) {
  TestSession session("trace=cuda\ncupti=" + kMock + "\npython-stacks=1\ncuda-stacks-kernel=0\n");
  const std::string script = kScript + R"py(
child = os.fork()
if child == 0:
    train(5)
    sys.exit(0)
sys.exit(os.waitpid(child, 0)[1])
)py";
  EXPECT_EQ(session.run({GetParam().path, "-c", script, kMock, "5"}), 0);
  std::size_t stacks = 0;
  for (const Stream& stream : session.streams()) {
    stacks += stacksOf(stream).size();
    EXPECT_FALSE(stream.missesText);
  }
  EXPECT_GE(stacks, 28u);
}

std::string nameOf(const testing::TestParamInfo<Interpreter>& info) { return "3_" + std::to_string(info.param.minor); }
INSTANTIATE_TEST_SUITE_P(Interpreters, PythonOnCalls, testing::ValuesIn(interpreters()), nameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PythonOnCalls);

}  // namespace
}  // namespace lanescope::test
