// SPDX-License-Identifier: Apache-2.0
#include "app/cli/file_workers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "app/cli/remote_file.h"
#include "model/utf8.h"

namespace lanescope::cli {
namespace {

constexpr int kUnfinished = 3;

UniqueFd namelessFile() {
  std::error_code ignored;
  std::string folder = std::filesystem::temp_directory_path(ignored).string();
  if (folder.empty()) folder = "/tmp";
  if (const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); file >= 0) return UniqueFd(file);
  std::string name = folder + "/lanescope-XXXXXX";  // a file system that has no O_TMPFILE
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return UniqueFd(file);
}

struct Running {
  pid_t process = -1;
  Left left;
};

Running begin(const std::string& path, const std::function<int(const std::string& path, int answer)>& work) {
  Running running{.left = {.out = namelessFile(), .err = namelessFile(), .answer = namelessFile()}};
  const Left& left = running.left;
  if (!left.out || !left.err || !left.answer) return running;
  std::fflush(stdout);  // else both processes would write it
  running.process = fork();
  if (running.process != 0) return running;
  dup2(left.out.get(), STDOUT_FILENO);
  dup2(left.err.get(), STDERR_FILENO);
  const int status = work(path, left.answer.get());
  _exit(std::max(status, finishOutput()));  // stderr is not buffered
}

/// What a process ended with, said if it is not what `work` returned.
int statusOf(const Running& running, const std::string& path) {
  std::string why;
  int status = 0;
  if (running.process < 0) {
    why = "no process could be started for it";
  } else {
    while (waitpid(running.process, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    why = fmt::format("the process that read it was ended by signal {}", WTERMSIG(status));
  }
  fmt::print(stderr, "lanescope: {}: {}; free memory and space for temporary files, or give it alone\n",
             repairUtf8(shownName(path)), why);
  return kUnfinished;
}

}  // namespace

MappedFile::MappedFile(int file) {
  struct stat about{};
  if (file < 0 || fstat(file, &about) != 0 || about.st_size <= 0) return;
  size_ = static_cast<std::size_t>(about.st_size);
  pages_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
  if (pages_ == MAP_FAILED) pages_ = nullptr, size_ = 0;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (pages_ != nullptr) munmap(pages_, size_);
}

void Left::say() const {
  if (const MappedFile said(out.get()); !said.bytes().empty()) put(said.bytes());
  sayErrors();
}

void Left::sayErrors() const {
  if (const MappedFile said(err.get()); !said.bytes().empty()) fmt::print(stderr, "{}", said.bytes());
}

int onEachFile(const std::vector<std::string>& paths,
               const std::function<int(const std::string& path, int answer)>& work,
               const std::function<void(std::size_t i, const Left& left)>& done) {
  const std::size_t atOnce = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Running> running;
  int worst = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    while (running.size() < std::min(paths.size(), i + atOnce)) running.push_back(begin(paths[running.size()], work));
    Left left = std::move(running[i].left);
    left.status = statusOf(running[i], paths[i]);
    worst = std::max(worst, left.status);
    done(i, left);
  }
  return worst;
}

bool writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace lanescope::cli
