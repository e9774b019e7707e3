// SPDX-License-Identifier: Apache-2.0
#include "tests/collector/python/python_program.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>

namespace lanescope::test {

namespace fs = std::filesystem;

std::vector<Interpreter> interpreters() {
  std::map<unsigned, std::string> found;
  std::vector<fs::path> places = {"/usr"};
  std::error_code ignored;
  if (const char* home = std::getenv("HOME")) {
    for (const auto& version : fs::directory_iterator(fs::path(home) / ".pyenv/versions", ignored)) {
      places.push_back(version.path());
    }
  }
  constexpr unsigned kFirst = 9, kLast = 13;
  for (unsigned minor = kFirst; minor <= kLast; ++minor) {
    for (const fs::path& place : places) {
      const fs::path path = place / ("bin/python3." + std::to_string(minor));
      if (access(path.c_str(), X_OK) == 0) found.emplace(minor, path);
    }
  }
  std::vector<Interpreter> all;
  for (const auto& [minor, path] : found) all.push_back({path, minor});
  return all;
}

PythonProgram::PythonProgram(const Interpreter& interpreter, const std::string& script,
                             const std::vector<std::string>& words) {
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) abort();
  std::vector<const char*> arguments = {interpreter.path.c_str(), "-c", script.c_str()};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execv(interpreter.path.c_str(), const_cast<char**>(arguments.data()));
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = fdopen(in[1], "w");
  from_ = fdopen(out[0], "r");
}

PythonProgram::~PythonProgram() {
  fclose(to_);
  fclose(from_);
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void PythonProgram::say(const std::string& line) {
  fputs((line + "\n").c_str(), to_);
  fflush(to_);
}

std::string PythonProgram::hear() {
  std::string line;
  for (int character = fgetc(from_); character != EOF && character != '\n'; character = fgetc(from_)) {
    line += static_cast<char>(character);
  }
  return line;
}

}  // namespace lanescope::test
