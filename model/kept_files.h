// SPDX-License-Identifier: Apache-2.0
// Files that took long to get or to make, under the user's cache folder, each in a place of its own that is named after
// what the file is of. Bounded: those used longest ago go first, but none that somebody uses. What is on its way lies
// apart under "part", where it survives who made it; under its name a file is whole.
//
// Any number of processes: each place has a lock, exclusive for who fills or removes it, shared for who uses it, held as
// long as the object lives and gone with its process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/error.h"
#include "model/job.h"
#include "model/unique_fd.h"

namespace lanescope {

/// A place, locked: of a whole file for its use, else for filling it.
struct KeptFile {
  std::filesystem::path folder;
  std::filesystem::path file = {};  ///< under the name that the user knows
  bool whole = false;
  UniqueFd lock = UniqueFd();

  std::filesystem::path part() const { return folder / "part"; }
  /// Removes what lies in the place but says what it is for.
  void clear() const;
  /// Flushes what lies under part() to the disk and gives it its name. The lock becomes one for use.
  Result<void> finish();
};

/// What a kept file is of.
struct KeptAs {
  std::string of;  ///< tells it from all others
  std::string name;  ///< that the user knows
  std::optional<std::uintmax_t> size = {};  ///< in bytes, where that is known: another is not the file
};

class KeptFiles {
 public:
  static constexpr std::uintmax_t kMost = std::uintmax_t{20} << 30;  ///< bytes

  /// `folder` empty: nowhere.
  explicit KeptFiles(std::filesystem::path folder, std::uintmax_t most = kMost);

  /// The whole file that is of this, if there is one.
  std::optional<KeptFile> find(const KeptAs& as) const;

  /// The place for it; waits while another process fills it. `subject` is what errors are about.
  Result<KeptFile> enter(const KeptAs& as, const std::string& subject, const Job& job) const;

  /// Removes what could not be filled.
  static void leave(KeptFile place);

  /// Lets go of the oldest until so many bytes more have room within the bound; kDiskFull if the disk has less free.
  Result<void> makeRoom(const KeptFile& place, std::uintmax_t bytes) const;

  struct Place {
    std::filesystem::path folder;
    std::string of;
  };
  std::vector<Place> places() const;

  struct Held {
    bool whole = false, part = false;
  };
  /// Removes it unless somebody uses it; says what there was.
  Held drop(const Place& place) const;

  std::filesystem::path placeOf(std::string_view of) const;

 private:
  std::filesystem::path folder_;
  std::uintmax_t most_;
};

}  // namespace lanescope
