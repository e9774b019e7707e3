// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print.h"

#include <cerrno>
#include <cstdio>

#include "app/cli/commands.h"

namespace lanescope::cli {
namespace {

int firstError = 0;  // errno of the first write that failed

}  // namespace

void put(std::string_view text) {
  if (text.empty() || firstError != 0) return;  // no text may have no address
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) firstError = errno;
}

int finishOutput() {
  if (firstError == 0 && std::fflush(stdout) != 0) firstError = errno;
  if (firstError == 0) return 0;
  return complain({firstError == ENOSPC ? ErrorCode::kDiskFull : ErrorCode::kWriteFailed, "standard output", {}});
}

}  // namespace lanescope::cli
