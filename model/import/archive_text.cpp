// SPDX-License-Identifier: Apache-2.0
#include "model/import/archive_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "model/import/archive_unpack.h"
#include "model/report/new_file.h"
#include "model/unique_fd.h"

namespace lanescope::imported {

namespace {

struct Block {
  bool begins = false;  // a document, and `bytes` is its name
  std::string bytes;
};

/// Between the two threads. Either end may stop it.
class Queue {
 public:
  /// Waits while there is enough to read; false when nobody reads any more.
  bool put(Block block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return blocks_.size() < kMost || closed_; });
    if (closed_) return false;
    blocks_.push_back(std::move(block));
    changed_.notify_all();
    return true;
  }
  void finish(std::optional<Error> failure) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::move(failure);
    finished_ = true;
    changed_.notify_all();
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  /// Waits; none at the end.
  std::optional<Block> take(std::optional<Error>& failure) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !blocks_.empty() || finished_; });
    if (blocks_.empty()) {
      failure = failure_;
      return std::nullopt;
    }
    Block block = std::move(blocks_.front());
    blocks_.pop_front();
    changed_.notify_all();
    return block;
  }

 private:
  static constexpr std::size_t kMost = 16;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;
  std::optional<Error> failure_;
  bool finished_ = false, closed_ = false;
};

class PackedText : public TextSource {
 public:
  explicit PackedText(const std::filesystem::path& path) : thread_([this, path] { unpackAll(path); }) {
    std::error_code ignored;
    size_ = std::filesystem::file_size(path, ignored);
  }
  ~PackedText() override { queue_.close(); }

  bool nextDocument(std::string& name) override {
    while (!ended_ && (!block_ || !block_->begins)) advance();
    if (ended_) return false;
    name = block_->bytes;
    advance();
    return true;
  }

  std::size_t read(char* to, std::size_t size) override {
    if (ended_ || block_->begins) return 0;
    const std::size_t some = std::min(size, block_->bytes.size() - used_);
    std::copy_n(block_->bytes.data() + used_, some, to);
    used_ += some;
    if (used_ == block_->bytes.size()) advance();
    return some;
  }

  const std::optional<Error>& failure() const override { return failure_; }

  double fraction() const override {
    return std::min(1.0, static_cast<double>(read_) / static_cast<double>(std::max<std::uintmax_t>(size_, 1)));
  }

 private:
  void unpackAll(const std::filesystem::path& path) {
    const UnpackTo to = {[this](std::string_view name) { return queue_.put({true, std::string(name)}); },
                         [this](std::string_view bytes) { return queue_.put({false, std::string(bytes)}); }};
    queue_.finish(unpack(path, to, read_));
  }

  void advance() {
    block_ = queue_.take(failure_);
    used_ = 0;
    ended_ = !block_;
  }

  Queue queue_;
  std::atomic<std::uint64_t> read_ = 0;
  std::uintmax_t size_ = 0;
  std::optional<Block> block_;
  std::size_t used_ = 0;
  bool ended_ = false;
  std::optional<Error> failure_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

Result<bool> isPackedFile(const std::filesystem::path& path) {
  const auto plain = openPlainText(path, 0);
  if (!plain) return tl::unexpected(plain.error());
  std::string head(kPackedHead, '\0');
  head.resize((*plain)->read(head.data(), head.size()));
  if (const auto& failure = (*plain)->failure()) return tl::unexpected(*failure);
  if (head.empty()) return tl::unexpected(Error{ErrorCode::kEmpty, path.string(), {}});
  return isPacked(head);
}

Result<std::unique_ptr<TextSource>> openText(const std::filesystem::path& path) {
  const Result<bool> packed = isPackedFile(path);
  if (!packed) return tl::unexpected(packed.error());
  if (*packed) return std::make_unique<PackedText>(path);
  return openPlainText(path, 0);
}

Result<void> unpackInto(const std::filesystem::path& path, const std::filesystem::path& destination, std::uint64_t most,
                        const Job& job) {
  const auto temporary = report::createBeside(destination, report::IfExists::kReplace);
  if (!temporary) return tl::unexpected(temporary.error());
  std::optional<Error> problem;
  {
    const UniqueFd file(open(temporary->c_str(), O_WRONLY | O_CLOEXEC));
    const auto write = [&](std::string_view bytes) {
      bytes = bytes.substr(0, most);
      most -= bytes.size();
      while (!bytes.empty()) {
        const ssize_t done = ::write(file.get(), bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) {
          problem = writeError(destination.string(), errno);
          return false;
        }
        bytes.remove_prefix(static_cast<std::size_t>(done));
      }
      if (job.cancelled()) problem = Error{ErrorCode::kCancelled, path.string(), {}};
      return !problem && most > 0;
    };
    std::atomic<std::uint64_t> read = 0;
    const std::optional<Error> failure = unpack(path, {[](std::string_view) { return true; }, write}, read);
    if (!problem && failure && failure->code != ErrorCode::kDamaged) problem = failure;
  }
  if (!problem) {
    if (const Result<void> moved = report::moveIntoPlace(*temporary, destination, report::IfExists::kReplace); !moved)
      problem = moved.error();
  }
  if (!problem) return {};
  std::error_code ignored;
  std::filesystem::remove(*temporary, ignored);
  return tl::unexpected(*problem);
}

}  // namespace lanescope::imported
