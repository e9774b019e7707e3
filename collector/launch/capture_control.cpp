// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/capture_control.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <new>

#include "collector/launch/clock.h"
#include "model/report/new_file.h"

namespace lanescope::launch {
namespace {

constexpr trace::Ns kMillisecond = 1'000'000;

template <class T>
std::atomic_ref<T> shared(T& value) {
  return std::atomic_ref<T>(value);
}

}  // namespace

Result<CaptureControl> CaptureControl::create(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return tl::unexpected(writeError(path, errno));
  // Reserved and not only cut to size: a page that a full disk cannot hold would kill whoever touches it.
  const int reserved = posix_fallocate(file, 0, sizeof(wire::ControlPage));
  void* page = reserved == 0 ? mmap(nullptr, sizeof(wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                             : MAP_FAILED;
  const int why = reserved != 0 ? reserved : errno;
  close(file);
  if (page == MAP_FAILED) return tl::unexpected(writeError(path, why));
  CaptureControl control;
  control.page_ = new (page) wire::ControlPage;
  control.page_->magic = wire::ControlPage::kMagic;
  return control;
}

std::optional<CaptureControl> CaptureControl::open(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  struct stat found{};
  const bool isWhole = fstat(file, &found) == 0 && static_cast<std::size_t>(found.st_size) >= sizeof(wire::ControlPage);
  void* page =
      isWhole ? mmap(nullptr, sizeof(wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  if (page == MAP_FAILED) return std::nullopt;
  CaptureControl control;
  control.page_ = static_cast<wire::ControlPage*>(page);
  if (control.page_->magic != wire::ControlPage::kMagic) return std::nullopt;
  return control;
}

CaptureControl::~CaptureControl() {
  if (page_) munmap(page_, sizeof *page_);
}

wire::Capture CaptureControl::state() const { return shared(page_->capture).load(); }
std::uint32_t CaptureControl::captures() const { return shared(page_->captures).load(); }
std::uint32_t CaptureControl::processes() const { return shared(page_->processes).load(); }
std::uint32_t CaptureControl::seen() const { return shared(page_->wake).load(); }

void CaptureControl::begin() {
  auto expected = wire::Capture::kWaiting;
  shared(page_->changed).store(static_cast<std::uint64_t>(monotonicNow()));
  if (!shared(page_->capture).compare_exchange_strong(expected, wire::Capture::kOn)) return;
  shared(page_->captures).fetch_add(1);
  wake();
}

void CaptureControl::pause() { leaveFor(wire::Capture::kWaiting); }
void CaptureControl::end() { leaveFor(wire::Capture::kEnded); }

void CaptureControl::leaveFor(wire::Capture state) {
  shared(page_->changed).store(static_cast<std::uint64_t>(monotonicNow()));
  shared(page_->capture).store(state);
  wake();
}

trace::Ns CaptureControl::changed() const { return static_cast<trace::Ns>(shared(page_->changed).load()); }

void CaptureControl::wake() const {
  shared(page_->wake).fetch_add(1);
  syscall(SYS_futex, &page_->wake, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void CaptureControl::wait(std::uint32_t seen, trace::Ns atMost) const {
  if (atMost <= 0) return;
  const timespec time{static_cast<time_t>(atMost / kSecond), static_cast<long>(atMost % kSecond)};
  syscall(SYS_futex, &page_->wake, FUTEX_WAIT, seen, &time, nullptr, 0);
}

bool CaptureControl::flush(const std::function<std::size_t()>& living, trace::Ns atMost) {
  const trace::Ns until = monotonicNow() + atMost;
  const std::uint32_t before = shared(page_->flushed).load();
  shared(page_->flushAsked).fetch_add(1);
  wake();
  // Processes answer by counting and may die meanwhile, which wakes nobody: look again every few milliseconds.
  while (shared(page_->flushed).load() - before < living() && monotonicNow() < until) {
    wait(seen(), std::min(2 * kMillisecond, until - monotonicNow()));
  }
  return shared(page_->flushed).load() - before >= living();
}

}  // namespace lanescope::launch
