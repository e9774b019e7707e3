// SPDX-License-Identifier: Apache-2.0
// Python programs sampled from outside, and what is in the file then.
#include "collector/sample/python_sampler.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <map>
#include <set>

#include "collector/launch/stream_reader.h"
#include "collector/wire/session.h"
#include "tests/collector/python/python_program.h"
#include "tests/support/files.h"

namespace lanescope {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

/// A session folder that records.
class PythonSamples : public testing::TestWithParam<test::Interpreter> {
 protected:
  PythonSamples() {
    const std::string path = (folder_ / "control").string();
    const int file = open(path.c_str(), O_CREAT | O_RDWR, 0600);
    EXPECT_EQ(ftruncate(file, 4096), 0);
    control_ = static_cast<wire::ControlPage*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    set(wire::Capture::kOn);
  }
  ~PythonSamples() override { munmap(control_, 4096); }

  void set(wire::Capture capture) { std::atomic_ref(control_->capture).store(capture); }
  std::uintmax_t written() const {
    std::error_code none;
    const auto size = std::filesystem::file_size(folder_ / "python.samples", none);
    return none ? 0 : size;
  }
  /// Until the program has been seen so long that its samples reach the disk, for so many bytes.
  void waitFor(std::uintmax_t bytes) const {
    for (int i = 0; i < 10'000 && written() < bytes; ++i) usleep(1000);
  }

  struct Sampled {
    std::map<std::string, int> stacks;  ///< "inner < outer", names only
    std::set<std::uint32_t> threads, holders;
  };
  std::map<std::uint32_t, Sampled> read() {
    std::map<std::uint32_t, Sampled> all;
    std::map<std::uint64_t, std::string> texts, codes;
    std::map<std::uint32_t, std::string> last;
    auto input = launch::InputFile::open(folder_ / "python.samples");
    if (!input) return all;
    launch::StreamReader reader(std::move(*input));
    for (launch::Chunk chunk; reader.next(chunk);) {
      if (chunk.header.type == wire::ChunkType::kFacts) facts_ += chunk.records;
      if (chunk.header.type == wire::ChunkType::kEnd) isEnded_ = true;
      if (chunk.header.type != wire::ChunkType::kPython) continue;
      EXPECT_TRUE(launch::forEachRecord(chunk.records, [&](const launch::Record& record) {
        if (record.type == wire::RecordType::kString) {
          texts[record.as<wire::String>().id] = record.behind<wire::String>();
        } else if (record.type == wire::RecordType::kPythonCode) {
          const auto code = record.as<wire::PythonCode>();
          codes[code.id] = texts.at(code.name);
        } else if (record.type == wire::RecordType::kMessage) {
          messages_.push_back(texts.at(record.as<wire::Message>().text));
        } else if (record.type == wire::RecordType::kPythonStack) {
          const auto stack = record.as<wire::PythonStack>();
          std::string text;
          for (std::uint32_t i = 0; i < record.aux; ++i) {
            wire::PythonFrame frame;
            std::memcpy(&frame, record.bytes.data() + sizeof stack + i * sizeof frame, sizeof frame);
            text += (i > 0 ? " < " : "") + codes.at(frame.code);
          }
          if ((stack.cut & wire::kSameFrames) != 0) text = last.at(stack.thread);
          last[stack.thread] = text;
          Sampled& sampled = all[stack.process];
          ++sampled.stacks[text];
          sampled.threads.insert(stack.thread);
          if (stack.holdsGil == 1) sampled.holders.insert(stack.thread);
        }
      }));
    }
    return all;
  }

  test::TemporaryFolder folder_;
  wire::ControlPage* control_ = nullptr;
  std::vector<std::string> messages_;
  std::string facts_;
  bool isEnded_ = false;
};

TEST_P(PythonSamples, HaveTheThreadsByTheirNumbersAndWhoHoldsTheLock) {
  test::PythonProgram program(GetParam(), R"py(
import os, threading
forever = threading.Event()
def spin():
    while True:
        pass
def wait_long():
    forever.wait()
waiting = threading.Thread(target=wait_long, daemon=True)
waiting.start()
print(waiting.native_id, flush=True)
spin()
)py");
  const auto waiting = static_cast<std::uint32_t>(std::stoul(program.hear()));
  sample::PythonSampler sampler({.session = folder_.path().string(), .root = getpid(), .hertz = 1000});
  waitFor(20'000);
  set(wire::Capture::kEnded);
  sampler.finish();
  const auto sampled = read()[static_cast<std::uint32_t>(program.process())];
  EXPECT_TRUE(isEnded_);
  EXPECT_THAT(sampled.threads, testing::ElementsAre(program.process(), waiting));
  EXPECT_THAT(sampled.holders, testing::ElementsAre(program.process()));
  int good = 0, all = 0;
  for (const auto& [stack, count] : sampled.stacks) {
    all += count;
    if (stack == "spin < <module>" || stack.find("wait < wait_long < ") != std::string::npos ||
        stack.find("wait < wait < wait_long") != std::string::npos) {
      good += count;
    }
  }
  EXPECT_GT(good, all * 9 / 10);
}

TEST_P(PythonSamples, AreOfChildrenThatWereForkedOrSpawnedToo) {
  test::PythonProgram program(GetParam(), R"py(
import os, sys, subprocess, threading
def idle_in_child():
    threading.Event().wait()
forked = os.fork()
if forked == 0:
    idle_in_child()
spawned = subprocess.Popen([sys.executable, '-c', 'import threading\ndef in_spawned():\n    threading.Event().wait()\nin_spawned()'])
print(forked, flush=True)
print(spawned.pid, flush=True)
sys.stdin.readline()
spawned.kill()
os.kill(forked, 9)
print('ended', flush=True)
)py");
  const auto forked = static_cast<std::uint32_t>(std::stoul(program.hear()));
  const auto spawned = static_cast<std::uint32_t>(std::stoul(program.hear()));
  sample::PythonSampler sampler({.session = folder_.path().string(), .root = getpid(), .hertz = 200});
  const auto has = [&](std::uint32_t process, const char* name) {
    auto all = read();  // outlives the loop
    for (const auto& [stack, count] : all[process].stacks) {
      if (stack.find(name) != std::string::npos) return true;
    }
    return false;
  };
  bool hasForked = false, hasSpawned = false;
  for (int i = 0; i < 1000 && !(hasForked && hasSpawned); ++i) {
    usleep(50'000);  // each look reads all there is
    hasForked = hasForked || has(forked, "idle_in_child");
    hasSpawned = hasSpawned || has(spawned, "in_spawned");
  }
  EXPECT_TRUE(hasForked);
  EXPECT_TRUE(hasSpawned);
  const auto all = read();
  const auto child = all.find(forked);
  ASSERT_NE(child, all.end());
  EXPECT_THAT(child->second.threads, testing::ElementsAre(forked));
  program.say("end");
  EXPECT_EQ(program.hear(), "ended") << "or its children would stay";
  set(wire::Capture::kEnded);
  sampler.finish();
}

TEST_P(PythonSamples, PauseWithTheRecording) {
  test::PythonProgram program(GetParam(), "import sys\nprint('ready', flush=True)\nsys.stdin.readline()");
  program.hear();
  set(wire::Capture::kWaiting);
  sample::PythonSampler sampler({.session = folder_.path().string(), .root = getpid(), .hertz = 1000});
  for (int i = 0; i < 10'000 && facts_.find("python-runtime.") == std::string::npos; ++i) {
    usleep(1000);
    facts_.clear();
    read();
  }
  for (int i = 0; i < 10'000 && std::atomic_ref(control_->flushed).load() == 0; ++i) {
    std::atomic_ref(control_->flushAsked).fetch_add(1);
    usleep(1000);
  }
  set(wire::Capture::kEnded);
  sampler.finish();
  EXPECT_TRUE(read().empty());
  EXPECT_THAT(facts_, HasSubstr("python-runtime." + std::to_string(program.process()) + "="));
}

std::string nameOf(const testing::TestParamInfo<test::Interpreter>& info) {
  return "3_" + std::to_string(info.param.minor);
}
INSTANTIATE_TEST_SUITE_P(Interpreters, PythonSamples, testing::ValuesIn(test::interpreters()), nameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PythonSamples);

}  // namespace
}  // namespace lanescope
