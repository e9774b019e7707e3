// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/orders.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <iterator>

namespace lanescope::sample {
namespace {

volatile std::sig_atomic_t asked = 0;

}  // namespace

Orders::Orders(std::string folder, int launcher) : folder_(std::move(folder)), launcher_(launcher) {
  std::ifstream in(folder_ + "/options", std::ios::binary);
  lines_ = "\n" + std::string(std::istreambuf_iterator<char>(in), {});
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, [](int) { asked = 1; });
  std::signal(SIGPIPE, SIG_IGN);
  const int file = open((folder_ + "/control").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  struct stat found{};
  if (file >= 0 && fstat(file, &found) == 0 && static_cast<std::size_t>(found.st_size) >= sizeof(wire::ControlPage)) {
    void* const page = mmap(nullptr, sizeof(wire::ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) page_ = static_cast<wire::ControlPage*>(page);
  }
  if (file >= 0) close(file);
}

Orders::~Orders() {
  if (page_) munmap(page_, sizeof *page_);
  if (launcher_ >= 0) close(launcher_);
}

std::string Orders::option(std::string_view name) const {
  const std::string key = "\n" + std::string(name) + "=";
  const std::size_t at = lines_.rfind(key);
  if (at == std::string::npos) return {};
  const std::size_t from = at + key.size();
  return lines_.substr(from, lines_.find('\n', from) - from);
}

std::vector<std::string> Orders::options(std::string_view name) const {
  std::vector<std::string> all;
  const std::string text = option(name);
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    all.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return all;
}

wire::Capture Orders::capture() const {
  if (!page_ || asked != 0) return wire::Capture::kEnded;
  pollfd listening{launcher_, POLLRDHUP, 0};
  if (launcher_ >= 0 && poll(&listening, 1, 0) > 0) return wire::Capture::kEnded;
  return std::atomic_ref(page_->capture).load();
}

std::uint32_t Orders::seen() const { return page_ ? std::atomic_ref(page_->wake).load() : 0; }

void Orders::wait(std::uint32_t seen, std::uint64_t atMost) const {
  const timespec time{static_cast<time_t>(atMost / 1'000'000'000), static_cast<long>(atMost % 1'000'000'000)};
  syscall(SYS_futex, &page_->wake, FUTEX_WAIT, seen, &time, nullptr, 0);
}

std::uint32_t Orders::flushAsked() const { return page_ ? std::atomic_ref(page_->flushAsked).load() : 0; }

void Orders::flushed() const {
  if (!page_) return;
  std::atomic_ref(page_->flushed).fetch_add(1);
  std::atomic_ref(page_->wake).fetch_add(1);
  syscall(SYS_futex, &page_->wake, FUTEX_WAKE, INT32_MAX, nullptr, nullptr, 0);
}

void Orders::tell(std::string_view word, std::string_view text) const {
  if (launcher_ < 0) return;
  std::string line(word);
  if (!text.empty()) line += " " + std::string(text);
  line += '\n';
  [[maybe_unused]] const ssize_t sent = send(launcher_, line.data(), line.size(), MSG_NOSIGNAL);
}

}  // namespace lanescope::sample
