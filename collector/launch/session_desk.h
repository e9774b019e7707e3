// SPDX-License-Identifier: Apache-2.0
// How other commands find a recording and what they tell its launcher: its name among the sessions and the desk that
// takes their orders, both gone with the object. One thread, beside the desk's own.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "collector/launch/session_names.h"
#include "collector/launch/session_orders.h"

namespace lanescope::launch {

class SessionDesk {
 public:
  SessionDesk() = default;  ///< nobody finds it
  /// The folder must say who its launcher is.
  static tl::expected<SessionDesk, std::string> open(const std::string& name, const std::filesystem::path& folder);
  /// Makes a thread, so not before the program was forked. It calls `wake` when an order came.
  void listen(std::function<void()> wake) {
    if (desk_) desk_->listen(std::move(wake));
  }

  std::string name() const { return name_.name(); }
  std::optional<Order> take() { return desk_ ? desk_->take() : std::nullopt; }
  /// From now on nobody finds it; who waits is told nothing.
  void close();

 private:
  SessionName name_;
  std::unique_ptr<OrderDesk> desk_;
};

/// "launch-812-python3".
std::string usualSessionName(std::string_view kind, const std::string& program);

/// What is answered to an order of another version.
std::string unknownOrder(const Order& order, std::string_view version);

/// The signal that an order to shut down names; 0 none.
int signalOf(const Order& order);

}  // namespace lanescope::launch
