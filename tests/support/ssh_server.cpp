// SPDX-License-Identifier: Apache-2.0
#include "tests/support/ssh_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

extern char** environ;

namespace lanescope::test {

namespace fs = std::filesystem;

namespace {

constexpr const char* kServer = "/usr/sbin/sshd";

void shell(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

void makeKey(const fs::path& key, const std::string& passPhrase = "") {
  fs::remove(key);
  shell(fmt::format("ssh-keygen -q -t ed25519 -N '{}' -C '' -f '{}'", passPhrase, key.string()));
}

int freePort() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  bind(listener, reinterpret_cast<sockaddr*>(&place), size);
  getsockname(listener, reinterpret_cast<sockaddr*>(&place), &size);
  close(listener);
  return ntohs(place.sin_port);
}

/// Of a process that we started: itself and all below it.
std::vector<pid_t> familyOf(pid_t process) {
  std::vector<pid_t> all = {process};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::istringstream children(readFile(fmt::format("/proc/{0}/task/{0}/children", all[i])));
    for (pid_t child; children >> child;) all.push_back(child);
  }
  return all;
}

std::string userName() {
  const passwd* user = getpwuid(geteuid());
  return user != nullptr ? user->pw_name : "";
}

std::string publicKey(const fs::path& key) {
  const std::string text = readFile(key.string() + ".pub");
  return text.substr(0, text.find_last_not_of(" \n") + 1);
}

/// With a home of its own for commands. Of several lines SetEnv sshd takes the first.
std::string withHome(std::string configuration, const fs::path& home) {
  constexpr std::string_view kWord = "SetEnv ";
  const std::size_t at = configuration.find(kWord);
  const std::string variable = fmt::format("HOME={} ", home.string());
  if (at == std::string::npos) return fmt::format("{}{}\n{}", kWord, variable, configuration);
  return configuration.insert(at + kWord.size(), variable);
}

}  // namespace

std::string whyNoSshServer() {
  return access(kServer, X_OK) == 0 ? "" : std::string("no ") + kServer + " here; install openssh-server";
}

SshServer::SshServer(const std::string& configuration) {
  for (const char* name : {"XDG_RUNTIME_DIR", "XDG_CACHE_HOME"}) {
    if (const char* value = std::getenv(name)) environment_[name] = value;
    const fs::path place = folder_ / (std::string(name) == "XDG_RUNTIME_DIR" ? "run" : "cache");
    fs::create_directory(place);
    fs::permissions(place, fs::perms::owner_all);
    setenv(name, place.c_str(), 1);
  }
  if (geteuid() == 0) mkdir("/run/sshd", 0755);  // an installation that never ran lacks it
  makeKey(folder_ / "host_key");
  makeKey(key());
  writeFile(folder_ / "authorized_keys", readFile(key().string() + ".pub"));
  for (int attempt = 0; attempt < 10 && process_ == 0; ++attempt) {
    port_ = freePort();
    writeFile(
        folder_ / "sshd_config",
        fmt::format("{}\nListenAddress 127.0.0.1\nPort {}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n"
                    "StrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
                    "KbdInteractiveAuthentication no\nPrintMotd no\n{}",
                    withHome(configuration, folder_.path()), port_, (folder_ / "host_key").string(),
                    (folder_ / "authorized_keys").string(),
                    configuration.find("Subsystem") == std::string::npos ? "Subsystem sftp internal-sftp\n" : ""));
    tryToStart();
  }
  if (process_ == 0) throw std::runtime_error("sshd does not start: " + log_);
}

SshServer::~SshServer() {
  kill();
  for (const char* name : {"XDG_RUNTIME_DIR", "XDG_CACHE_HOME"}) {
    const auto before = environment_.find(name);
    if (before == environment_.end()) unsetenv(name);
    else setenv(name, before->second.c_str(), 1);
  }
}

bool SshServer::tryToStart() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const std::string configuration = (folder_ / "sshd_config").string();
  std::vector<const char*> words = {kServer, "-D", "-e", "-f", configuration.c_str(), nullptr};
  std::vector<char*> environment;
  std::string preload = "LD_PRELOAD=" LANESCOPE_SHADOW_PASSWORD;
  if (geteuid() == 0) environment.push_back(preload.data());
  environment.push_back(nullptr);
  pid_t process = 0;
  const int failed =
      posix_spawn(&process, kServer, &actions, nullptr, const_cast<char**>(words.data()), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  log_.clear();
  const auto hear = [](int from, std::string& log) {
    std::array<char, 4096> bytes{};
    const ssize_t got = read(from, bytes.data(), bytes.size());
    if (got > 0) log.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
  };
  while (failed == 0 && log_.find("Server listening") == std::string::npos && hear(ends[0], log_)) {
  }
  if (failed != 0 || log_.find("Server listening") == std::string::npos) {
    close(ends[0]);
    if (failed == 0) waitpid(process, nullptr, 0);
    return false;
  }
  process_ = process;
  reader_ = std::jthread([this, hear, from = ends[0]] {
    while (hear(from, log_)) {
    }
    close(from);
  });
  return true;
}

void SshServer::kill() {
  if (process_ == 0) return;
  for (const pid_t each : familyOf(process_)) ::kill(each, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = 0;
  reader_.join();
}

void SshServer::start() {
  if (process_ == 0 && !tryToStart()) throw std::runtime_error("sshd does not start again: " + log_);
}

void SshServer::changeHostKey() { makeKey(folder_ / "host_key"); }

void SshServer::protectKey(const std::string& passPhrase) {
  shell(fmt::format("ssh-keygen -q -p -P '' -N '{}' -f '{}'", passPhrase, key().string()));
}

std::string SshServer::hostEntry(const std::string& name, const std::string& configuration) const {
  return fmt::format(
      "Host {}\n{}\nHostName 127.0.0.1\nHostKeyAlias {}\nPort {}\nUser {}\nIdentityFile {}\nIdentitiesOnly yes\n"
      "IdentityAgent none\nUserKnownHostsFile {}\nGlobalKnownHostsFile none\nUpdateHostKeys no\n",
      name, configuration, name, port_, userName(), key().string(), (folder_ / "known_hosts").string());
}

remote::Ssh SshServer::client(const std::string& configuration) const {
  std::string known;
  for (const char* name : {"lanescope-test", "lanescope-jump"})
    known += fmt::format("{} {}\n", name, publicKey(folder_ / "host_key"));
  if (!fs::exists(folder_ / "known_hosts")) writeFile(folder_ / "known_hosts", known);
  const std::size_t number = folder_.names().size();
  const fs::path settings = folder_ / fmt::format("ssh_config.{}", number),
                 script = folder_ / fmt::format("ssh.{}", number);
  writeFile(settings, hostEntry("lanescope-test", configuration) + "\n");
  writeFile(script, fmt::format("#!/bin/sh\nexec ssh -F '{}' \"$@\"\n", settings.string()));
  fs::permissions(script, fs::perms::owner_all);
  return {.program = script.string()};
}

remote::SshTarget SshServer::target(const fs::path& path) const { return {.host = "lanescope-test", .path = path}; }

std::string SshServer::log() {
  kill();
  return log_;
}

}  // namespace lanescope::test
