// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/session_orders.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <atomic>
#include <cstring>

#include "tests/support/files.h"

namespace lanescope::launch {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr trace::Ns kHour = 3600'000'000'000;

class Orders : public testing::Test {
 protected:
  Orders() : desk_(OrderDesk::open(folder_ / "socket").value_or(nullptr)) {}

  void listen() {
    desk_->listen([this] { ++wakes_, wakes_.notify_all(); });
  }
  Order next() {
    while (true) {
      const int seen = wakes_;
      if (auto order = desk_->take()) return *order;
      wakes_.wait(seen);
    }
  }
  Answer give(const std::vector<std::string>& words, trace::Ns patience = kHour) {
    return giveOrder(
        folder_ / "socket", words, [this](const std::string& line) { heard_.push_back(line); },
        [patience](int) { return patience; });
  }

  test::TemporaryFolder folder_;
  std::atomic<int> wakes_{0};
  std::unique_ptr<OrderDesk> desk_;
  std::vector<std::string> heard_;
};

TEST_F(Orders, ComeWithAllTheirWordsAndAreAnswered) {
  listen();
  Answer answer;
  std::thread client([&] { answer = give({"start", "/a folder", "", "-o=x\ny"}); });
  const Order order = next();
  EXPECT_THAT(order.words, ElementsAre("start", "/a folder", "", "-o=x\ny"));
  order.say("one");
  order.say("two");
  order.done(3);
  client.join();
  EXPECT_EQ(answer.end, Answer::kDone);
  EXPECT_EQ(answer.status, 3);
  EXPECT_EQ(answer.line, "two");
  EXPECT_THAT(heard_, ElementsAre("one", "two"));
}

TEST_F(Orders, WhoeverWaitsSeesThatTheOtherIsGone) {
  listen();
  Answer answer;
  std::thread client([&] { answer = give({"stop"}); });
  next();  // and is dropped at once
  client.join();
  EXPECT_EQ(answer.end, Answer::kGone);

  std::thread waiting([&] { answer = give({"stop"}); });
  while (wakes_ < 2) wakes_.wait(1);
  desk_.reset();  // not even taken
  waiting.join();
  EXPECT_EQ(answer.end, Answer::kGone);
  EXPECT_EQ(give({"stop"}).end, Answer::kNobody);
}

TEST_F(Orders, NobodyWaitsForOneWhoDoesNotAnswer) {
  EXPECT_EQ(give({"stop"}, 1).end, Answer::kSilent) << "it does not listen yet, like one that is stopped";
  listen();
  EXPECT_THAT(next().words, ElementsAre("stop"));
}

TEST_F(Orders, WhatIsNoOrderIsPassedOver) {
  listen();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder_ / "socket";
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  for (const std::string& packet : {std::string(), std::string("no zero at the end"), std::string(1 << 16, 'x')}) {
    const UniqueFd client(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    ASSERT_EQ(connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const ssize_t sent = packet.empty() ? 0 : send(client.get(), packet.data(), packet.size(), MSG_NOSIGNAL);
    EXPECT_GE(sent, 0);
  }
  std::thread client([&] { give({"good"}); });
  const Order order = next();
  EXPECT_THAT(order.words, ElementsAre("good"));
  order.done(0);
  client.join();
}

TEST_F(Orders, AnAnswerThatNobodyHearsIsNoError) {
  listen();
  give({"stop"}, 1);
  const Order order = next();
  order.say("too late");
  order.done(0);
}

TEST_F(Orders, APathThatIsTooLongIsRefused) {
  const auto refused = OrderDesk::open(folder_ / std::string(120, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("the path is too long for a socket"));
}

}  // namespace
}  // namespace lanescope::launch
