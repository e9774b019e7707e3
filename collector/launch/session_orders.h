// SPDX-License-Identifier: Apache-2.0
// What other commands tell a launcher: an order is a packet of words through a socket in the folder of sessions, which
// only its owner may use; answers are lines, then an exit status. Whoever goes away meanwhile closes the socket, which
// the other side sees, so that nobody waits for the dead. A thread of the desk's own takes orders in.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <vector>

#include "model/trace/time.h"
#include "model/unique_fd.h"

namespace lanescope::launch {

/// An order and whom to answer. An answer that nobody hears any more is no error. One thread at a time.
struct Order {
  std::vector<std::string> words;  ///< the first is what to do; never empty
  std::shared_ptr<UniqueFd> client;

  void say(const std::string& line) const;
  /// The last answer.
  void done(int status) const;
};

class OrderDesk {
 public:
  /// Who comes before listen() waits for it. The error is a line for the user.
  static tl::expected<std::unique_ptr<OrderDesk>, std::string> open(const std::filesystem::path& socket);
  /// `wake`: called by the desk's thread when an order came.
  void listen(std::function<void()> wake);
  ~OrderDesk();
  OrderDesk(const OrderDesk&) = delete;
  OrderDesk& operator=(const OrderDesk&) = delete;

  /// The oldest that was not taken. Never waits.
  std::optional<Order> take();

 private:
  OrderDesk(std::filesystem::path socket, UniqueFd listening)
      : socket_(std::move(socket)), listening_(std::move(listening)) {}
  void takeIn();

  std::filesystem::path socket_;
  UniqueFd listening_;
  std::function<void()> wake_;
  std::mutex lock_;
  std::queue<Order> orders_;  ///< under `lock_`
  std::thread thread_;
};

struct Answer {
  enum End {
    kDone,      ///< with `status`
    kSilent,    ///< nothing for so long
    kGone,      ///< the launcher ended first
    kNobody,    ///< nobody listens there
  };
  End end = kNobody;
  int status = 0;
  std::string line = {};  ///< the last one
};

/// Gives an order and hears the answers, each for `heard` at once, until the end or until nothing came for as long as
/// `patience` allows after so many lines.
Answer giveOrder(const std::filesystem::path& socket, const std::vector<std::string>& words,
                 const std::function<void(const std::string&)>& heard,
                 const std::function<trace::Ns(int lines)>& patience);

}  // namespace lanescope::launch
