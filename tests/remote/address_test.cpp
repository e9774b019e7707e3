// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/remote/config_hosts.h"
#include "model/remote/sftp_packet.h"
#include "model/remote/ssh_process.h"
#include "model/remote/ssh_target.h"
#include "tests/support/files.h"

namespace lanescope::remote {
namespace {

TEST(SshAddress, NamesUserHostPortAndPath) {
  const auto parsed = [](const char* text) { return parseSshTarget(text).value_or(SshTarget{.host = "refused"}); };
  using T = SshTarget;
  EXPECT_EQ(parsed("ssh://gpu7/data/a.rep"), (T{.host = "gpu7", .path = "/data/a.rep"}));
  EXPECT_EQ(parsed("ssh://me@gpu7:2222/a%20b%25.rep"),
            (T{.user = "me", .host = "gpu7", .port = 2222, .path = "/a b%.rep"}));
  EXPECT_EQ(parsed("ssh://gpu7/~/runs/a.rep"), (T{.host = "gpu7", .path = "runs/a.rep"}));
  EXPECT_EQ(parsed("ssh://gpu7/~"), (T{.host = "gpu7", .path = "."}));
  EXPECT_EQ(parsed("ssh://[::1]:22/x"), (T{.host = "::1", .port = 22, .path = "/x"}));
  EXPECT_EQ(parsed("ssh://me@[fe80::1%25eth0]/x"), (T{.user = "me", .host = "fe80::1%eth0", .path = "/x"}));
  EXPECT_EQ(parsed("ssh://gpu7"), (T{.host = "gpu7"}));
  EXPECT_EQ(parsed("ssh://gpu7/a?b#c"), (T{.host = "gpu7", .path = "/a?b#c"}));
}

TEST(SshAddress, IsWrittenSoThatItReadsBack) {
  for (const char* text : {"ssh://gpu7/data/a.rep", "ssh://me@gpu7:2222/a%20b%25.rep", "ssh://gpu7/~/runs/a.rep",
                           "ssh://gpu7/~/", "ssh://me@[fe80::1%25eth0]:22/x", "ssh://gpu7", "ssh://gpu7/%27%24%28"}) {
    const auto target = parseSshTarget(text);
    ASSERT_TRUE(target.has_value()) << text;
    EXPECT_EQ(target->address(), text);
  }
}

TEST(SshAddress, WhatSshOrAShellCouldTakeForSomethingElseIsRefused) {
  for (const char* text : {"ssh://-oProxyCommand=id/x",
                           "ssh://host name/x",
                           "ssh://a;b/x",
                           "ssh://$(id)/x",
                           "ssh://`id`/x",
                           "ssh://a'b/x",
                           "ssh://-l@host/x",
                           "ssh://a b@host/x",
                           "ssh://$(id)@host/x",
                           "ssh://user:secret@host/x",
                           "ssh:///x",
                           "ssh://host:0/x",
                           "ssh://host:65536/x",
                           "ssh://host:/x",
                           "ssh://host:22a/x",
                           "ssh://[::1/x",
                           "ssh://host/a%0Ab",
                           "ssh://host/a\nb",
                           "ssh://host/a%00b",
                           "ssh://host/50%",
                           "ssh://host/%zz",
                           "ssh://host/~other/x",
                           "http://host/x",
                           "ssh://@host/x",
                           "ssh://[a%25b]/x",
                           "ssh://[::1%25a%25b]/x",
                           "ssh://ho%73t/x"}) {
    const auto target = parseSshTarget(text);
    ASSERT_FALSE(target.has_value()) << text;
    EXPECT_EQ(target.error().code, ErrorCode::kBadAddress) << text;
  }
  EXPECT_FALSE(parseSshTarget("ssh://host/" + std::string(5000, 'a')).has_value());
  EXPECT_FALSE(parseSshTarget("ssh://" + std::string(300, 'a') + "/x").has_value());
}

TEST(SshAddress, WordsReachAShellAsTheyAre) {
  EXPECT_EQ(shellWords({"a.b/c", "", "it's", "$x", "a=b", "~"}), "a.b/c '' 'it'\\''s' '$x' 'a=b' '~'");
}

TEST(SshWords, TellWhyAConnectionFailed) {
  const auto code = [](const char* log) { return explain("ssh://h", log).code; };
  EXPECT_EQ(code("@@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\r\n"),
            ErrorCode::kHostKey);
  EXPECT_EQ(code("ssh: connect to host h port 22: No route to host\r\n"), ErrorCode::kUnreachable);
  EXPECT_EQ(code("Permission denied, please try again.\r\n"), ErrorCode::kConnectionLost) << "not its end";
  EXPECT_EQ(code("me@h: Permission denied (publickey,password).\r\n"), ErrorCode::kLoginRefused);
  EXPECT_EQ(code("Connection closed by 1.2.3.4 port 22\r\n"), ErrorCode::kConnectionLost);
  EXPECT_EQ(
      sentence(explain("ssh://h", "ssh: Could not resolve hostname h: Name or service not known\r\n")),
      "ssh://h: the server cannot be reached (Could not resolve hostname h: Name or service not known); check its "
      "name and the network; ssh -v to it says more");
}

TEST(SftpPacket, WhatIsCutShortReadsAsNothing) {
  const std::string whole = PacketWriter(sftp::kAttributes)
                                .number(0x8000000Fu)
                                .large(7)
                                .large(0)
                                .number(0100644)
                                .number(1)
                                .number(2)
                                .number(1)
                                .text("a")
                                .text("b")
                                .bytes()
                                .substr(5);
  PacketReader good(whole);
  EXPECT_EQ(good.attributes(), (FileFacts{.size = 7, .time = 2, .isFile = true}));
  EXPECT_TRUE(good.good());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    PacketReader cut(std::string_view(whole).substr(0, length));
    cut.attributes();
    EXPECT_FALSE(cut.good()) << length;
  }
  const std::string huge = PacketWriter(sftp::kAttributes).number(0x80000000u).number(0xFFFFFFFFu).bytes().substr(5);
  PacketReader many(huge);
  many.attributes();
  EXPECT_FALSE(many.good()) << "and it does not count to four thousand million";
  PacketReader text("\xFF\xFF\xFF\xFFshort");
  EXPECT_EQ(text.text(), "");
  EXPECT_FALSE(text.good());
}

TEST(ConfigHosts, AreTheNamesWithoutPatterns) {
  const test::TemporaryFolder folder;
  test::writeFile(folder / "config",
                  "Host gpu7 gpu8 *.example !no # and so on\n  HostName 10.0.0.7\nhost = \"login\"\nInclude more/*\n"
                  "HostName x\nInclude config\nHost gpu7 -oBad\nMatch host y\n");
  std::filesystem::create_directory(folder / "more");
  test::writeFile(folder / "more/a", "Host inner\n");
  EXPECT_EQ(hostsIn(folder / "config"), (std::vector<std::string>{"gpu7", "gpu8", "login", "inner"}));
  EXPECT_EQ(hostsIn(folder / "none"), std::vector<std::string>());
}

TEST(ConfigHosts, OneThatIncludesItselfManyTimesIsReadAFewTimes) {
  const test::TemporaryFolder folder;
  std::string config = "Host gpu7\n";
  for (int i = 0; i < 100; ++i) config += "Include c*g\n";
  test::writeFile(folder / "config", config);
  EXPECT_EQ(hostsIn(folder / "config"), std::vector<std::string>{"gpu7"});
}

}  // namespace
}  // namespace lanescope::remote
