// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_orders.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "collector/launch/clock.h"

namespace lanescope::launch {
namespace {

constexpr std::size_t kLongestOrder = 64u << 10;
constexpr std::size_t kMostWaiting = 64;
constexpr char kLine = 'L', kDone = 'D';

/// False if the path is too long for one.
bool addressOf(const std::filesystem::path& path, sockaddr_un& address) {
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.c_str(), path.native().size() + 1);
  return true;
}

const sockaddr* plain(const sockaddr_un& address) { return reinterpret_cast<const sockaddr*>(&address); }

void limitWaiting(int socket, int option) {
  const timeval second{1, 0};
  setsockopt(socket, SOL_SOCKET, option, &second, sizeof second);
}

bool isOurs(int socket) {
  ucred who{};
  socklen_t size = sizeof who;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == geteuid();
}

/// A packet, each word with a zero at its end; empty if none comes within a second or at all.
std::vector<std::string> readWords(int socket) {
  std::string packet(kLongestOrder, '\0');
  ssize_t count = 0;
  do count = recv(socket, packet.data(), packet.size(), 0);
  while (count < 0 && errno == EINTR);
  std::vector<std::string> words;
  const std::string_view all(packet.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  for (std::size_t at = 0, end = 0; (end = all.find('\0', at)) != std::string_view::npos; at = end + 1) {
    words.emplace_back(all.substr(at, end - at));
  }
  return words;
}

void sendPacket(int socket, const std::string& packet) {
  [[maybe_unused]] const ssize_t sent =
      send(socket, packet.data(), std::min(packet.size(), kLongestOrder), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

void Order::say(const std::string& line) const { sendPacket(client->get(), kLine + line); }
void Order::done(int status) const { sendPacket(client->get(), kDone + std::to_string(status)); }

tl::expected<std::unique_ptr<OrderDesk>, std::string> OrderDesk::open(const std::filesystem::path& path) {
  const auto refuse = [&](const char* why) {
    return tl::unexpected(fmt::format("{}: {}; set XDG_RUNTIME_DIR to another folder", path.string(), why));
  };
  sockaddr_un address{};
  if (!addressOf(path, address)) return refuse("the path is too long for a socket");
  UniqueFd listening(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  unlink(path.c_str());  // of a launcher that was killed: the name is ours now
  if (!listening || bind(listening.get(), plain(address), sizeof address) != 0 ||
      ::listen(listening.get(), kMostWaiting) != 0) {
    return refuse(std::strerror(errno));
  }
  return std::unique_ptr<OrderDesk>(new OrderDesk(path, std::move(listening)));
}

void OrderDesk::listen(std::function<void()> wake) {
  wake_ = std::move(wake);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the thread that waits for the program
  thread_ = std::thread([this] { takeIn(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OrderDesk::~OrderDesk() {
  unlink(socket_.c_str());
  shutdown(listening_.get(), SHUT_RDWR);
  if (thread_.joinable()) thread_.join();
}

void OrderDesk::takeIn() {
  for (;;) {
    UniqueFd client(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!client && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (!client) return;
    if (!isOurs(client.get())) continue;
    limitWaiting(client.get(), SO_RCVTIMEO);
    Order order{readWords(client.get()), std::make_shared<UniqueFd>(std::move(client))};
    if (order.words.empty()) continue;
    {
      const std::lock_guard hold(lock_);
      if (orders_.size() >= kMostWaiting) continue;
      orders_.push(std::move(order));
    }
    wake_();
  }
}

std::optional<Order> OrderDesk::take() {
  const std::lock_guard hold(lock_);
  if (orders_.empty()) return std::nullopt;
  Order order = std::move(orders_.front());
  orders_.pop();
  return order;
}

Answer giveOrder(const std::filesystem::path& path, const std::vector<std::string>& words,
                 const std::function<void(const std::string&)>& heard,
                 const std::function<trace::Ns(int lines)>& patience) {
  Answer answer;
  sockaddr_un address{};
  const UniqueFd client(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!client || !addressOf(path, address)) return answer;
  limitWaiting(client.get(), SO_SNDTIMEO);
  if (connect(client.get(), plain(address), sizeof address) != 0) {
    if (errno == EAGAIN) answer.end = Answer::kSilent;
    return answer;
  }
  std::string packet;
  for (const std::string& word : words) packet += word + '\0';
  if (send(client.get(), packet.data(), packet.size(), MSG_NOSIGNAL) < 0) return {.end = Answer::kGone};
  for (int lines = 0;;) {
    const trace::Ns until = monotonicNow() + patience(lines);
    pollfd waiting{client.get(), POLLIN, 0};
    int ready = -1;
    while (ready < 0) {
      const trace::Ns left = std::max<trace::Ns>(until - monotonicNow(), 0);
      ready = poll(&waiting, 1, static_cast<int>(std::min<trace::Ns>(left / 1'000'000 + 1, 3'600'000)));
      if (ready < 0 && errno != EINTR) break;
    }
    if (ready <= 0) {
      answer.end = Answer::kSilent;
      return answer;
    }
    std::string text(kLongestOrder, '\0');
    const ssize_t count = recv(client.get(), text.data(), text.size(), 0);
    if (count <= 0) {
      answer.end = Answer::kGone;
      return answer;
    }
    text.resize(static_cast<std::size_t>(count));
    if (text[0] == kDone) {
      answer.end = Answer::kDone;
      answer.status = std::atoi(text.c_str() + 1);
      return answer;
    }
    ++lines;
    answer.line = text.substr(1);
    heard(answer.line);
  }
}

}  // namespace lanescope::launch
