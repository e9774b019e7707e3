// SPDX-License-Identifier: Apache-2.0
// Files of a real server on their way into the cache, and what can go wrong on it.
#include "model/remote/fetch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "tests/support/ssh_server.h"

namespace lanescope::remote {
namespace {

namespace fs = std::filesystem;
using test::SshServer;
using testing::HasSubstr;

std::string numbers(std::size_t bytes) {
  std::string text;
  for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + ' ';
  text.resize(bytes);
  return text;
}

class Fetch : public testing::Test {
 protected:
  static constexpr std::size_t kSize = 16u << 20;

  void SetUp() override { LANESCOPE_NEEDS_SSHD(); }

  Result<Fetched> fetched(const Ssh& ssh, const SshTarget& target,
                          const std::function<void(const Transfer&)>& progress = {}, const Job& job = Job()) {
    auto sftp = Sftp::connect(ssh, target, job);
    if (!sftp) return tl::unexpected(sftp.error());
    const auto identity = identify(*sftp, target.path);
    if (!identity) return tl::unexpected(identity.error());
    auto done = fetch(*sftp, *identity, cache_, progress, job);
    mostHeld_ = sftp->mostHeld();
    return done;
  }

  SshTarget serve(const SshServer& server, const std::string& content, const std::string& name = "a.rep") {
    test::writeFile(server / name, content);
    return server.target(server / name);
  }

  /// Whole files of the cache, and parts.
  std::vector<fs::path> whole() const { return below("file"); }
  std::vector<fs::path> parts() const { return below("part"); }

  test::TemporaryFolder folder_;
  RemoteCache cache_{folder_ / "kept"};
  std::atomic<std::size_t> mostHeld_ = 0;  ///< bytes; atomic: two may fetch at once

 private:
  std::vector<fs::path> below(std::string_view what) const {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "kept", none)) {
      const fs::path of = entry.path().filename() == what ? entry.path() : entry.path().parent_path();
      if (entry.is_regular_file() && of.filename() == what) found.push_back(entry.path());
    }
    return found;
  }
};

TEST_F(Fetch, AFileComesOnceAndIsKeptUntilItChanges) {
  SshServer server;
  const Ssh ssh = server.client();
  const SshTarget target = serve(server, numbers(300'000), "with space & 'quote'.rep");
  {
    const auto first = fetched(ssh, target);
    ASSERT_TRUE(first.has_value()) << sentence(first.error());
    EXPECT_FALSE(first->wasKept);
    EXPECT_EQ(first->remark, "");
    EXPECT_EQ(first->copy.file.filename(), "with space & 'quote'.rep");
    EXPECT_TRUE(test::readFile(first->copy.file) == numbers(300'000));
  }
  std::uint64_t bytes = 0;
  {
    const auto second = fetched(ssh, target, [&](const Transfer& now) { bytes += now.done; });
    ASSERT_TRUE(second.has_value()) << sentence(second.error());
    EXPECT_TRUE(second->wasKept);
    EXPECT_EQ(bytes, 0u) << "nothing comes over again";
  }
  // The same size, and the time put back: only its content tells.
  struct stat before{};
  ASSERT_EQ(stat(target.path.c_str(), &before), 0);
  std::string other = numbers(300'000);
  other[4096 * 64 / 2] = 'x';
  test::writeFile(target.path, other);
  const timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(utimensat(AT_FDCWD, target.path.c_str(), times, 0), 0);
  const auto third = fetched(ssh, target);
  ASSERT_TRUE(third.has_value()) << sentence(third.error());
  EXPECT_FALSE(third->wasKept);
  EXPECT_THAT(third->remark, HasSubstr("it changed since it was last fetched"));
  EXPECT_TRUE(test::readFile(third->copy.file) == other);
  EXPECT_EQ(whole().size(), 1u) << "the old version is gone";
}

TEST_F(Fetch, ATransferThatWasCutGoesOnWhereItStopped) {
  SshServer server;
  const SshTarget target = serve(server, numbers(kSize));
  const Ssh cut =
      server.client(fmt::format("ProxyCommand bash -c 'exec 3<>/dev/tcp/127.0.0.1/{} 4<&0; cat <&4 >&3 & dd bs=64K "
                                "iflag=count_bytes count=6000000 status=none <&3'",
                                server.port()));
  const auto broken = fetched(cut, target);
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::kConnectionLost);
  EXPECT_THAT(sentence(broken.error()), HasSubstr(" of 16.8 MB"));
  EXPECT_THAT(sentence(broken.error()), HasSubstr(target.address() + ": "));
  EXPECT_TRUE(whole().empty()) << "nothing half-written has its name";
  ASSERT_EQ(parts().size(), 1u);

  std::uint64_t least = kSize;
  const auto rest = fetched(server.client(), target, [&](const Transfer& now) { least = std::min(least, now.done); });
  ASSERT_TRUE(rest.has_value()) << sentence(rest.error());
  EXPECT_GT(least, 1'000'000u) << "some of the six million was still in ssh";
  EXPECT_THAT(rest->remark, HasSubstr("went on after "));
  EXPECT_TRUE(test::readFile(rest->copy.file) == numbers(kSize));
  EXPECT_TRUE(parts().empty());
}

TEST_F(Fetch, AServerKilledInMidTransferIsAskedForTheRestLater) {
  SshServer server;
  const SshTarget target = serve(server, numbers(kSize));
  const Ssh ssh = server.client();
  const auto broken = fetched(ssh, target, [&](const Transfer& now) {
    if (now.done > 3'000'000) server.kill();
  });
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().code, ErrorCode::kConnectionLost) << sentence(broken.error());
  EXPECT_EQ(fetched(ssh, target).error().code, ErrorCode::kUnreachable) << "while it is away";
  server.start();
  std::uint64_t before = 0;
  const auto rest = fetched(ssh, target, [&](const Transfer& now) { before = now.before; });
  ASSERT_TRUE(rest.has_value()) << sentence(rest.error());
  EXPECT_GT(before, 3'000'000u);
  EXPECT_TRUE(test::readFile(rest->copy.file) == numbers(kSize));
}

TEST_F(Fetch, WhatCameOfAnotherVersionIsNotGoneOnWith) {
  SshServer server;
  const Ssh ssh = server.client();
  const SshTarget target = serve(server, numbers(kSize));
  std::stop_source stop;
  const auto stopped = fetched(
      ssh, target, [&](const Transfer& now) { now.done > 2'000'000 ? (void)stop.request_stop() : void(); },
      Job(stop.get_token()));
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  ASSERT_EQ(parts().size(), 1u);
  test::writeFile(parts().front(), std::string(2'000'000, 'x'));
  const auto anew = fetched(ssh, target);
  ASSERT_TRUE(anew.has_value()) << sentence(anew.error());
  EXPECT_THAT(anew->remark, HasSubstr("begins anew"));
  EXPECT_TRUE(test::readFile(anew->copy.file) == numbers(kSize));
}

TEST_F(Fetch, AFileThatGrowsOrChangesMeanwhileIsRefusedAndNothingOfItIsKept) {
  SshServer server;
  const Ssh ssh = server.client();
  const SshTarget target = serve(server, numbers(kSize));
  const auto touched = [&](const std::function<void()>& change) {
    bool done = false;
    const auto result = fetched(ssh, target, [&](const Transfer&) {
      if (!std::exchange(done, true)) change();
    });
    EXPECT_FALSE(result.has_value());
    EXPECT_TRUE(whole().empty());
    return result ? std::string() : sentence(result.error());
  };
  EXPECT_THAT(touched([&] { fs::resize_file(target.path, kSize + 100'000); }),
              HasSubstr("it is still being written (it went from 16.8 MB to 16.9 MB while it was fetched)"));
  EXPECT_THAT(touched([&] {
                fs::rename(target.path, server / "old");
                test::writeFile(target.path, "another");
              }),
              HasSubstr("it changed while it was fetched"));
  EXPECT_THAT(touched([&] { fs::remove(target.path); }), HasSubstr("no such file"));
}

TEST_F(Fetch, WhatIsNoWholeFileIsRefusedBeforeAByteIsCopied) {
  SshServer server;
  const Ssh ssh = server.client();
  const SshTarget target = serve(server, "1234");
  test::writeFile(target.path + "-wal", "pages");
  EXPECT_EQ(fetched(ssh, target).error().code, ErrorCode::kStillWritten);
  EXPECT_EQ(fetched(ssh, server.target(server / "none.rep")).error().code, ErrorCode::kGoneThere);
  EXPECT_EQ(fetched(ssh, server.target(server / "")).error().code, ErrorCode::kIsFolder);
  mkfifo((server / "fifo").c_str(), 0600);
  EXPECT_EQ(fetched(ssh, server.target(server / "fifo")).error().code, ErrorCode::kUnreadableThere);
  if (geteuid() == 0) return;  // who may read everything
  fs::remove(target.path + "-wal");
  fs::permissions(target.path, fs::perms::none);
  EXPECT_EQ(fetched(ssh, target).error().code, ErrorCode::kUnreadableThere);
}

TEST_F(Fetch, AFullDiskHereIsOneSentenceAndGivesBackWhatItTook) {
  SshServer server;
  const SshTarget target = serve(server, numbers(kSize));
  const Ssh ssh = server.client();
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{3u << 20, before.rlim_max};
  auto* const handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  const auto full = fetched(ssh, target);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  ASSERT_FALSE(full.has_value());
  EXPECT_EQ(full.error().code, ErrorCode::kDiskFull) << sentence(full.error());
  EXPECT_TRUE(whole().empty());
  ASSERT_EQ(parts().size(), 1u);
  EXPECT_EQ(fs::file_size(parts().front()), 0u);
}

TEST_F(Fetch, AGigabyteComesThroughAFewMegabytesOfMemory) {
  SshServer server;
  const SshTarget target = serve(server, "begin");
  constexpr std::uint64_t kGigabyte = 1u << 30;
  fs::resize_file(target.path, kGigabyte);
  const auto big = fetched(server.client(), target);
  ASSERT_TRUE(big.has_value()) << sentence(big.error());
  EXPECT_EQ(fs::file_size(big->copy.file), kGigabyte);
  EXPECT_LE(mostHeld_, 2 * Sftp::kWindow);
  EXPECT_GT(mostHeld_, Sftp::kPiece);
}

TEST_F(Fetch, TwoAtOnceMakeOneTransfer) {
  SshServer server;
  const SshTarget target = serve(server, numbers(kSize));
  const Ssh ssh = server.client();
  ASSERT_TRUE(Sftp::connect(ssh, target, Job()).has_value());  // the login that both share
  std::vector<Result<Fetched>> results(2);
  {
    std::vector<std::jthread> both;
    for (Result<Fetched>& result : results) both.emplace_back([&] { result = fetched(ssh, target); });
  }
  for (const Result<Fetched>& result : results) {
    ASSERT_TRUE(result.has_value()) << sentence(result.error());
    EXPECT_TRUE(test::readFile(result->copy.file) == numbers(kSize));
  }
  EXPECT_NE(results[0]->wasKept, results[1]->wasKept);
}

TEST_F(Fetch, TheCacheLetsGoOfWhatWasUsedLongestAgoButNotOfWhatIsInUse) {
  SshServer server;
  cache_ = RemoteCache(folder_ / "kept", 25u << 20);
  const Ssh ssh = server.client();
  auto first = fetched(ssh, serve(server, numbers(10u << 20), "1.rep"));
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(fetched(ssh, serve(server, numbers(10u << 20), "2.rep")).has_value());
  ASSERT_TRUE(fetched(ssh, serve(server, numbers(10u << 20), "3.rep")).has_value());
  const auto names = [this] {
    std::vector<std::string> all;
    for (const fs::path& file : whole()) all.push_back(file.filename());
    std::ranges::sort(all);
    return all;
  };
  EXPECT_EQ(names(), (std::vector<std::string>{"1.rep", "3.rep"})) << "1.rep is the oldest, but open";
  first->copy.lock = UniqueFd();
  ASSERT_TRUE(fetched(ssh, serve(server, numbers(10u << 20), "4.rep")).has_value());
  EXPECT_EQ(names(), (std::vector<std::string>{"3.rep", "4.rep"}));
}

TEST(Pace, RateAndTimeLeftComeFromTheLastSeconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  Pace pace;
  EXPECT_EQ(pace.text({0, 1'000'000'000}, 0), "0 B of 1.00 GB");
  EXPECT_EQ(pace.text({50'000'000, 1'000'000'000}, kSecond), "50.0 MB of 1.00 GB, 50.0 MB/s, 20 s left");
  for (int second = 2; second <= 12; ++second)
    pace.text({50'000'000u + 1'000'000u * static_cast<unsigned>(second), 1'000'000'000}, second * kSecond);
  EXPECT_EQ(pace.text({63'000'000, 1'000'000'000}, 13 * kSecond), "63.0 MB of 1.00 GB, 1.00 MB/s, 15 min 37 s left");
}

}  // namespace
}  // namespace lanescope::remote
