// SPDX-License-Identifier: Apache-2.0
#include "model/remote/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "model/format.h"
#include "model/user_folders.h"

namespace lanescope::remote {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLock = "lock", *kOf = "of", *kPart = "part", *kWhole = "file";

std::string textOf(const Identity& identity) {
  return packed({identity.target.address(), std::to_string(identity.facts.size), std::to_string(identity.facts.time),
                 identity.content});
}

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string addressIn(const fs::path& place) {
  const auto texts = unpacked(contentOf(place / kOf));
  return texts && !texts->empty() ? texts->front() : "";
}

/// Locked, and still the file that it is the lock of; none if somebody else has it.
UniqueFd lockIn(const fs::path& place, int how) {
  UniqueFd lock(open((place / kLock).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  struct stat held{}, there{};
  if (!lock || flock(lock.get(), how | LOCK_NB) != 0 || fstat(lock.get(), &held) != 0 ||
      stat((place / kLock).c_str(), &there) != 0 || held.st_ino != there.st_ino)
    return UniqueFd();
  return lock;
}

std::uintmax_t sizeOf(const fs::path& place) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    struct stat found{};
    if (entry->is_regular_file(gone) && stat(entry->path().c_str(), &found) == 0)
      bytes += static_cast<std::uintmax_t>(found.st_blocks) * 512;  // a part may have holes
  }
  return bytes;
}

std::vector<fs::path> placesIn(const fs::path& folder) {
  std::vector<fs::path> places;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) places.push_back(entry.path());
  return places;
}

/// False while somebody uses it.
bool drop(const fs::path& place) {
  const UniqueFd lock = lockIn(place, LOCK_EX);
  std::error_code error;
  if (lock) fs::remove_all(place, error);
  return lock && !error;
}

}  // namespace

Result<void> Copy::finish() {
  const UniqueFd opened(open(part().c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened || fsync(opened.get()) != 0) return tl::unexpected(writeError(part(), errno));
  std::error_code error;
  fs::create_directory(file.parent_path(), error);
  if (!error) fs::rename(part(), file, error);
  if (error) return tl::unexpected(writeError(file, error.value()));
  whole = true;
  if (flock(lock.get(), LOCK_SH) != 0) return tl::unexpected(writeError(file, errno));
  return {};
}

RemoteCache::RemoteCache(fs::path folder, std::uintmax_t most)
    : folder_(folder.empty() ? cacheFolder("remote") : std::move(folder)), most_(most) {}

fs::path RemoteCache::placeOf(const Identity& identity) const { return folder_ / nameFor(textOf(identity)); }

std::optional<Copy> RemoteCache::find(const Identity& identity) const {
  Copy copy{.folder = placeOf(identity)};
  copy.file = copy.folder / kWhole / identity.target.fileName();
  std::error_code error;
  if (folder_.empty() || contentOf(copy.folder / kOf) != textOf(identity) ||
      fs::file_size(copy.file, error) != identity.facts.size || error)
    return std::nullopt;
  copy.lock = lockIn(copy.folder, LOCK_SH);
  copy.whole = copy.lock && fs::exists(copy.file, error);
  if (!copy.whole) return std::nullopt;
  fs::last_write_time(copy.folder / kOf, fs::file_time_type::clock::now(), error);  // so that it is not the oldest
  return copy;
}

Result<Copy> RemoteCache::enter(const Identity& identity, const Job& job) const {
  if (folder_.empty())
    return tl::unexpected(Error{ErrorCode::kWriteFailed, "~/.cache", "there is no home; set XDG_CACHE_HOME"});
  Copy copy{.folder = placeOf(identity)};
  copy.file = copy.folder / kWhole / identity.target.fileName();
  while (true) {
    if (auto whole = find(identity)) return std::move(*whole);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (!error) fs::permissions(folder_, fs::perms::owner_all, error);
    if (!error) makeOurs(copy.folder);
    if (error || !fs::is_directory(copy.folder, error))
      return tl::unexpected(writeError(copy.folder, error ? error.value() : ENOTDIR));
    copy.lock = lockIn(copy.folder, LOCK_EX);
    if (copy.lock) break;
    if (!fs::exists(copy.folder / kLock, error) && errno == ENOSPC)
      return tl::unexpected(writeError(copy.folder, ENOSPC));
    if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, identity.target.address(), ""});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // flock cannot be waited for beside a stop
  }
  if (contentOf(copy.folder / kOf) == textOf(identity)) {
    if (auto whole = find(identity)) return std::move(*whole);
    return copy;
  }
  std::error_code error;
  fs::remove(copy.part(), error);
  std::ofstream of(copy.folder / kOf, std::ios::binary | std::ios::trunc);
  of << textOf(identity);
  if (!of.flush()) return tl::unexpected(writeError(copy.folder, errno));
  return copy;
}

RemoteCache::Others RemoteCache::dropOthers(const Identity& identity) const {
  Others others;
  for (const fs::path& place : placesIn(folder_)) {
    if (place == placeOf(identity) || addressIn(place) != identity.target.address()) continue;
    std::error_code error;
    const bool part = fs::exists(place / kPart, error), whole = fs::exists(place / kWhole, error);
    drop(place);
    others.part |= part && !whole;
    others.whole |= whole;
  }
  return others;
}

Result<void> RemoteCache::makeRoom(const Copy& copy, std::uintmax_t bytes) const {
  struct Kept {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path place;
  };
  std::vector<Kept> kept;
  std::uintmax_t total = bytes;
  for (const fs::path& place : placesIn(folder_)) {
    if (place == copy.folder) continue;
    std::error_code gone;
    kept.push_back({fs::last_write_time(place / kOf, gone), sizeOf(place), place});
    total += kept.back().size;
  }
  std::ranges::sort(kept, {}, &Kept::used);
  const auto hasRoom = [&] {
    std::error_code unknown;
    const fs::space_info space = fs::space(folder_, unknown);
    return unknown || space.available >= bytes;
  };
  for (const Kept& each : kept) {
    if (total <= most_ && hasRoom()) break;
    if (drop(each.place)) total -= each.size;
  }
  if (hasRoom()) return {};
  std::error_code unknown;
  return tl::unexpected(Error{ErrorCode::kDiskFull, folder_,
                              fmt::format("the disk is full: {} are needed, {} are free", formatBytes(bytes),
                                          formatBytes(fs::space(folder_, unknown).available))});
}

}  // namespace lanescope::remote
