// SPDX-License-Identifier: Apache-2.0
#include "model/kept_files.h"

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

#include "model/answers.h"
#include "model/format.h"
#include "model/user_folders.h"

namespace lanescope {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLock = "lock", *kOf = "of", *kPart = "part", *kWhole = "file";

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
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
bool removeUnused(const fs::path& place) {
  const UniqueFd lock = lockIn(place, LOCK_EX);
  std::error_code error;
  if (lock) fs::remove_all(place, error);
  return lock && !error;
}

}  // namespace

void KeptFile::clear() const {
  std::error_code error;
  for (const fs::path& each : placesIn(folder))
    if (each.filename() != kLock && each.filename() != kOf) fs::remove_all(each, error);
}

Result<void> KeptFile::finish() {
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

KeptFiles::KeptFiles(fs::path folder, std::uintmax_t most) : folder_(std::move(folder)), most_(most) {}

fs::path KeptFiles::placeOf(std::string_view of) const { return folder_ / nameFor(of); }

std::optional<KeptFile> KeptFiles::find(const KeptAs& as) const {
  KeptFile kept{.folder = placeOf(as.of)};
  kept.file = kept.folder / kWhole / as.name;
  std::error_code error;
  if (folder_.empty() || contentOf(kept.folder / kOf) != as.of) return std::nullopt;
  if (as.size && (fs::file_size(kept.file, error) != *as.size || error)) return std::nullopt;
  kept.lock = lockIn(kept.folder, LOCK_SH);
  kept.whole = kept.lock && fs::exists(kept.file, error);
  if (!kept.whole) return std::nullopt;
  fs::last_write_time(kept.folder / kOf, fs::file_time_type::clock::now(), error);  // so that it is not the oldest
  return kept;
}

void KeptFiles::leave(KeptFile place) {
  std::error_code error;
  fs::remove_all(place.folder, error);
}

Result<KeptFile> KeptFiles::enter(const KeptAs& as, const std::string& subject, const Job& job) const {
  if (folder_.empty())
    return tl::unexpected(Error{ErrorCode::kWriteFailed, "~/.cache", "there is no home; set XDG_CACHE_HOME"});
  KeptFile kept{.folder = placeOf(as.of)};
  kept.file = kept.folder / kWhole / as.name;
  while (true) {
    if (auto whole = find(as)) return std::move(*whole);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (!error) fs::permissions(folder_, fs::perms::owner_all, error);
    if (!error) makeOurs(kept.folder);
    if (error || !fs::is_directory(kept.folder, error))
      return tl::unexpected(writeError(kept.folder, error ? error.value() : ENOTDIR));
    kept.lock = lockIn(kept.folder, LOCK_EX);
    if (kept.lock) break;
    if (!fs::exists(kept.folder / kLock, error) && errno == ENOSPC)
      return tl::unexpected(writeError(kept.folder, ENOSPC));
    if (job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, subject, ""});
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // flock cannot be waited for beside a stop
  }
  if (contentOf(kept.folder / kOf) == as.of) {
    if (auto whole = find(as)) return std::move(*whole);
    return kept;
  }
  std::error_code error;
  fs::remove(kept.part(), error);
  std::ofstream text(kept.folder / kOf, std::ios::binary | std::ios::trunc);
  text << as.of;
  if (!text.flush()) return tl::unexpected(writeError(kept.folder, errno));
  return kept;
}

std::vector<KeptFiles::Place> KeptFiles::places() const {
  std::vector<Place> places;
  for (fs::path& folder : placesIn(folder_)) {
    std::string of = contentOf(folder / kOf);
    places.push_back({std::move(folder), std::move(of)});
  }
  return places;
}

KeptFiles::Held KeptFiles::drop(const Place& place) const {
  std::error_code error;
  const bool part = fs::exists(place.folder / kPart, error), whole = fs::exists(place.folder / kWhole, error);
  removeUnused(place.folder);
  return {whole, part && !whole};
}

Result<void> KeptFiles::makeRoom(const KeptFile& place, std::uintmax_t bytes) const {
  struct Old {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path folder;
  };
  std::vector<Old> kept;
  std::uintmax_t total = bytes;
  for (const fs::path& each : placesIn(folder_)) {
    if (each == place.folder) continue;
    std::error_code gone;
    kept.push_back({fs::last_write_time(each / kOf, gone), sizeOf(each), each});
    total += kept.back().size;
  }
  std::ranges::sort(kept, {}, &Old::used);
  const auto hasRoom = [&] {
    std::error_code unknown;
    const fs::space_info space = fs::space(folder_, unknown);
    return unknown || space.available >= bytes;
  };
  for (const Old& each : kept) {
    if (total <= most_ && hasRoom()) break;
    if (removeUnused(each.folder)) total -= each.size;
  }
  if (hasRoom()) return {};
  std::error_code unknown;
  return tl::unexpected(Error{ErrorCode::kDiskFull, folder_,
                              fmt::format("the disk is full: {} are needed, {} are free", formatBytes(bytes),
                                          formatBytes(fs::space(folder_, unknown).available))});
}

}  // namespace lanescope
