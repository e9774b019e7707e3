// SPDX-License-Identifier: Apache-2.0
#include "model/import/global_ids.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "model/trace/ids.h"

namespace lanescope::imported {
namespace {

/// Numbers of 24 bits for some that want one.
class Numbers {
 public:
  /// The number itself, if it may be had.
  std::optional<std::int64_t> own(const Identity& id) {
    if (!id.text.empty() || id.number < 0 || id.number > trace::kThreadBits || !taken_.insert(id.number).second)
      return std::nullopt;
    return id.number;
  }

  /// Any; from the top, as Linux gives numbers of at most 22 bits. After all own ones.
  std::int64_t any() {
    while (next_ > 0 && !taken_.insert(next_).second) --next_;
    return next_;
  }

 private:
  std::unordered_set<std::int64_t> taken_;
  std::int64_t next_ = trace::kThreadBits;
};

}  // namespace

GlobalIds globalIdsOf(const Recording& recording) {
  GlobalIds ids;
  Numbers pids;
  std::vector<std::optional<std::int64_t>> own;
  own.reserve(std::max(recording.processes.size(), recording.threads.size()));
  ids.processes.reserve(recording.processes.size());
  ids.threads.reserve(recording.threads.size());
  for (const Process& process : recording.processes) own.push_back(pids.own(process.id));
  for (const std::optional<std::int64_t>& pid : own) ids.processes.push_back((pid ? *pid : pids.any()) << 24);

  std::vector<Numbers> tids(recording.processes.size());
  own.clear();
  for (const Thread& thread : recording.threads) own.push_back(tids[thread.process].own(thread.id));
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::uint32_t process = recording.threads[i].process;
    ids.threads.push_back(ids.processes[process] | (own[i] ? *own[i] : tids[process].any()));
  }
  return ids;
}

std::string nameOf(const Identity& id, const std::string& name) {
  if (id.text.empty() || id.text == name) return name;
  return name.empty() ? id.text : name + " · " + id.text;
}

}  // namespace lanescope::imported
