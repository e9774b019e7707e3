// SPDX-License-Identifier: Apache-2.0
// Growing a file beyond RLIMIT_FSIZE raises SIGXFSZ, which ends programs. While one of these lives it is blocked in this
// thread, and swallowed afterwards if it was our doing.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace lanescope::inject {

class FileLimitKept {
 public:
  FileLimitKept() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    wasPending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  ~FileLimitKept() {
    if (reached_ && !wasPending_) {
      const timespec none{};
      while (sigtimedwait(&signal_, nullptr, &none) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileLimitKept(const FileLimitKept&) = delete;
  FileLimitKept& operator=(const FileLimitKept&) = delete;

  /// What a call failed with.
  void sawError(int error) { reached_ = reached_ || error == EFBIG; }

 private:
  sigset_t signal_, before_;
  bool wasPending_ = false, reached_ = false;
};

}  // namespace lanescope::inject
