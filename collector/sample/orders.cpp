// SPDX-License-Identifier: Apache-2.0
#include "collector/sample/orders.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

namespace lanescope::sample {
namespace {

volatile std::sig_atomic_t asked = 0;

}  // namespace

Orders::Orders(std::string folder, int launcher) : folder_(std::move(folder)), launcher_(launcher), page_(folder_) {
  std::ifstream in(folder_ + "/options", std::ios::binary);
  lines_ = "\n" + std::string(std::istreambuf_iterator<char>(in), {});
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) std::signal(number, [](int) { asked = 1; });
  std::signal(SIGPIPE, SIG_IGN);
}

Orders::~Orders() {
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
  if (asked != 0) return wire::Capture::kEnded;
  pollfd listening{launcher_, POLLRDHUP, 0};
  if (launcher_ >= 0 && poll(&listening, 1, 0) > 0) return wire::Capture::kEnded;
  return page_.capture();
}

void Orders::tell(std::string_view word, std::string_view text) const {
  if (launcher_ < 0) return;
  std::string line(word);
  if (!text.empty()) line += " " + std::string(text);
  line += '\n';
  [[maybe_unused]] const ssize_t sent = send(launcher_, line.data(), line.size(), MSG_NOSIGNAL);
}

}  // namespace lanescope::sample
