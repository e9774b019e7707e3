// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/control_view.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>

namespace lanescope::sample {

ControlView::ControlView(const std::string& folder) {
  const int file = open((folder + "/control").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat found{};
  if (file >= 0 && fstat(file, &found) == 0 && static_cast<std::size_t>(found.st_size) >= sizeof(wire::ControlPage)) {
    void* const page = mmap(nullptr, sizeof(wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) page_ = static_cast<wire::ControlPage*>(page);
  }
  if (file >= 0) close(file);
}

ControlView::~ControlView() {
  if (page_) munmap(page_, sizeof *page_);
}

wire::Capture ControlView::capture() const {
  return page_ ? std::atomic_ref(page_->capture).load() : wire::Capture::kEnded;
}

std::uint64_t ControlView::changed() const { return page_ ? std::atomic_ref(page_->changed).load() : 0; }

std::uint32_t ControlView::seen() const { return page_ ? std::atomic_ref(page_->wake).load() : 0; }

void ControlView::wait(std::uint32_t seen, std::uint64_t atMost) const {
  const timespec time{static_cast<time_t>(atMost / 1'000'000'000), static_cast<long>(atMost % 1'000'000'000)};
  if (page_) syscall(SYS_futex, &page_->wake, FUTEX_WAIT, seen, &time, nullptr, 0);
  else nanosleep(&time, nullptr);
}

std::uint32_t ControlView::flushAsked() const { return page_ ? std::atomic_ref(page_->flushAsked).load() : 0; }

void ControlView::flushed() const {
  if (!page_) return;
  std::atomic_ref(page_->flushed).fetch_add(1);
  std::atomic_ref(page_->wake).fetch_add(1);
  syscall(SYS_futex, &page_->wake, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace lanescope::sample
