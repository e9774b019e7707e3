// SPDX-License-Identifier: Apache-2.0
// Python's frames where call stacks become rows: names of codes, stacks that are the same written once, and how they join
// the native stack of the same moment. Private to finish*.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collector/launch/finish_process.h"
#include "model/report/rows_host.h"

namespace lanescope::launch {

/// Names of the codes of one stream.
class PythonCodes {
 public:
  PythonCodes(Process& process, report::Writer& writer) : process_(process), writer_(writer) {}

  struct Names {
    report::Id function = 0, file = 0;
  };
  Names of(std::uint64_t code);

  template <class Row>
  void write(report::Id stack, const wire::PythonFrame& frame, std::int64_t depth) {
    const Names names = of(frame.code);
    writer_.add(Row{.stack = stack,
                    .symbol = names.function,
                    .module = names.file,
                    .address = frame.line,
                    .method = report::kPythonFrame,
                    .depth = depth});
  }

 private:
  Process& process_;
  report::Writer& writer_;
  std::unordered_map<std::uint64_t, Names> names_;
};

/// The frames that follow a PythonStack record, as many as are there.
std::vector<wire::PythonFrame> framesOf(const Record& record);

/// A frame of a joined stack: which of the native or of Python's.
struct JoinedFrame {
  bool isPython = false;
  std::uint32_t index = 0;
  bool operator==(const JoinedFrame&) const = default;
};

/// Both innermost first. Each call of the interpreter's function becomes the frames that it runs: one in 3.9 and 3.10,
/// later as many as called each other within it. Where there are not as many calls as Python has, because the two stacks
/// are of two moments, they agree at the outer end of a complete native stack, else at the inner one; of a complete one
/// nothing is added, of another the outer frames that only Python knows are.
std::vector<JoinedFrame> joinPython(std::span<const char> isInterpreter, bool isComplete,
                                    std::span<const wire::PythonFrame> python);

}  // namespace lanescope::launch
