// SPDX-License-Identifier: Apache-2.0
#include "model/remote/cache.h"

#include <string_view>

#include "model/answers.h"
#include "model/user_folders.h"

namespace lanescope::remote {

namespace fs = std::filesystem;

namespace {

std::string textOf(const Identity& identity) {
  return packed({identity.target.address(), std::to_string(identity.facts.size), std::to_string(identity.facts.time),
                 identity.content});
}

KeptAs asKept(const Identity& identity) {
  return {.of = textOf(identity), .name = identity.target.fileName(), .size = identity.facts.size};
}

std::string addressIn(std::string_view text) {
  const auto texts = unpacked(text);
  return texts && !texts->empty() ? texts->front() : "";
}

}  // namespace

RemoteCache::RemoteCache(fs::path folder, std::uintmax_t most)
    : files_(folder.empty() ? cacheFolder("remote") : std::move(folder), most) {}

std::optional<Copy> RemoteCache::find(const Identity& identity) const { return files_.find(asKept(identity)); }

Result<Copy> RemoteCache::enter(const Identity& identity, const Job& job) const {
  return files_.enter(asKept(identity), identity.target.address(), job);
}

RemoteCache::Others RemoteCache::dropOthers(const Identity& identity) const {
  Others others;
  for (const KeptFiles::Place& place : files_.places()) {
    if (place.of == textOf(identity) || addressIn(place.of) != identity.target.address()) continue;
    const Others held = files_.drop(place);
    others.part |= held.part;
    others.whole |= held.whole;
  }
  return others;
}

}  // namespace lanescope::remote
