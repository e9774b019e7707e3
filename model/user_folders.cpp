// SPDX-License-Identifier: Apache-2.0
#include "model/user_folders.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace lanescope {

namespace fs = std::filesystem;

fs::path cacheFolder(std::string_view name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return fs::path(cache) / "lanescope" / name;
  const char* home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "lanescope" / name : fs::path();
}

fs::path runtimeFolder(std::string_view name) {
  const char* given = std::getenv("XDG_RUNTIME_DIR");
  if (given && given[0] == '/') return fs::path(given) / name;
  if (const fs::path user = fmt::format("/run/user/{}", geteuid()); isOursAlone(user)) return user / name;
  return fmt::format("/tmp/{}-{}", name, geteuid());
}

bool isOursAlone(const fs::path& folder) {
  struct stat found{};
  return lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid() &&
         (found.st_mode & 077) == 0;
}

bool makeOurs(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder.parent_path(), ignored);
  mkdir(folder.c_str(), 0700);
  return isOursAlone(folder);
}

}  // namespace lanescope
