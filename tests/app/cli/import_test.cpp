// SPDX-License-Identifier: Apache-2.0
// Other tools' files as FILE of the commands, and the figures of those that strangers recorded.
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "tests/app/cli/run_program.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;
using testing::HasSubstr;

/// A number, or a text of one: 64-bit sums are texts there. 0 where it is missing.
std::int64_t numberIn(const element& object, std::string_view key) {
  element found;
  if (object[key].get(found)) return 0;
  std::string_view text;
  if (!found.get(text)) return std::stoll(std::string(text));
  return found.get_int64().value_unsafe();
}

/// Microseconds with a fraction, as nanoseconds.
std::int64_t nanoseconds(std::string text) {
  std::size_t point = text.find('.');
  if (point == std::string::npos) point = text.size(), text += '.';
  text.resize(point + 4, '0');
  text.erase(point, 1);
  return std::stoll(text);
}

struct Stranger {
  std::string path, json;
  element expected;
};

class Strangers : public testing::Test {
 protected:
  void SetUp() override {
    LANESCOPE_NEEDS_SHARED();
    ASSERT_FALSE(parser_.load((test::sharedFolder() / "traces/EXPECTED.json").string()).get(all_));
  }

  /// info --json of all files of a folder, but of those that hold nothing we show.
  std::vector<Stranger> told(const std::string& folder) {
    static const std::set<std::string> kNothing = {"O-C22", "O-P12", "O-P13"};
    std::vector<Stranger> files;
    std::string words = "info --json";
    for (const fs::path& path : test::filesIn(test::sharedFolder() / "traces" / folder)) {
      const std::string name = path.filename().string();
      if (kNothing.contains(name.substr(0, 5))) continue;
      files.push_back({folder + "/" + name, {}, {}});
      EXPECT_FALSE(all_[files.back().path]["figures"].get(files.back().expected)) << name;
      words += " '" + path.string() + "'";
    }
    const Outcome done = run(work_, words);
    EXPECT_EQ(done.status, 0) << done.err;
    std::istringstream lines(done.out);
    for (Stranger& file : files) EXPECT_TRUE(std::getline(lines, file.json)) << file.path;
    return files;
  }

  simdjson::dom::parser parser_;
  element all_;
  test::TemporaryFolder work_;
};

element parsed(simdjson::dom::parser& parser, const std::string& json) {
  element root;
  EXPECT_FALSE(parser.parse(json).get(root)) << json;
  return root;
}

void expectSameCopies(const element& info, const element& expected) {
  simdjson::dom::object kinds;
  std::size_t count = 0;
  if (!expected["memcpy"].get(kinds))
    for (const auto& [kind, value] : kinds) {
      ++count;
      simdjson::dom::array got, wanted;
      ASSERT_FALSE(info["memcpy"]["by_kind"][kind].get(got)) << kind;
      ASSERT_FALSE(value.get(wanted));
      for (std::size_t i = 0; i < 3; ++i) {
        std::string_view text;
        const bool isText = !wanted.at(i).get(text);
        EXPECT_EQ(got.at(i).get_int64().value(),
                  isText ? std::stoll(std::string(text)) : wanted.at(i).get_int64().value())
            << kind << " " << i;
      }
    }
  simdjson::dom::object told;
  ASSERT_FALSE(info["memcpy"]["by_kind"].get(told));
  EXPECT_EQ(told.size(), count);
}

TEST_F(Strangers, JsonTracesHaveTheFiguresComputedWithoutUs) {
  for (const char* folder : {"kineto", "chrome"}) {
    for (const Stranger& file : told(folder)) {
      SCOPED_TRACE(file.path);
      simdjson::dom::parser parser;
      const element info = parsed(parser, file.json), &expected = file.expected;
      element any;
      if (expected["n"].get(any)) continue;  // no JSON that its reader takes whole
      EXPECT_EQ(numberIn(info["events"], "count"), numberIn(expected, "n"));
      EXPECT_EQ(numberIn(info["events"], "total_ns"), numberIn(expected, "x_ns"));
      simdjson::dom::object phases, toldPhases;
      ASSERT_FALSE(expected["ph"].get(phases));
      ASSERT_FALSE(info["events"]["by_phase"].get(toldPhases));
      EXPECT_EQ(phases.size(), toldPhases.size());
      for (const auto& [phase, count] : phases)
        EXPECT_EQ(numberIn(info["events"]["by_phase"], phase), count.get_int64().value()) << phase;
      std::string_view first, last;
      simdjson::dom::array span;
      if (!expected["tmin_us"].get(first) && !expected["tmax_us"].get(last)) {
        ASSERT_FALSE(info["span_ns"].get(span));
        EXPECT_EQ(span.at(0).get_int64().value(), nanoseconds(std::string(first)));
        EXPECT_EQ(span.at(1).get_int64().value(), nanoseconds(std::string(last)));
      }
      EXPECT_EQ(numberIn(info["kernels"], "count"), numberIn(expected, "kernels"));
      EXPECT_EQ(numberIn(info["kernels"], "total_ns"), numberIn(expected, "kernel_ns"));
      EXPECT_EQ(numberIn(info["kernels"], "names"), numberIn(expected, "kernel_names"));
      const bool tellsStreams = file.path.find("O-K11") == std::string::npos;  // whose kernels name none
      simdjson::dom::array list;
      if (tellsStreams && !expected["devices"].get(list))
        EXPECT_EQ(numberIn(info, "devices"), static_cast<std::int64_t>(list.size()));
      if (tellsStreams && !expected["nstreams"].error()) {
        EXPECT_EQ(numberIn(info, "streams"), numberIn(expected, "nstreams"));
      }
      if (!expected["memset"].get(list)) {
        EXPECT_EQ(numberIn(info["memset"], "count"), list.at(0).get_int64().value());
        EXPECT_EQ(numberIn(info["memset"], "total_ns"), std::stoll(std::string(list.at(1).get_string().value())));
      }
      expectSameCopies(info, expected);
    }
  }
}

TEST_F(Strangers, NvprofProfilesHaveTheFiguresComputedWithoutUs) {
  for (const Stranger& file : told("nvprof")) {
    SCOPED_TRACE(file.path);
    simdjson::dom::parser parser;
    const element info = parsed(parser, file.json), &expected = file.expected;
    EXPECT_EQ(info["format"].get_string().value(), "nvprof");
    for (const auto& [key, wanted] : {std::pair("processes", "procs"), {"threads", "threads"}, {"streams", "streams"}})
      EXPECT_EQ(numberIn(info, key), numberIn(expected, wanted)) << key;
    EXPECT_EQ(numberIn(info["kernels"], "count"), numberIn(expected, "kernels"));
    EXPECT_EQ(numberIn(info["kernels"], "total_ns"), numberIn(expected, "kernel_ns"));
    EXPECT_EQ(numberIn(info["kernels"], "names"), numberIn(expected, "kernel_names"));
    EXPECT_EQ(numberIn(info["nvtx"], "ranges"), numberIn(expected, "nvtx_ranges"));
    simdjson::dom::array list;
    std::int64_t calls = 0;
    for (const char* family : {"runtime", "driver"})
      if (!expected[family].get(list)) calls += list.at(0).get_int64().value();
    EXPECT_EQ(numberIn(info["cuda_api"], "count"), calls);
    if (!expected["all_devices"].get(list))
      EXPECT_EQ(numberIn(info, "devices"), static_cast<std::int64_t>(list.size()));
    if (!expected["all_span"].get(list)) {
      simdjson::dom::array span;
      ASSERT_FALSE(info["span_ns"].get(span));
      for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(span.at(i).get_int64().value(), list.at(i).get_int64().value());
    }
    if (!expected["memset"].get(list)) {
      EXPECT_EQ(numberIn(info["memset"], "count"), list.at(0).get_int64().value());
      EXPECT_EQ(numberIn(info["memset"], "bytes"), list.at(1).get_int64().value());
      EXPECT_EQ(numberIn(info["memset"], "total_ns"), list.at(2).get_int64().value());
    }
    expectSameCopies(info, expected);
  }
}

TEST_F(Strangers, DatabasesOfRocmHaveTheFiguresComputedWithoutUs) {
  for (const Stranger& file : told("rocm")) {
    SCOPED_TRACE(file.path);
    simdjson::dom::parser parser;
    const element info = parsed(parser, file.json), &expected = file.expected;
    EXPECT_EQ(numberIn(info["kernels"], "count"), numberIn(expected, "kernels"));
    EXPECT_EQ(numberIn(info["kernels"], "total_ns"), numberIn(expected, "kernel_ns"));
    std::int64_t count = 0;
    if (!expected["memcpy"].get(count))  // some of these fill memory
      EXPECT_EQ(numberIn(info["memcpy"], "count") + numberIn(info["memset"], "count"), count);
    if (!expected["kernel_names"].get(count)) EXPECT_EQ(numberIn(info["kernels"], "names"), count);
    if (!expected["streams"].get(count)) EXPECT_EQ(numberIn(info, "streams"), count);
    if (!expected["threads"].get(count)) EXPECT_EQ(numberIn(info, "threads"), count);
  }
}

TEST_F(Strangers, WhatHoldsNothingWeShowEndsWithTwoAndOneLine) {
  for (const char* file :
       {"chrome/O-C22__incomplete-trace.json", "nvprof/O-P12__profile.nvvp", "nvprof/O-P13__output.nvvp"}) {
    const Outcome done = run(work_, "info '" + (test::sharedFolder() / "traces" / file).string() + "'");
    EXPECT_EQ(done.status, 2) << file;
    EXPECT_EQ(std::ranges::count(done.err, '\n'), 1) << done.err;
    EXPECT_THAT(done.err, testing::StartsWith("lanescope: ")) << file;
  }
}

// --- what a user sees of a file that is imported ---------------------------------------------------------------------

class ImportCommand : public testing::Test {
 protected:
  ImportCommand() {
    test::writeFile(folder_ / "trace.json", R"({"schemaVersion": 1, "traceEvents": [
      {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 7, "tid": 7, "ts": 10.5, "dur": 2,
       "args": {"correlation": 5}},
      {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20, "dur": 5.25,
       "args": {"device": 0, "context": 1, "stream": 7, "correlation": 5}},
      {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7, "ts": 10, "dur": 3},
      {"ph": "X", "cat": "cpu_op", "name": "broken", "pid": 7, "tid": 7, "ts": "what", "dur": 3}
    ]})");
  }
  test::TemporaryFolder folder_;
};

TEST_F(ImportCommand, IsCalledByTheNameThatWasTyped) {
  const Outcome info = run(folder_, "info trace.json");
  EXPECT_EQ(info.status, 0) << info.err;
  EXPECT_THAT(info.out, testing::StartsWith("trace.json\n"));
  EXPECT_THAT(info.out, HasSubstr("PyTorch (Kineto) trace"));
  const Outcome strict = run(folder_, "info --strict trace.json");
  EXPECT_EQ(strict.status, 2);
  EXPECT_THAT(strict.err, testing::StartsWith("lanescope: trace.json: "));
}

TEST_F(ImportCommand, EveryCommandWorksOnIt) {
  const Outcome stats = run(folder_, "stats -r cuda_gpu_kern_sum -f csv trace.json");
  EXPECT_EQ(stats.status, 0) << stats.err;
  EXPECT_THAT(stats.out, HasSubstr("gemm"));
  EXPECT_EQ(run(folder_, "analyze trace.json").status, 0);
  EXPECT_EQ(run(folder_, "diff trace.json trace.json").status, 0);
  EXPECT_EQ(run(folder_, "report -o page.html trace.json").status, 0);
  EXPECT_THAT(test::readFile(folder_ / "page.html"), HasSubstr("trace.json"));
  EXPECT_EQ(run(folder_, "export -t sqlite trace.json").status, 0);
  EXPECT_TRUE(fs::exists(folder_ / "trace.sqlite"));
  EXPECT_EQ(run(folder_, "info --json trace.sqlite").out, run(folder_, "info --json trace.json").out);
  EXPECT_EQ(run(folder_, "export -t chrome -o trace.json -f trace.json").status, 2)
      << "would overwrite the trace itself";
}

TEST_F(ImportCommand, TimesMayBeNanoseconds) {
  EXPECT_THAT(run(folder_, "info --json trace.json").out, HasSubstr("\"span_ns\": [10000, 25250]"));
  EXPECT_THAT(run(folder_, "info --json --time-unit ns trace.json").out, HasSubstr("\"span_ns\": [10, 25]"));
  EXPECT_EQ(run(folder_, "info --time-unit hours trace.json").status, 2);
}

TEST_F(ImportCommand, AFolderOfTracesIsOneJob) {
  fs::create_directory(folder_ / "job");
  for (const char* name : {"rank0.json", "rank1.json"}) fs::copy(folder_ / "trace.json", folder_ / "job" / name);
  const Outcome stats = run(folder_, "stats --per-rank -r cuda_gpu_kern_sum -f csv job");
  EXPECT_EQ(stats.status, 0) << stats.err;
  EXPECT_THAT(stats.out, HasSubstr("Rank"));
}

TEST_F(ImportCommand, EmptyButSoundEndsWithZero) {
  for (const char* text : {"[]", "{\"traceEvents\": []}"}) {
    test::writeFile(folder_ / "empty.json", text);
    const Outcome done = run(folder_, "info --json empty.json");
    EXPECT_EQ(done.status, 0) << text << done.err;
    EXPECT_THAT(done.out, HasSubstr("\"events\": {\"count\": 0"));
  }
}

}  // namespace
}  // namespace lanescope::cli
