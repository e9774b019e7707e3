// SPDX-License-Identifier: Apache-2.0
// Makes small reports in the Nsight Systems dialect from readable rows, in the notation of the case collection:
//
//   const auto file = ReportBuilder(folder / "a.sqlite")
//                         .add(R{.start = 0, .end = 5, .correlation = 7})
//                         .add(K{.start = 10, .end = 20, .correlation = 7, .name = "gemm"})
//                         .write();
//
// Tables appear with their first row, with the catalogue's columns. sql() is the way to anything odd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

struct sqlite3;

namespace lanescope::test {

constexpr std::int64_t gpid(std::int64_t pid) { return pid << 24; }
constexpr std::int64_t gtid(std::int64_t pid, std::int64_t tid) { return pid << 24 | tid; }

struct K {  ///< a kernel
  std::int64_t start = 0, end = 0;
  std::int64_t device = 0, context = 1, stream = 7, correlation = 0;
  std::int64_t process = gpid(1);
  std::string name = "kernel";  ///< demangled; up to the first of "<(" also the short name
  std::optional<std::int64_t> graphNode = {}, graph = {};
  std::int64_t gridX = 1, blockX = 1;
};

struct R {  ///< a call of the CUDA runtime (or driver: eventClass 1)
  std::int64_t start = 0, end = 0;
  std::int64_t thread = gtid(1, 1);
  std::int64_t correlation = 0;
  std::string name = "cudaLaunchKernel_v7000";
  std::int64_t returnValue = 0, eventClass = 0;
};

struct M {  ///< a copy
  std::int64_t start = 0, end = 0;
  std::int64_t device = 0, context = 1, stream = 7, correlation = 0;
  std::int64_t process = gpid(1);
  std::int64_t kind = 1, bytes = 0;
  std::optional<std::int64_t> source = {}, destination = {};  ///< memory kinds
};

struct Set {  ///< a memset
  std::int64_t start = 0, end = 0;
  std::int64_t device = 0, context = 1, stream = 7, correlation = 0;
  std::int64_t process = gpid(1);
  std::int64_t value = 0, bytes = 0;
};

struct Sync {
  std::int64_t start = 0, end = 0;
  std::int64_t device = 0, context = 1, stream = 7, correlation = 0;
  std::int64_t process = gpid(1);
  std::int64_t type = 3, event = 0;
};

struct G {  ///< the launch of a graph recorded as a whole
  std::int64_t start = 0, end = 0;
  std::int64_t device = 0, context = 1, stream = 7, correlation = 0;
  std::int64_t process = gpid(1);
  std::int64_t graph = 1, exec = 1;
};

struct N {  ///< an NVTX row: 59 push/pop, 60 start/end, 34 mark, 75 domain, 33 category, 39 thread name
  std::int64_t start = 0;
  std::optional<std::int64_t> end = {};
  std::int64_t type = 59;
  std::int64_t thread = gtid(1, 1);
  std::optional<std::int64_t> endThread = {};
  std::optional<std::string> text = {};
  std::optional<std::int64_t> textId = {}, rangeId = {};
  std::optional<std::int64_t> domain = 0, category = {}, color = {};
};

struct O {  ///< a call into the OS runtime
  std::int64_t start = 0, end = 0;
  std::int64_t thread = gtid(1, 1);
  std::string name = "poll";
  std::int64_t returnValue = 0;
};

struct F {  ///< a frame of a call stack; with a line one of Python, whose module is its source file
  std::string symbol, module = "/usr/lib/libc.so.6";
  std::int64_t line = 0;
  std::optional<std::int64_t> method = {};  ///< how it was found, where it has no line
};

class ReportBuilder {
 public:
  using Value = std::variant<std::nullptr_t, std::int64_t, double, std::string, std::optional<std::int64_t>,
                             std::optional<std::string>>;
  using Values = std::initializer_list<std::pair<const char*, Value>>;

  /// An existing file is replaced.
  explicit ReportBuilder(std::filesystem::path file);
  ~ReportBuilder();
  ReportBuilder(const ReportBuilder&) = delete;
  ReportBuilder& operator=(const ReportBuilder&) = delete;

  ReportBuilder& add(const K& row);
  ReportBuilder& add(const R& row);
  ReportBuilder& add(const M& row);
  ReportBuilder& add(const Set& row);
  ReportBuilder& add(const Sync& row);
  ReportBuilder& add(const G& row);
  ReportBuilder& add(const N& row);
  ReportBuilder& add(const O& row);

  /// Any row of any table of the catalogue; columns left out are NULL, or 0 or '' where NULL is not allowed.
  ReportBuilder& insert(const char* table, Values values);

  /// Frames of one of the tables of call stacks.
  ReportBuilder& stack(const char* table, std::int64_t id, std::initializer_list<F> innermostFirst);

  ReportBuilder& thread(std::int64_t globalTid, const std::string& name);
  ReportBuilder& process(std::int64_t globalPid, const std::string& name);
  ReportBuilder& string(std::int64_t id, const std::string& text);  ///< an id of your own choice
  ReportBuilder& sql(const std::string& statements);

  /// The id of a string in StringIds, added if it is new.
  std::int64_t id(const std::string& text);

  /// Finishes the file and returns its path; the builder is spent.
  std::filesystem::path write();

 private:
  std::filesystem::path file_;
  sqlite3* database_ = nullptr;
  std::map<std::string, std::int64_t> strings_;
  std::int64_t nextString_ = 1000;
};

}  // namespace lanescope::test
