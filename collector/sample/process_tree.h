// SPDX-License-Identifier: Apache-2.0
// The processes that descend from one, found in /proc, again and again. A process once found stays of the tree until it
// is gone, whoever becomes its parent. A look costs about a microsecond a process of the machine and twenty for each new
// one. One thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::sample {

class ProcessTree {
 public:
  explicit ProcessTree(pid_t root, std::string proc = "/proc") : root_(root), proc_(std::move(proc)) {}

  /// All that live now, without the root itself.
  std::vector<pid_t> look();

 private:
  struct Known {
    bool isOurs = false;
    std::uint32_t seen = 0;  ///< at which look
  };
  /// 0: it is gone.
  pid_t parentOf(pid_t process) const;
  bool isOurs(pid_t process, int depth);

  pid_t root_;
  std::string proc_;
  std::uint32_t look_ = 0;
  std::unordered_map<pid_t, Known> known_;
};

}  // namespace lanescope::sample
