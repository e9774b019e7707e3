// SPDX-License-Identifier: Apache-2.0
#include "model/remote/ssh_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "model/user_folders.h"

namespace lanescope::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestLog = 64u << 10;

/// A stream of lines of which the whole ones are handed on and the last part is kept.
struct Lines {
  std::string all, rest;

  template <class Hear>
  void take(std::string_view bytes, const Hear& hear) {
    if (all.size() < kLongestLog) all += bytes;
    rest += bytes;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1) {
      std::string_view line(rest.data() + begin, end - begin);
      if (line.ends_with('\r')) line.remove_suffix(1);
      hear(line);
    }
    rest.erase(0, begin);
    if (rest.size() > kLongestLog) rest.clear();
  }
};

/// Ends in a way that ssh's own sentence names; nothing for the user, who reads ours.
struct Reason {
  std::string_view words;
  ErrorCode code;
  std::string_view detail;  ///< empty: the line itself
};

constexpr std::array kReasons = {
    Reason{"REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::kHostKey,
           "the server's key is another than the one that is known: somebody may stand between, or it was set up anew"},
    Reason{"Host key verification failed", ErrorCode::kHostKey, "the server's key is not known"},
    Reason{"No matching host key fingerprint", ErrorCode::kHostKey, "the server's key is not known"},
    Reason{"host key is known for", ErrorCode::kHostKey, "the server's key is not known"},
    Reason{"Permission denied (", ErrorCode::kLoginRefused, ""},
    Reason{"Too many authentication failures", ErrorCode::kLoginRefused, ""},
    Reason{"subsystem request failed", ErrorCode::kServerRefused, "it offers no SFTP"},
    Reason{"exec request failed", ErrorCode::kServerRefused, "it lets no command run"},
    Reason{"Could not resolve hostname", ErrorCode::kUnreachable, ""},
    Reason{"connect to host ", ErrorCode::kUnreachable, ""},
    Reason{"kex_exchange_identification", ErrorCode::kUnreachable, ""},
    Reason{"banner exchange", ErrorCode::kUnreachable, ""},
    Reason{"Unable to negotiate", ErrorCode::kUnreachable, ""},
};

const Reason* reasonIn(std::string_view text) {
  const auto found = std::ranges::find_if(
      kReasons, [&](const Reason& reason) { return text.find(reason.words) != std::string_view::npos; });
  return found == kReasons.end() ? nullptr : &*found;
}

/// Lines that are about the end of a connection, or parts of a warning that our sentence stands for.
bool saysNothing(std::string_view line) {
  for (const char* words : {"@@@@", "mux_client", "Connection to ", "Shared connection to ", "Connection closed",
                            "Connection reset", "client_loop: ", "Control socket connect", "ControlSocket "}) {
    if (line.starts_with(words)) return true;
  }
  return line.empty() || reasonIn(line) != nullptr;
}

std::string lastLine(std::string_view text) {
  while (!text.empty() && std::strchr("\r\n", text.back())) text.remove_suffix(1);
  return std::string(text.substr(text.find_last_of("\r\n") + 1));
}

std::string lineWith(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  const std::size_t begin = text.find_last_of("\r\n", at) + 1;
  std::string_view line = text.substr(begin, text.find_first_of("\r\n", at) - begin);
  if (line.starts_with("ssh: ")) line.remove_prefix(5);
  return std::string(line);
}

/// So many bytes as the address of a socket has, less what ssh appends while it makes one.
constexpr std::size_t kLongestSocket = 107 - 18, kHashOfControlPath = 40;

std::vector<std::string> wordsOf(const Ssh& ssh, const SshTarget& host, const std::string& command, bool subsystem,
                                 const std::string& log) {
  std::vector<std::string> words = {ssh.program, "-T", "-x", "-E", log};
  const auto set = [&](std::string option) { words.insert(words.end(), {"-o", std::move(option)}); };
  set("LogLevel=INFO");
  set("ClearAllForwardings=yes");
  set("ForwardAgent=no");
  set("PermitLocalCommand=no");
  set("RemoteCommand=none");
  set("ServerAliveInterval=15");
  set("ServerAliveCountMax=4");
  set("ConnectTimeout=30");
  const fs::path folder = runtimeFolder("lanescope-ssh");
  if (folder.native().size() + 1 + kHashOfControlPath <= kLongestSocket && makeOurs(folder)) {
    set("ControlMaster=auto");
    set("ControlPersist=120");
    // In ssh's quotes, and a percent sign of the folder's own is not ssh's.
    std::string place;
    for (const char c : folder.native()) place += c == '%' ? std::string("%%") : std::string(1, c);
    set("ControlPath=\"" + place + "/%C\"");
  } else {
    set("ControlMaster=no");
    set("ControlPath=none");
  }
  if (host.port > 0) words.insert(words.end(), {"-p", std::to_string(host.port)});
  if (!host.user.empty()) words.insert(words.end(), {"-l", host.user});
  if (subsystem) words.emplace_back("-s");
  words.insert(words.end(), {"--", host.host, command});
  return words;
}

std::vector<std::string> environmentFor(const Ssh& ssh) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  if (ssh.askpass.empty()) return all;
  std::erase_if(all, [](const std::string& entry) {
    return entry.starts_with("SSH_ASKPASS=") || entry.starts_with("SSH_ASKPASS_REQUIRE=");
  });
  all.insert(all.end(), {"SSH_ASKPASS=" + ssh.askpass, "SSH_ASKPASS_REQUIRE=force", "LANESCOPE_ASKPASS=1"});
  all.insert(all.end(), ssh.forAskpass.begin(), ssh.forAskpass.end());
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

struct Pipe {
  UniqueFd read, write;
};

std::optional<Pipe> makePipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace

Ssh Ssh::fromEnvironment() {
  Ssh ssh;
  if (const char* program = std::getenv("LANESCOPE_SSH"); program != nullptr && *program != '\0') ssh.program = program;
  return ssh;
}

Error explain(const std::string& address, std::string_view log) {
  if (const Reason* reason = reasonIn(log); reason != nullptr)
    return {reason->code, address, reason->detail.empty() ? lineWith(log, reason->words) : std::string(reason->detail)};
  return {ErrorCode::kConnectionLost, address, lastLine(log)};
}

struct SshProcess::Child {
  Job job;
  std::string address;
  std::function<void(std::string_view)> onNotice;
  UniqueFd data, errors, log, logWriter, woken, process;
  pid_t id = 0;
  std::string outgoing;
  bool subsystem = false, closing = false, dataEnded = false;
  int exitStatus = -1;  // as of wait
  Lines logLines, errorLines;
  std::optional<std::stop_callback<std::function<void()>>> onStop;

  ~Child() {
    onStop.reset();
    if (id <= 0 || exitStatus >= 0) return;
    kill(id, SIGTERM);
    reap();
  }

  void reap() {
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    exitStatus = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  }

  /// All that is there now; true while more may come.
  bool drain(const UniqueFd& from, const std::function<void(std::string_view)>& hear) {
    std::array<char, 65536> bytes{};
    while (true) {
      const ssize_t got = read(from.get(), bytes.data(), bytes.size());
      if (got > 0) hear({bytes.data(), static_cast<std::size_t>(got)});
      else if (got == 0 || errno != EINTR) return got < 0 && errno == EAGAIN;
    }
  }

  void hearErrors(std::string* into) {
    if (!errors) return;
    const bool open = drain(errors, [&](std::string_view bytes) {
      if (into != nullptr) *into += bytes;
      errorLines.take(bytes, [&](std::string_view line) {
        if (into == nullptr && onNotice && !saysNothing(line)) onNotice(line);
      });
    });
    if (!open) errors = UniqueFd();
  }

  void hearLog() {
    drain(log, [&](std::string_view bytes) {
      logLines.take(bytes, [&](std::string_view line) {
        if (onNotice && !saysNothing(line)) onNotice(line);
      });
    });
  }

  void push() {
    while (!outgoing.empty()) {
      const ssize_t sent = ::send(data.get(), outgoing.data(), outgoing.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno != EAGAIN) outgoing.clear();  // it is gone; reading says so
      if (sent <= 0) return;
      outgoing.erase(0, static_cast<std::size_t>(sent));
    }
    if (closing) shutdown(data.get(), SHUT_WR);
    closing = false;
  }

  /// At most a piece, so that whoever reads decides how much lies in memory.
  std::size_t pull(std::string& into) {
    constexpr std::size_t kPiece = 256u << 10;
    const std::size_t before = into.size();
    into.resize(before + kPiece);
    ssize_t got = 0;
    do got = recv(data.get(), into.data() + before, kPiece, MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got < 0 && errno != EAGAIN)) dataEnded = true;
    into.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return into.size() - before;
  }
};

SshProcess::SshProcess(std::unique_ptr<Child> child) : child_(std::move(child)) {}
SshProcess::SshProcess(SshProcess&&) noexcept = default;
SshProcess& SshProcess::operator=(SshProcess&&) noexcept = default;
SshProcess::~SshProcess() = default;

Result<SshProcess> SshProcess::start(const Ssh& ssh, const SshTarget& host, const std::string& command, bool subsystem,
                                     const Job& job) {
  const std::string address = host.address();
  const auto refuse = [&](const std::string& why) {
    return tl::unexpected(Error{ErrorCode::kUnreachable, address, why});
  };
  if (const std::string_view why = whyNoHost(host.host); !why.empty())
    return tl::unexpected(Error{ErrorCode::kBadAddress, address, std::string(why)});
  auto child = std::make_unique<Child>();
  child->job = job;
  child->address = address;
  child->onNotice = ssh.onNotice;
  child->subsystem = subsystem;
  std::array<int, 2> ends{};
  std::optional<Pipe> log = makePipe(), errors = makePipe();
  if (!log || !errors || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return refuse(std::strerror(errno));
  child->data = UniqueFd(ends[0]);
  const UniqueFd theirs(ends[1]);
  child->woken = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));

  // A terminal stays ssh's own, so that a security key can ask to be touched; else what it says there comes to us.
  const bool onTerminal = ssh.askpass.empty() && subsystem && isatty(STDERR_FILENO) == 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDOUT_FILENO);
  if (!onTerminal) posix_spawn_file_actions_adddup2(&actions, errors->write.get(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  for (const int each : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&usual, each);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  // Away from the terminal, ssh of any age asks through the program.
  const short away = ssh.askpass.empty() ? 0 : POSIX_SPAWN_SETSID;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | away));

  // ssh opens its log by a name, and this pipe has one; that of our end goes once ssh is known to be done.
  const std::string name = fmt::format("/proc/{}/fd/{}", getpid(), log->write.get());
  std::vector<std::string> words = wordsOf(ssh, host, command, subsystem, name), environment = environmentFor(ssh);
  const int failed = posix_spawnp(&child->id, ssh.program.c_str(), &actions, &attributes, pointers(words).data(),
                                  pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    child->id = 0;
    return refuse(failed == ENOENT ? ssh.program + ": no such program here; install openssh-client"
                                   : ssh.program + ": " + std::strerror(failed));
  }
  child->process = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, child->id, 0)));
  child->log = std::move(log->read);
  child->logWriter = std::move(log->write);
  if (!onTerminal) child->errors = std::move(errors->read);
  child->onStop.emplace(job.token(), [woken = child->woken.get()] { eventfd_write(woken, 1); });
  return SshProcess(std::move(child));
}

void SshProcess::send(std::string_view bytes) { child_->outgoing += bytes; }
void SshProcess::closeInput() { child_->closing = true; }
int SshProcess::exitStatus() const { return child_->exitStatus; }

Result<bool> SshProcess::receive(std::string& into, std::string* errors) {
  Child& child = *child_;
  const std::size_t before = errors != nullptr ? errors->size() : 0;
  while (true) {
    child.push();
    const bool ended = child.exitStatus >= 0;
    const std::size_t got = child.dataEnded ? 0 : child.pull(into);
    child.hearErrors(errors);
    child.hearLog();
    if (got > 0 || (errors != nullptr && errors->size() > before)) return true;
    if (ended) return false;

    const short data = static_cast<short>((child.dataEnded ? 0 : POLLIN) | (child.outgoing.empty() ? 0 : POLLOUT));
    std::array<pollfd, 5> waiting{{{child.woken.get(), POLLIN, 0},
                                   {child.process.get(), POLLIN, 0},
                                   {child.log.get(), POLLIN, 0},
                                   {child.errors.get(), POLLIN, 0},
                                   {data != 0 ? child.data.get() : -1, data, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR)
      return tl::unexpected(Error{ErrorCode::kConnectionLost, child.address, std::strerror(errno)});
    if (child.job.cancelled()) return tl::unexpected(Error{ErrorCode::kCancelled, child.address, ""});
    if (waiting[1].revents != 0) child.reap();
  }
}

Error SshProcess::failure() const {
  // What a jump host's ssh says comes the way on which a command's own words would.
  return explain(child_->address, (child_->subsystem ? child_->errorLines.all : "") + child_->logLines.all);
}

Result<int> run(const Ssh& ssh, const SshTarget& host, const std::vector<std::string>& words, const Streams& streams,
                const Job& job) {
  constexpr int kOfSsh = 255;
  // A status of 255 is ssh's own, so a command's becomes 254.
  std::vector<std::string> line = {"exec", "sh", "-c", "\"$@\"; s=$?; test $s != 255 || s=254; exit $s", "sh"};
  line.insert(line.end(), words.begin(), words.end());
  auto process = SshProcess::start(ssh, host, shellWords(line), false, job);
  if (!process) return tl::unexpected(process.error());
  process->send(streams.input);
  process->closeInput();
  std::string output, errors;
  while (true) {
    const Result<bool> more = process->receive(output, &errors);
    if (!more) return tl::unexpected(more.error());
    if (streams.onOutput && !output.empty()) streams.onOutput(output);
    if (streams.onErrors && !errors.empty()) streams.onErrors(errors);
    output.clear();
    errors.clear();
    if (!*more) break;
  }
  if (process->exitStatus() == kOfSsh) return tl::unexpected(process->failure());
  return process->exitStatus();
}

}  // namespace lanescope::remote
