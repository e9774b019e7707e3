// SPDX-License-Identifier: Apache-2.0
// Who is let in, who is asked, and what is said when it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "model/remote/sftp.h"
#include "tests/support/ssh_server.h"

namespace lanescope::remote {
namespace {

namespace fs = std::filesystem;
using test::SshServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Login : public testing::Test {
 protected:
  void SetUp() override { LANESCOPE_NEEDS_SSHD(); }

  static std::string outcome(const Ssh& ssh, const SshTarget& target) {
    const auto sftp = Sftp::connect(ssh, target, Job());
    return sftp ? "in" : sentence(sftp.error());
  }

  /// A program that asks nobody, answers so, and keeps the questions.
  std::string answering(const std::string& answer) { return answeringBy("echo '" + answer + "'"); }
  /// `commands`: of a shell, the question is their $1.
  std::string answeringBy(const std::string& commands) {
    const fs::path script = folder_ / "askpass";
    test::writeFile(script, "#!/bin/sh\nprintf '%s%s|%s\\n' \"$LANESCOPE_ASKPASS\" \"$LOOK\" \"$1\" >>'" +
                                (folder_ / "questions").string() + "'\n" + commands + "\n");
    fs::permissions(script, fs::perms::owner_all);
    return script;
  }
  std::string questions() const { return test::readFile(folder_ / "questions"); }

  test::TemporaryFolder folder_;
};

TEST_F(Login, APassPhraseIsAskedThroughTheProgramOnceForAllThatFollows) {
  SshServer server;
  server.protectKey("long phrase");
  Ssh ssh = server.client();
  ssh.askpass = answering("long phrase");
  ssh.forAskpass = {"LOOK=dark"};
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  const std::string asked = questions();
  EXPECT_THAT(asked, AllOf(HasSubstr("1dark|Enter passphrase for key"), HasSubstr("user_key")));
  EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 1) << asked;
}

TEST_F(Login, APasswordIsAskedThroughTheProgram) {
  if (geteuid() != 0) GTEST_SKIP() << "only root's sshd looks at passwords";
  SshServer server("PasswordAuthentication yes\nPubkeyAuthentication no");
  Ssh ssh = server.client("PreferredAuthentications password\nNumberOfPasswordPrompts 1");
  ssh.askpass = answering("open sesame");
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_THAT(questions(), HasSubstr("password"));
}

TEST_F(Login, AWrongPasswordIsOneLineAndNothingHangs) {
  if (geteuid() != 0) GTEST_SKIP() << "only root's sshd looks at passwords";
  SshServer server("PasswordAuthentication yes\nPubkeyAuthentication no");
  Ssh ssh = server.client("PreferredAuthentications password\nNumberOfPasswordPrompts 1");
  ssh.askpass = answering("guess");
  EXPECT_THAT(outcome(ssh, server.target()), AllOf(HasSubstr("ssh://lanescope-test: the server refused the login ("),
                                                   HasSubstr("Permission denied (password"), Not(HasSubstr("\n"))));
}

TEST_F(Login, ASecondFactorIsAskedAfterThePassword) {
  if (geteuid() != 0) GTEST_SKIP() << "only root's sshd looks at passwords";
  SshServer server("UsePAM yes\nKbdInteractiveAuthentication yes\nAuthenticationMethods keyboard-interactive");
  Ssh ssh = server.client("PreferredAuthentications keyboard-interactive\nNumberOfPasswordPrompts 1");
  ssh.askpass = answeringBy("case \"$1\" in *Password*) echo 'open sesame';; *code*) echo 314159;; esac");
  EXPECT_THAT(outcome(ssh, server.target()), HasSubstr("the server refused the login ("));
  ssh.askpass = answeringBy("case \"$1\" in *Password*) echo 'open sesame';; *code*) echo 271828;; esac");
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_THAT(questions(), testing::MatchesRegex("(1\\|[^\n]*Password: \n1\\|[^\n]*Verification code: \n){2}"));
}

TEST_F(Login, AKeyThatIsNotKnownThereIsRefused) {
  SshServer server;
  const Ssh ssh = server.client();
  test::writeFile(server / "authorized_keys", "");
  EXPECT_THAT(outcome(ssh, server.target()), HasSubstr("the server refused the login ("));
}

TEST_F(Login, AServerWithAnotherKeyThanKnownIsNotSpokenTo) {
  SshServer server;
  const Ssh ssh = server.client();
  server.kill();
  server.changeHostKey();
  server.start();
  EXPECT_THAT(outcome(ssh, server.target()), AllOf(HasSubstr("the server's key is another than the one that is known"),
                                                   HasSubstr("; ask who runs it")));
}

TEST_F(Login, AnUnknownKeyIsAskedAboutAndTakenOnlyIfTheUserSaysSo) {
  SshServer server;
  Ssh ssh = server.client();
  test::writeFile(server / "known_hosts", "");
  ssh.askpass = answering("no");
  EXPECT_THAT(outcome(ssh, server.target()), HasSubstr("the server's key is not known"));
  EXPECT_THAT(questions(), HasSubstr("The authenticity of host"));
  ssh.askpass = answering("yes");
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_THAT(test::readFile(server / "known_hosts"), HasSubstr("lanescope-test"));
}

TEST_F(Login, AJumpHostIsGoneThrough) {
  SshServer jump, server;
  const Ssh direct = server.client();
  const std::string settings = test::readFile(server / "known_hosts");
  // Both in one configuration: the target only through the other.
  const Ssh ssh = server.client("ProxyJump lanescope-jump\nHost lanescope-jump\n" + [&] {
    (void)jump.client();
    std::string entry = jump.hostEntry("lanescope-jump");
    return entry.substr(entry.find('\n') + 1) + "Host lanescope-test";
  }());
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_THAT(jump.log(), HasSubstr("Accepted publickey"));
  EXPECT_THAT(outcome(server.client("ProxyJump lanescope-nowhere.invalid"), server.target()), Not("in"));
}

TEST_F(Login, AServerThatIsNotThereOrSpeaksNoSftpIsSaidInOneLine) {
  SshServer server("Subsystem sftp /bin/echo welcome to this machine");
  const Ssh ssh = server.client();
  EXPECT_THAT(outcome(ssh, server.target()), HasSubstr("what it answers is no SFTP"));
  server.kill();
  EXPECT_THAT(outcome(ssh, server.target()),
              AllOf(HasSubstr("the server cannot be reached ("), HasSubstr("Connection refused")));
  EXPECT_THAT(outcome({.program = "no-such-ssh"}, server.target()), HasSubstr("install openssh-client"));
}

TEST_F(Login, ABannerReachesTheUser) {
  SshServer server("Banner " + (folder_ / "banner").string());
  test::writeFile(folder_ / "banner", "authorised use only\n");
  Ssh ssh = server.client();
  std::string heard;
  ssh.askpass = answering("");
  ssh.onNotice = [&](std::string_view line) { heard += std::string(line) + "\n"; };
  EXPECT_EQ(outcome(ssh, server.target()), "in");
  EXPECT_THAT(heard, HasSubstr("authorised use only\n"));
}

}  // namespace
}  // namespace lanescope::remote
