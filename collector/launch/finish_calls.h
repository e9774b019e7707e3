// SPDX-License-Identifier: Apache-2.0
// What threads of a process did as rows: CUDA calls, overhead, compilation. A driver call inside a runtime call of its
// thread is left out unless all were asked for; records come when a call returns, so the inner ones stand first.
// Their stacks stand behind them in the ring.
// Holds at most 4096 driver calls a thread. Private to finish*.cpp.
#pragma once

#include <unordered_map>
#include <vector>

#include "collector/launch/finish_cuda_stacks.h"

namespace lanescope::launch {

class CallRows {
 public:
  CallRows(Process& process, report::Writer& writer, CudaStacks& stacks, bool allCalls)
      : process_(process), writer_(writer), stacks_(stacks), allCalls_(allCalls) {}

  /// True if it was a record of this kind.
  bool take(const Chunk& chunk, const Record& record);
  void finish();

 private:
  static constexpr std::size_t kMostHeld = 4096;
  using Held = std::vector<report::ApiCallRow>;

  /// A call whose stack may stand behind it in its ring.
  struct Waiting {
    report::ApiCallRow row;
    std::uint32_t tid = 0;
    trace::Ns time = 0;  ///< its end, by CLOCK_MONOTONIC
    std::vector<wire::PythonFrame> python = {};
  };
  void api(const Chunk& chunk, const Record& record);
  bool stack(const Chunk& chunk, const Record& record);
  void release(std::uint32_t slot, const Record* copy = nullptr);
  void settle(const report::ApiCallRow& row, std::uint32_t tid);
  void overhead(const Chunk& chunk, const Record& record);
  void jit(const Chunk& chunk, const Record& record);
  report::Id nameOf(const wire::Api& call);
  void write(const report::ApiCallRow& row);
  void write(Held& held, std::size_t count);

  Process& process_;
  report::Writer& writer_;
  CudaStacks& stacks_;
  bool allCalls_;
  std::unordered_map<std::uint32_t, Waiting> waiting_;  ///< by slot
  std::unordered_map<std::uint32_t, Held> driverCalls_;  ///< by thread, until a runtime call around them may be seen
  std::unordered_map<std::uint64_t, report::Id> unnamed_;
};

}  // namespace lanescope::launch
