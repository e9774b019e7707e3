// SPDX-License-Identifier: Apache-2.0
// What the host did, as rows for the Writer (rows.h): CPU samples and switches, the OS runtime, MPI, Python, libraries.
#pragma once

#include "model/report/rows.h"  // calls of CUDA and the OS runtime

namespace lanescope::report {

/// Frames that are Python's: their module is the source file, their address the line.
inline constexpr std::int64_t kPythonFrame = 100;
/// Of ENUM_STACK_UNWIND_METHOD: only where the processor was, without an unwinder.
inline constexpr std::int64_t kNotUnwound = 0;

/// A frame of a stack; `Table` names which stacks.
template <const char* const& Table>
struct FrameRow {
  static constexpr const char* kTable = Table;
  Id stack = 0, symbol = 0, module = 0;
  bool kernelMode = false, unresolved = false;
  std::int64_t address = 0;
  OptionalId method = {};  ///< ENUM_STACK_UNWIND_METHOD, or kPythonFrame
  std::int64_t depth = 0;  ///< 0 the innermost
  void columns(auto&& column) const {
    column("id", stack), column("symbol", symbol), column("module", module), column("kernelMode", kernelMode);
    column("thumbCode", std::int64_t{0}), column("unresolved", unresolved), column("specialEntry", OptionalId());
    column("originalIP", address), column("unwindMethod", method), column("stackDepth", depth);
  }
};
inline constexpr const char* kSampleStacks = "SAMPLING_CALLCHAINS";
inline constexpr const char* kOsStacks = "OSRT_CALLCHAINS";
inline constexpr const char* kCudaStacks = "CUDA_CALLCHAINS";
inline constexpr const char* kPythonStacks = "LANESCOPE_PYTHON_CALLCHAINS";
using SampleFrameRow = FrameRow<kSampleStacks>;
using OsFrameRow = FrameRow<kOsStacks>;
using CudaFrameRow = FrameRow<kCudaStacks>;
using PythonFrameRow = FrameRow<kPythonStacks>;

struct CpuSampleRow {
  static constexpr const char* kTable = "COMPOSITE_EVENTS";
  Id id = 0;
  std::int64_t start = 0;
  OptionalId cpu = {}, threadState = {}, globalTid = {};
  std::int64_t cycles = 1;  ///< 0: a stack taken for another event, no sample
  void columns(auto&& column) const {
    column("id", id), column("start", start), column("cpu", cpu), column("threadState", threadState);
    column("globalTid", globalTid), column("cpuCycles", cycles);
  }
};

struct SwitchRow {
  static constexpr const char* kTable = "SCHED_EVENTS";
  std::int64_t start = 0, cpu = 0;
  bool in = false;
  OptionalId globalTid = {}, threadState = {}, threadBlock = {};
  void columns(auto&& column) const {
    column("start", start), column("cpu", cpu), column("isSchedIn", in), column("globalTid", globalTid);
    column("threadState", threadState), column("threadBlock", threadBlock);
  }
};

struct ModuleRow {
  static constexpr const char* kTable = "LANESCOPE_MODULES";
  Id module = 0;
  std::string_view buildId = {};
  void columns(auto&& column) const { column("moduleId", module), column("buildId", buildId); }
};

struct OsObjectRow {
  static constexpr const char* kTable = "LANESCOPE_OSRT_OBJECTS";
  Id call = 0;  ///< rowid of OSRT_API
  std::int64_t object = 0;
  OptionalId name = {};
  void columns(auto&& column) const { column("osrtRow", call), column("object", object), column("nameId", name); }
};

struct FileAccessRow {
  static constexpr const char* kTable = "OSRT_FILE_ACCESS_EVENTS";
  Id file = 0;
  Id globalTid = 0;
  std::int64_t start = 0, end = 0;
  std::int64_t type = 0;  ///< ENUM_OSRT_FILE_ACCESS_EVENT_TYPE
  Id call = 0;  ///< rowid of OSRT_API
  std::int64_t bytes = 0;
  void columns(auto&& column) const {
    column("fileAccessId", file), column("threadId", globalTid), column("startedAt", start), column("endedAt", end);
    column("eventType", type), column("apiCallId", call), column("bytesProcessed", bytes);
    column("context", std::string_view());
  }
};
struct FileDescriptorRow {
  static constexpr const char* kTable = "OSRT_FILE_ACCESS_DESCRIPTORS";
  Id file = 0;
  Id globalPid = 0;
  std::int64_t opened = 0, closed = 0;
  std::string_view path = {};
  void columns(auto&& column) const {
    column("fileAccessId", file), column("processId", globalPid), column("openedAt", opened);
    column("closedAt", closed), column("filePath", path);
  }
};

struct ThreadEndRow {
  static constexpr const char* kTable = "LANESCOPE_THREAD_ENDS";
  Id globalTid = 0;
  std::int64_t end = 0;
  void columns(auto&& column) const { column("globalTid", globalTid), column("end", end); }
};

struct GilWaitRow {
  static constexpr const char* kTable = "LANESCOPE_GIL_WAITS";
  std::int64_t start = 0, end = 0;
  Id globalTid = 0;
  void columns(auto&& column) const { column("start", start), column("end", end), column("globalTid", globalTid); }
};
struct PythonSampleRow {
  static constexpr const char* kTable = "LANESCOPE_PYTHON_SAMPLES";
  Id id = 0;
  std::int64_t start = 0;
  Id globalTid = 0;
  OptionalId holdsGil = {}, callchain = {};
  void columns(auto&& column) const {
    column("id", id), column("start", start), column("globalTid", globalTid), column("holdsGil", holdsGil);
    column("callchainId", callchain);
  }
};

struct MpiRankRow {
  static constexpr const char* kTable = "MPI_RANKS";
  Id globalTid = 0;
  std::int64_t rank = 0;
  void columns(auto&& column) const { column("globalTid", globalTid), column("rank", rank); }
};
/// What all kinds of MPI calls have.
struct MpiSpan {
  std::int64_t start = 0;
  OptionalId end = {}, globalTid = {}, text = {};
  void columns(auto&& column) const {
    column("start", start), column("end", end), column("globalTid", globalTid), column("textId", text);
  }
};
struct MpiPointToPointRow {
  static constexpr const char* kTable = "MPI_P2P_EVENTS";
  MpiSpan at = {};
  OptionalId communicator = {}, tag = {}, remoteRank = {}, bytes = {}, request = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("commHandle", communicator), column("tag", tag), column("remoteRank", remoteRank), column("size", bytes);
    column("requestHandle", request);
  }
};
struct MpiCollectiveRow {
  static constexpr const char* kTable = "MPI_COLLECTIVES_EVENTS";
  MpiSpan at = {};
  OptionalId communicator = {}, rootRank = {}, bytes = {}, received = {}, request = {};
  void columns(auto&& column) const {
    at.columns(column);
    column("commHandle", communicator), column("rootRank", rootRank), column("size", bytes);
    column("recvSize", received), column("requestHandle", request);
  }
};
struct MpiStartWaitRow {
  static constexpr const char* kTable = "MPI_START_WAIT_EVENTS";
  MpiSpan at = {};
  OptionalId request = {};
  void columns(auto&& column) const { at.columns(column), column("requestHandle", request); }
};
struct MpiOtherRow {
  static constexpr const char* kTable = "MPI_OTHER_EVENTS";
  MpiSpan at = {};
  OptionalId tag = {};
  void columns(auto&& column) const { at.columns(column), column("tag", tag); }
};

struct CublasRow {
  static constexpr const char* kTable = "CUBLAS_EVENTS";
  CallSpan at{.eventClass = 29, .globalTid = {}};
  Id name = 0;
  void columns(auto&& column) const { at.columns(column), column("nameId", name); }
};
struct CudnnRow {
  static constexpr const char* kTable = "CUDNN_EVENTS";
  CallSpan at{.eventClass = 28, .globalTid = {}};
  Id name = 0;
  void columns(auto&& column) const { at.columns(column), column("nameId", name); }
};

}  // namespace lanescope::report
