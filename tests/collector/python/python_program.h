// SPDX-License-Identifier: Apache-2.0
// Interpreters of this machine and programs that run in them, talked to line by line.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

namespace lanescope::test {

struct Interpreter {
  std::string path;
  unsigned minor = 0;  ///< of 3.x
};

/// For the name of a test, which is to be the same on each run.
inline void PrintTo(const Interpreter& interpreter, std::ostream* out) { *out << "3." << interpreter.minor; }

/// One of each version from 3.9 to 3.13 that is here: pyenv's and the system's.
std::vector<Interpreter> interpreters();

class PythonProgram {
 public:
  PythonProgram(const Interpreter& interpreter, const std::string& script, const std::vector<std::string>& words = {});
  ~PythonProgram();
  PythonProgram(const PythonProgram&) = delete;
  PythonProgram& operator=(const PythonProgram&) = delete;

  pid_t process() const { return process_; }
  void say(const std::string& line);
  /// The next line of its output, without its end; empty when it has ended.
  std::string hear();

 private:
  pid_t process_ = 0;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

}  // namespace lanescope::test
