// SPDX-License-Identifier: Apache-2.0
// ssh as a child, against a real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/remote/sftp.h"
#include "tests/support/ssh_server.h"

namespace lanescope::remote {
namespace {

using test::SshServer;
using testing::HasSubstr;

struct Ran {
  Result<int> status;
  std::string out, errors;
};

Ran runThere(const Ssh& ssh, const SshTarget& host, const std::vector<std::string>& words, std::string input = "") {
  Ran ran;
  ran.status = run(ssh, host, words,
                   {std::move(input), [&](std::string_view bytes) { ran.out += bytes; },
                    [&](std::string_view bytes) { ran.errors += bytes; }},
                   Job());
  return ran;
}

TEST(Ssh, ACommandGetsItsWordsAndInputAndGivesOutputErrorsAndStatus) {
  LANESCOPE_NEEDS_SSHD();
  SshServer server;
  const Ssh ssh = server.client();
  const Ran echo = runThere(ssh, server.target(), {"printf", "%s|", "a b", "it's", "$HOME", "", "*", "\"\\"});
  EXPECT_EQ(echo.status.value(), 0);
  EXPECT_EQ(echo.out, "a b|it's|$HOME||*|\"\\|");
  const Ran both = runThere(ssh, server.target(), {"sh", "-c", "cat; echo oops >&2; exit 255"}, "in\nput");
  EXPECT_EQ(both.status.value(), 254) << "255 is ssh's own";
  EXPECT_EQ(both.out, "in\nput");
  EXPECT_EQ(both.errors, "oops\n");
  EXPECT_EQ(runThere(ssh, server.target(), {"no-such-program-there"}).status.value(), 127);
}

TEST(Ssh, OneLoginServesBrowsingAndRunning) {
  LANESCOPE_NEEDS_SSHD();
  SshServer server;
  const Ssh ssh = server.client();
  ASSERT_TRUE(Sftp::connect(ssh, server.target(), Job()).has_value());
  EXPECT_EQ(runThere(ssh, server.target(), {"true"}).status.value(), 0);
  ASSERT_TRUE(Sftp::connect(ssh, server.target(), Job()).has_value());
  const std::string log = server.log();
  EXPECT_EQ(log.find("Accepted publickey"), log.rfind("Accepted publickey")) << log;
}

TEST(Sftp, AFileGoesThereInPiecesReplacesWhatWasThereAndIsReadBack) {
  LANESCOPE_NEEDS_SSHD();
  SshServer server;
  auto sftp = Sftp::connect(server.client(), server.target(), Job());
  ASSERT_TRUE(sftp.has_value()) << sentence(sftp.error());
  std::string content;
  for (int i = 0; content.size() < 3 * Sftp::kWindow; ++i) content += std::to_string(i) + ' ';
  const std::string local = server / "local", there = server / "new folder/below/it's here";
  test::writeFile(local, content);
  ASSERT_TRUE(sftp->put(local, there, 0700).has_value());
  std::uint64_t progress = 0;
  ASSERT_TRUE(sftp->put(local, there, 0700, [&](std::uint64_t done, std::uint64_t) { progress = done; }).has_value());
  EXPECT_EQ(progress, content.size());
  EXPECT_EQ(test::readFile(there), content);
  EXPECT_EQ(test::filesIn(server / "new folder/below").size(), 1u) << "nothing temporary is left";

  ASSERT_EQ(sftp->open(there).value().size, content.size());
  std::string back;
  const auto take = [&](std::string_view bytes) -> Result<void> {
    back += bytes;
    return {};
  };
  ASSERT_TRUE(sftp->read({{0, content.size() + 100}}, take).has_value());
  EXPECT_TRUE(back == content);
  back.clear();
  ASSERT_TRUE(sftp->read({{100'000, 100'010}, {5, 9}}, take).has_value());
  EXPECT_EQ(back, content.substr(100'000, 10) + content.substr(5, 4));
}

TEST(Sftp, AFolderIsListedWithSizesAndTimesAndWhatLinksLeadTo) {
  LANESCOPE_NEEDS_SSHD();
  SshServer server;
  std::filesystem::create_directories(server / "data/below");
  test::writeFile(server / "data/b.rep", "12345");
  std::filesystem::create_symlink("b.rep", server / "data/a.rep");
  std::filesystem::create_symlink("nowhere", server / "data/dangling");
  auto sftp = Sftp::connect(server.client(), server.target(), Job());
  ASSERT_TRUE(sftp.has_value()) << sentence(sftp.error());
  const auto entries = sftp->list(server / "data");
  ASSERT_TRUE(entries.has_value()) << sentence(entries.error());
  ASSERT_EQ(entries->size(), 4u);
  EXPECT_EQ((*entries)[0].name, "a.rep");
  EXPECT_TRUE((*entries)[0].facts.isFile);
  EXPECT_EQ((*entries)[0].facts.size, 5u);
  EXPECT_GT((*entries)[1].facts.time, 1'000'000'000);
  EXPECT_TRUE((*entries)[2].facts.isFolder);
  EXPECT_FALSE((*entries)[3].facts.isFile);
  EXPECT_EQ(sftp->list(server / "nowhere").error().code, ErrorCode::kGoneThere);
  EXPECT_EQ(sftp->realPath((server / "data/../data").string()).value(), (server / "data").string());
}

}  // namespace
}  // namespace lanescope::remote
