// SPDX-License-Identifier: Apache-2.0
// A file as ~/.ssh/config that may include itself: hosts, each once, none that could be taken for an option. Other
// folders are left alone.
#include <algorithm>

#include "model/remote/config_hosts.h"
#include "model/remote/ssh_target.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace lanescope;
  const std::string_view text = fuzz::textOf(bytes, size);
  if (text.find_first_of("/~") != text.npos) return 0;
  static const fuzz::Scratch scratch;
  std::vector<std::string> hosts = remote::hostsIn(scratch.holding("config", text));
  fuzz::demand(hosts.size() <= 1000);
  for (const std::string& host : hosts) fuzz::demand(remote::whyNoHost(host).empty());
  std::ranges::sort(hosts);
  fuzz::demand(std::ranges::adjacent_find(hosts) == hosts.end());
  return 0;
}
