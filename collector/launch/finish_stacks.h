// SPDX-License-Identifier: Apache-2.0
// Call stacks as rows of any CALLCHAINS table: one set of modules, rules and symbols for all who write stacks of a report.
// A frame that was seen before costs a look-up and a row. Private to finish*.cpp.
#pragma once

#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collector/launch/fact_lines.h"
#include "collector/launch/python_stacks.h"
#include "collector/unwind/modules.h"
#include "collector/unwind/symbols.h"
#include "collector/unwind/unwinder.h"
#include "model/report/rows_host.h"
#include "model/report/writer.h"

namespace lanescope::launch {

/// Of the recorder itself, whose frames stand before those of the program.
bool isOurs(const unwind::Mapping* mapping);

/// What the recorder in a process saw loaded.
unwind::AddressSpace loadedInto(Process& process);

class StackNames {
 public:
  /// `options` of the recording: whether names are wanted, and where debug files lie.
  StackNames(report::Writer& writer, const FactLines& options);

  unwind::Modules& modules() { return modules_; }
  unwind::Unwinder& unwinder() { return unwinder_; }
  unwind::Symbols& symbols() { return symbols_; }

  /// A row of `Row` for each frame, innermost first. `from`: the depth of the first.
  template <class Row>
  void write(report::Id stack, const unwind::AddressSpace& space, std::span<const unwind::Frame> frames, trace::Ns time,
             std::int64_t from = 0) {
    for (const unwind::Frame& frame : frames) {
      const Names names = namesOf(space, frame, time);
      writer_.add(Row{.stack = stack,
                      .symbol = names.symbol,
                      .module = names.module,
                      .kernelMode = names.isKernel,
                      .unresolved = !names.isResolved,
                      .address = static_cast<std::int64_t>(frame.address),
                      .method = static_cast<report::Id>(frame.method),
                      .depth = from++});
    }
  }

  /// The same with Python's frames in the place of the interpreter's.
  template <class Row>
  void writeJoined(report::Id stack, const unwind::AddressSpace& space, std::span<const unwind::Frame> frames,
                   bool isComplete, trace::Ns time, std::span<const wire::PythonFrame> python, PythonCodes& codes) {
    std::vector<char> isInterpreter;
    isInterpreter.reserve(frames.size());
    for (const unwind::Frame& frame : frames)
      isInterpreter.push_back(namesOf(space, frame, time).isInterpreter ? 1 : 0);
    std::int64_t depth = 0;
    for (const JoinedFrame& joined : joinPython(isInterpreter, isComplete, python)) {
      if (joined.isPython) codes.write<Row>(stack, python[joined.index], depth++);
      else write<Row>(stack, space, frames.subspan(joined.index, 1), time, depth++);
    }
  }

 private:
  struct Names {
    report::Id symbol = 0, module = 0;
    bool isResolved = false, isKernel = false;
    bool isInterpreter = false;  ///< CPython's function that runs Python
  };
  Names namesOf(const unwind::AddressSpace& space, const unwind::Frame& frame, trace::Ns time);

  report::Writer& writer_;
  unwind::Modules modules_;
  unwind::Unwinder unwinder_{modules_};
  unwind::Symbols symbols_;
  std::unordered_map<std::uint64_t, Names> known_;  ///< by Place::number
  std::set<std::pair<report::Id, std::string>> builds_;  ///< that were written
};

}  // namespace lanescope::launch
