// SPDX-License-Identifier: Apache-2.0
// Lines of code: the three formats of tables, by hand and against what interpreters say of their own libraries.
#include "collector/python/lines.h"

#include <gmock/gmock.h>

#include <sstream>
#include <vector>

#include "collector/python/code.h"
#include "collector/sample/python_find.h"
#include "collector/sample/python_memory.h"
#include "tests/collector/python/python_program.h"

namespace lanescope {
namespace {

using test::Interpreter;

/// A source of bytes, as the functions under test want it.
auto from(std::vector<int> bytes) {
  return [bytes = std::move(bytes), at = std::size_t{0}]() mutable { return at < bytes.size() ? bytes[at++] : -1; };
}

TEST(PythonLines, OfPairsGoOnWithTheAddress) {
  const std::vector<int> table = {0, 1, 6, 1, 50, 0xFE};  // 10: line 101; 6: 102; 56: 100
  EXPECT_EQ(python::lineOfPairs(from(table), 100, 0), 101);
  EXPECT_EQ(python::lineOfPairs(from(table), 100, 5), 101);
  EXPECT_EQ(python::lineOfPairs(from(table), 100, 6), 102);
  EXPECT_EQ(python::lineOfPairs(from(table), 100, 1000), 100);
  EXPECT_EQ(python::lineOfPairs(from({}), 7, 0), 7);
}

TEST(PythonLines, OfRangesMayBeMissing) {
  const std::vector<int> table = {4, 1, 2, 0x80, 6, 2};
  EXPECT_EQ(python::lineOfRanges(from(table), 10, -1), 10);
  EXPECT_EQ(python::lineOfRanges(from(table), 10, 2), 11);
  EXPECT_EQ(python::lineOfRanges(from(table), 10, 4), python::kNoLine);
  EXPECT_EQ(python::lineOfRanges(from(table), 10, 6), 13);
  EXPECT_EQ(python::lineOfRanges(from(table), 10, 12), python::kNoLine);
}

TEST(PythonLines, OfLocationsHaveEntriesOfSeveralBytes) {
  // One line on, two units, two columns; then none; then by a number of two bytes: -33.
  const std::vector<int> table = {0x80 | 11 << 3 | 1, 3,      4, 0x80 | 15 << 3, 0x80 | 13 << 3,
                                  0x40 | (67 & 0x3F), 67 >> 6};
  EXPECT_EQ(python::lineOfLocations(from(table), 50, -2), 50);
  EXPECT_EQ(python::lineOfLocations(from(table), 50, 2), 51);
  EXPECT_EQ(python::lineOfLocations(from(table), 50, 4), python::kNoLine);
  EXPECT_EQ(python::lineOfLocations(from(table), 50, 6), 51 - 33);
  EXPECT_EQ(python::lineOfLocations(from(table), 50, 8), python::kNoLine);
  EXPECT_EQ(python::lineOfLocations(from({1, 2, 3}), 50, 0), python::kNoLine);
}

class PythonLibraries : public testing::TestWithParam<Interpreter> {};

/// "address step line line …" for each function of some libraries, a line for each so many bytes, -1 where there is none.
constexpr const char* kTellLines = R"py(
import argparse, ast, asyncio.base_events, ctypes, dataclasses, decimal, difflib, inspect, json.decoder, logging, pickle
import subprocess, sys, tarfile, textwrap, threading, types, typing, unittest.mock
line_of = ctypes.pythonapi.PyCode_Addr2Line
line_of.argtypes = [ctypes.py_object, ctypes.c_int]
done = set()
def tell(code):
    if id(code) in done:
        return
    done.add(id(code))
    step = 2 * (1 + len(code.co_code) // 100)
    print(id(code), step, *[line_of(code, at) for at in range(0, len(code.co_code), step)])
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            tell(constant)
for module in list(sys.modules.values()):
    for thing in list(vars(module).values()):
        if isinstance(thing, types.FunctionType):
            tell(thing.__code__)
        if isinstance(thing, type):
            for member in list(vars(thing).values()):
                if isinstance(member, types.FunctionType):
                    tell(member.__code__)
print('', flush=True)
sys.stdin.readline()
)py";

TEST_P(PythonLibraries, HaveTheLinesThatTheInterpreterSays) {
  test::PythonProgram program(GetParam(), kTellLines);
  sample::PythonFiles files;
  sample::ProcessMemory remote(program.process());
  python::Python python;
  std::size_t codes = 0, wrong = 0;
  for (std::string line = program.hear(); !line.empty(); line = program.hear()) {
    if (codes++ == 0) {
      const auto found = files.find(program.process());
      ASSERT_TRUE(found);
      ASSERT_EQ(found->minor, GetParam().minor);
      python = {.layout = {}, .runtime = found->runtime, .codeType = found->codeType};
      ASSERT_EQ(python::findLayout(remote.direct(), found->runtime, found->minor, python.layout), python::Refusal::kNo);
    }
    std::istringstream words(line);
    python::Address address = 0;
    std::int32_t step = 0;
    words >> address >> step;
    python::Code code;
    ASSERT_TRUE(python::readCode(remote.direct(), python, address, code)) << line;
    python::Frame frame;
    frame.at = 0;
    for (int expected = 0; words >> expected; frame.at += step) {
      const std::int32_t read = python::readLine(remote.direct(), python, code, frame);
      if (read == std::max(expected, 0)) continue;
      ADD_FAILURE() << "code at line " << code.firstLine << ", byte " << frame.at << ": " << read << ", not "
                    << expected;
      if (++wrong > 10) return;
    }
  }
  EXPECT_GT(codes, 1000u);
}

std::string nameOf(const testing::TestParamInfo<Interpreter>& info) { return "3_" + std::to_string(info.param.minor); }
INSTANTIATE_TEST_SUITE_P(Interpreters, PythonLibraries, testing::ValuesIn(test::interpreters()), nameOf);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(PythonLibraries);

}  // namespace
}  // namespace lanescope
