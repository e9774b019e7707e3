// SPDX-License-Identifier: Apache-2.0
// An address of a server: nothing that ssh could take for an option or a command, and it is written so that it is read
// again.
#include "model/remote/ssh_target.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace lanescope;

void demandHarmless(const Result<remote::SshTarget>& target) {
  if (!target) {
    fuzz::demand(!sentence(target.error()).empty());
    return;
  }
  for (const std::string& part : {target->host, target->user}) {
    fuzz::demand(!part.starts_with('-') && part.find_first_of(" \t\n'\"`$;|&<>\\") == part.npos);
  }
  fuzz::demand(!target->host.empty() && target->port >= 0 && target->port <= 65535);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text(fuzz::lineOf(bytes, size));
  demandHarmless(remote::parseSshHost(text));
  const auto target = remote::parseSshTarget(text);
  demandHarmless(target);
  if (!target) return 0;
  const auto again = remote::parseSshTarget(target->address());
  fuzz::demand(again && *again == *target && !target->place().empty());
  return 0;
}
