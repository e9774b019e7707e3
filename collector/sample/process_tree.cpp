// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace lanescope::sample {

pid_t ProcessTree::parentOf(pid_t process) const {
  const int file = open((proc_ + "/" + std::to_string(process) + "/stat").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  text[count > 0 ? count : 0] = 0;
  // "PID (NAME) STATE PARENT …", where the name may hold anything.
  const char* const name = std::strrchr(text, ')');
  return name && std::strlen(name) > 4 ? std::atoi(name + 4) : 0;
}

bool ProcessTree::isOurs(pid_t process, int depth) {
  if (process == root_) return true;
  constexpr int kDeepest = 64;
  if (process <= 1 || depth > kDeepest) return false;
  const auto found = known_.find(process);
  if (found != known_.end()) {
    found->second.seen = look_;
    return found->second.isOurs;
  }
  const bool ours = isOurs(parentOf(process), depth + 1);
  known_[process] = {ours, look_};
  return ours;
}

std::vector<pid_t> ProcessTree::look() {
  std::vector<pid_t> all;
  DIR* const folder = opendir(proc_.c_str());
  if (!folder) return all;
  ++look_;
  while (const dirent* entry = readdir(folder)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process > 0 && process != root_ && isOurs(process, 0)) all.push_back(process);
  }
  closedir(folder);
  std::erase_if(known_, [this](const auto& entry) { return entry.second.seen != look_; });
  return all;
}

}  // namespace lanescope::sample
