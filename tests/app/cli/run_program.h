// SPDX-License-Identifier: Apache-2.0
// Runs the built program in a folder: exit status, and what stands on which stream.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/support/files.h"

namespace lanescope::cli {

struct Outcome {
  int status = -1;
  std::string out, err;
};

/// `redirect` is the shell's, for another place than the outcome; `before` what the shell does first.
inline Outcome run(const test::TemporaryFolder& folder, const std::string& arguments,
                   const std::string& redirect = " >.out", const std::string& before = "") {
  const std::string command = "cd '" + folder.path().string() +
                              "' && XDG_CACHE_HOME=\"${XDG_CACHE_HOME:-$PWD/.cache}\" && export XDG_CACHE_HOME && " +
                              before + "'" LANESCOPE_PROGRAM "' " + arguments + redirect + " 2>.err";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, test::readFile(folder / ".out"),
          test::readFile(folder / ".err")};
}

}  // namespace lanescope::cli
