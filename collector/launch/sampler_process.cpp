// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/sampler_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "collector/launch/clock.h"
#include "collector/launch/find_cupti.h"
#include "collector/sample/sampler.h"

namespace lanescope::launch {
namespace {

/// The driver and CUPTI take a second; more where many GPUs wake up.
constexpr trace::Ns kStartAtMost = 30 * kSecond, kFinishAtMost = 10 * kSecond;

std::optional<std::string> programsVariable(const Options& options, const std::string& name) {
  for (auto at = options.environment.rbegin(); at != options.environment.rend(); ++at) {
    if (at->first == name) return at->second;
  }
  const char* ours = options.inheritEnvironment ? std::getenv(name.c_str()) : nullptr;
  return ours ? std::optional<std::string>(ours) : std::nullopt;
}

/// The libraries to try: the toolkit's first, because the program's own may be too old.
std::vector<std::string> cuptis(const Options& options, const std::filesystem::path& programs) {
  const ReadVariable environment = [&](const std::string& name) { return programsVariable(options, name); };
  std::vector<std::string> found;
  for (const std::filesystem::path& path : {findCupti({.interpreter = {}, .environment = environment}), programs}) {
    if (!path.empty()) found.push_back(path.string());
  }
  return found;
}

[[noreturn]] void becomeSampler(const Options& options, std::vector<std::string> words, int socket) {
  setsid();
  if (fork() != 0) _exit(0);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, standard);
  fcntl(socket, F_SETFD, 0);
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
    const auto value = programsVariable(options, name);
    value ? setenv(name, value->c_str(), 1) : unsetenv(name);
  }
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv("/proc/self/exe", arguments.data());
  _exit(127);
}

}  // namespace

tl::expected<SamplerProcess, std::string> SamplerProcess::start(const Options& options,
                                                                const std::filesystem::path& session,
                                                                const std::filesystem::path& cupti,
                                                                const std::function<void(const std::string&)>& say) {
  SamplerProcess sampler;
  if (options.gpuMetrics.empty()) return sampler;
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    say("no GPU metrics: this process has too many files open");
    return sampler;
  }
  std::vector<std::string> words{"lanescope", "sample-gpu", session.string(), std::to_string(sockets[1])};
  for (std::string& path : cuptis(options, cupti)) words.push_back(std::move(path));
  const pid_t between = fork();
  if (between == 0) becomeSampler(options, std::move(words), sockets[1]);
  close(sockets[1]);
  sampler.socket_ = sockets[0];
  while (between > 0 && waitpid(between, nullptr, 0) < 0 && errno == EINTR) {
  }
  for (const trace::Ns until = monotonicNow() + kStartAtMost;;) {
    const std::string line = sampler.hear(until);
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string word = line.substr(0, space), text = line.substr(std::min(space + 1, line.size()));
    if (word == "ready") {
      sampler.sources_ = static_cast<std::size_t>(std::max(0, std::atoi(text.c_str())));
      return sampler;
    }
    if (word == "refuse") return tl::unexpected(text);
    if (word == "say") say(sampler.said_.emplace_back(text));
    if (word == "pid") sampler.process_ = std::atoi(text.c_str());
    if (line.empty()) {
      say("no GPU metrics: the process that samples them did not start");
      return SamplerProcess();
    }
  }
}

SamplerProcess::SamplerProcess(SamplerProcess&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      process_(std::exchange(other.process_, 0)),
      sources_(other.sources_),
      heard_(std::move(other.heard_)),
      said_(std::move(other.said_)) {}

SamplerProcess& SamplerProcess::operator=(SamplerProcess&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(process_, other.process_);
  std::swap(sources_, other.sources_);
  std::swap(heard_, other.heard_);
  std::swap(said_, other.said_);
  return *this;
}

// Its end of the socket tells it that nobody waits any more.
SamplerProcess::~SamplerProcess() {
  if (socket_ >= 0) close(socket_);
}

bool SamplerProcess::hasSaid(std::string_view line) const {
  return std::find(said_.begin(), said_.end(), line) != said_.end();
}

std::string SamplerProcess::hear(trace::Ns until) {
  for (;;) {
    if (const std::size_t end = heard_.find('\n'); end != std::string::npos) {
      std::string line = heard_.substr(0, end);
      heard_.erase(0, end + 1);
      return line;
    }
    const trace::Ns left = until - monotonicNow();
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left / 1'000'000) + 1) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return {};
    char bytes[512];
    const ssize_t count = recv(socket_, bytes, sizeof bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return {};
    heard_.append(bytes, static_cast<std::size_t>(count));
  }
}

void SamplerProcess::finish() {
  if (socket_ < 0) return;
  const trace::Ns until = monotonicNow() + kFinishAtMost;
  while (!hear(until).empty()) {
  }
  // Still there after that time, it hangs in the driver; what it wrote so far counts.
  char byte = 0;
  const ssize_t left = recv(socket_, &byte, 1, MSG_DONTWAIT);
  if (left < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && process_ > 0) kill(process_, SIGKILL);
  close(std::exchange(socket_, -1));
}

int sampleGpus(const std::vector<std::string>& words) {
  if (words.empty()) return 2;
  const int launcher = words.size() > 1 ? std::atoi(words[1].c_str()) : -1;
  return sample::sampleGpus(
      words[0], launcher,
      {words.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(words.size(), 2)), words.end()});
}

}  // namespace lanescope::launch
