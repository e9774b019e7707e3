// SPDX-License-Identifier: Apache-2.0
// File descriptors in somebody else's process: kept out of the low numbers that programs count on, and never trusted to
// be still ours, because daemons close all they find and open files of their own under the same numbers.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace lanescope::inject {

/// The same file under a number above 700 if the limits allow it.
inline int moveUp(int descriptor) {
  if (descriptor < 0) return descriptor;
  const int up = fcntl(descriptor, F_DUPFD_CLOEXEC, 700);
  if (up < 0) return descriptor;
  close(descriptor);
  return up;
}

/// fstat, which old versions of glibc have under another name.
inline long statOf(int descriptor, struct stat& found) { return syscall(SYS_fstat, descriptor, &found); }

struct FileIdentity {
  std::uint64_t device = 0, inode = 0;

  static FileIdentity of(int descriptor) {
    struct stat found{};
    if (descriptor < 0 || statOf(descriptor, found) != 0) return {};
    return {found.st_dev, found.st_ino};
  }
  bool known() const { return inode != 0; }
  bool operator==(const FileIdentity&) const = default;
};

}  // namespace lanescope::inject
