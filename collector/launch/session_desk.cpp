// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_desk.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace lanescope::launch {

tl::expected<SessionDesk, std::string> SessionDesk::open(const std::string& name, const std::filesystem::path& folder) {
  SessionDesk desk;
  auto entry = SessionName::enter(name, folder);
  if (!entry) return tl::unexpected(entry.error());
  desk.name_ = std::move(*entry);
  const auto place = sessionsFolder();
  if (!place) return tl::unexpected(place.error());
  auto orders = OrderDesk::open(socketOf(*place, name));
  if (!orders) return tl::unexpected(orders.error());
  desk.desk_ = std::move(*orders);
  return desk;
}

void SessionDesk::close() {
  name_.leave();
  desk_.reset();
}

std::string usualSessionName(std::string_view kind, const std::string& program) {
  constexpr std::size_t kMostOfProgram = 24;
  std::string name = fmt::format("{}-{}-", kind, getpid());
  for (const char c : std::filesystem::path(program).filename().string().substr(0, kMostOfProgram)) {
    name += badSessionName(std::string("x") + c).empty() ? c : '_';
  }
  return name;
}

std::string unknownOrder(const Order& order, std::string_view version) {
  return fmt::format("{}: the session's launcher is of version {} and does not know that; use its own lanescope",
                     order.words.front(), version);
}

int signalOf(const Order& order) { return order.words.size() > 1 ? std::atoi(order.words[1].c_str()) : 0; }

}  // namespace lanescope::launch
