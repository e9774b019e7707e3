// SPDX-License-Identifier: Apache-2.0
#include "model/remote/fetch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "model/format.h"

namespace lanescope::remote {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kCompared = 1u << 20;  // of what was there before, its end

tl::unexpected<Error> stillWritten(const Identity& identity, std::string why) {
  return tl::unexpected(Error{ErrorCode::kStillWritten, identity.target.address(), std::move(why)});
}

/// The file under way, taken in order.
class Part {
 public:
  explicit Part(const fs::path& path)
      : path_(path), file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600)) {
    struct stat found{};
    if (file_ && fstat(file_.get(), &found) == 0) size_ = static_cast<std::uint64_t>(found.st_size);
  }
  ~Part() {
    if (file_) fdatasync(file_.get());  // what is to be gone on with is to be what it seems
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  bool good() const { return static_cast<bool>(file_); }
  std::uint64_t size() const { return size_; }

  bool holds(std::uint64_t at, std::string_view bytes) const {
    std::string here(bytes.size(), '\0');
    const ssize_t got = pread(file_.get(), here.data(), here.size(), static_cast<off_t>(at));
    return got == static_cast<ssize_t>(here.size()) && here == bytes;
  }

  Result<void> append(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = pwrite(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(size_));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return tl::unexpected(writeError(path_.parent_path().parent_path(), errno));
      size_ += static_cast<std::uint64_t>(put);
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return {};
  }

  bool clear() { return ftruncate(file_.get(), static_cast<off_t>(size_ = 0)) == 0; }

 private:
  fs::path path_;
  UniqueFd file_;
  std::uint64_t size_ = 0;
};

/// Whether the end of what is there is what the server has.
Result<bool> goesOn(Sftp& sftp, const Part& part) {
  std::uint64_t at = part.size() - std::min(part.size(), kCompared);
  bool same = true;
  const auto read = sftp.read({{at, part.size()}}, [&](std::string_view bytes) -> Result<void> {
    same = same && part.holds(at, bytes);
    at += bytes.size();
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  return same && at == part.size();
}

/// What came is what was asked for: the file there is as it was, and the copy has its content.
Result<void> verify(Sftp& sftp, const Identity& identity, const fs::path& part) {
  const Result<FileFacts> opened = sftp.lookAtOpen(), named = opened ? sftp.look(identity.target.path) : opened;
  if (!named) return tl::unexpected(named.error());
  const FileFacts& facts = identity.facts;
  if (opened->size != facts.size)
    return stillWritten(identity, fmt::format("it went from {} to {} while it was fetched", formatBytes(facts.size),
                                              formatBytes(opened->size)));
  if (*opened != facts || *named != facts || contentKey(part) != identity.content)
    return stillWritten(identity, "it changed while it was fetched");
  return {};
}

}  // namespace

Result<Identity> identify(Sftp& sftp, const std::string& path) {
  Identity identity{.target = sftp.host().at(path), .facts = {}, .content = {}};
  const std::string address = identity.target.address();
  const Result<FileFacts> seen = sftp.look(path);
  if (!seen) return tl::unexpected(seen.error());
  if (seen->isFolder || path.ends_with('/')) return tl::unexpected(Error{ErrorCode::kIsFolder, address, ""});
  if (!seen->isFile)  // opening a FIFO would wait
    return tl::unexpected(Error{ErrorCode::kUnreadableThere, address, "it is a device or a FIFO"});
  for (const char* journal : {"-wal", "-journal"}) {
    const Result<FileFacts> beside = sftp.look(path + journal);
    if (beside && beside->size > 0)
      return stillWritten(identity, fmt::format("{}{} lies beside it", identity.target.fileName(), journal));
    if (!beside && beside.error().code != ErrorCode::kGoneThere && beside.error().code != ErrorCode::kUnreadableThere)
      return tl::unexpected(beside.error());
  }
  const Result<FileFacts> facts = sftp.open(path);
  if (!facts) return tl::unexpected(facts.error());
  identity.facts = *facts;
  std::string sampled;
  const auto read = sftp.read(samplesOf(facts->size), [&](std::string_view bytes) -> Result<void> {
    sampled += bytes;
    return {};
  });
  if (!read) return tl::unexpected(read.error());
  identity.content = contentKey(facts->size, sampled);
  return identity;
}

Result<Fetched> fetch(Sftp& sftp, const Identity& identity, const RemoteCache& cache,
                      const std::function<void(const Transfer&)>& progress, const Job& job) {
  Fetched fetched{.copy = {}, .address = identity.target.address()};
  auto place = cache.enter(identity, job);
  if (!place) return tl::unexpected(place.error());
  fetched.copy = std::move(*place);
  if (fetched.copy.whole) {
    fetched.wasKept = true;
    return fetched;
  }
  const RemoteCache::Others others = cache.dropOthers(identity);
  if (others.whole) fetched.remark = "it changed since it was last fetched; this is the new one";
  else if (others.part) fetched.remark = "it changed since its transfer broke off, which begins anew";

  {
    Part part(fetched.copy.part());
    if (!part.good()) return tl::unexpected(writeError(fetched.copy.part(), errno));
    const std::uint64_t size = identity.facts.size;
    const Result<bool> same = part.size() <= size ? goesOn(sftp, part) : false;
    if (!same) return tl::unexpected(same.error());
    if (!*same) {
      part.clear();
      fetched.remark = "what came over before is not what is there; its transfer begins anew";
    } else if (part.size() > 0) {
      fetched.remark = fmt::format("went on after {} of an earlier transfer", formatBytes(part.size()));
    }
    if (const auto room = cache.makeRoom(fetched.copy, size - part.size()); !room) return tl::unexpected(room.error());

    Transfer transfer{part.size(), size, part.size()};
    const auto tell = [&] {
      if (progress) progress(transfer);
    };
    tell();
    auto read = sftp.read({{part.size(), size}}, [&](std::string_view bytes) {
      auto put = part.append(bytes);
      transfer.done = part.size();
      tell();
      return put;
    });
    if (!read) {
      Error& error = read.error();
      if (error.code == ErrorCode::kDiskFull) part.clear();  // gives back what it can
      if (error.code == ErrorCode::kConnectionLost)
        error.detail = fmt::format("after {} of {}", formatBytes(transfer.done), formatBytes(size));
      if (error.subject == sftp.host().address()) error.subject = fetched.address;
      return tl::unexpected(error);
    }
    if (const auto good = verify(sftp, identity, fetched.copy.part()); !good) {
      if (good.error().code == ErrorCode::kStillWritten) part.clear();
      return tl::unexpected(good.error());
    }
  }
  if (const auto finished = fetched.copy.finish(); !finished) return tl::unexpected(finished.error());
  return fetched;
}

Result<Fetched> fetch(const Ssh& ssh, const SshTarget& target, const std::function<void(const Transfer&)>& progress,
                      const Job& job) {
  auto sftp = Sftp::connect(ssh, target, job);
  if (!sftp) return tl::unexpected(sftp.error());
  const auto identity = identify(*sftp, target.path);
  if (!identity) return tl::unexpected(identity.error());
  return fetch(*sftp, *identity, RemoteCache(), progress, job);
}

std::string Pace::text(const Transfer& transfer, std::int64_t now) {
  constexpr std::int64_t kSecond = 1'000'000'000, kSpan = 5 * kSecond, kShortest = kSecond / 2;
  if (marks_.empty() || now - marks_.back().time >= kShortest / 5) marks_.push_back({now, transfer.done});
  while (marks_.size() > 2 && now - marks_[1].time >= kSpan) marks_.pop_front();
  std::string text = fmt::format("{} of {}", formatBytes(transfer.done), formatBytes(transfer.whole));
  const std::int64_t time = now - marks_.front().time;
  const std::uint64_t came = transfer.done - std::min(marks_.front().done, transfer.done);
  if (time < kShortest || came == 0) return text;
  text += ", " + formatRate(came, time);
  const auto left = static_cast<std::int64_t>(static_cast<double>(transfer.whole - transfer.done) /
                                              static_cast<double>(came) * static_cast<double>(time) / kSecond);
  if (transfer.done >= transfer.whole) return text;
  if (left >= 3600) return text + fmt::format(", {} h {:02} min left", left / 3600, left / 60 % 60);
  if (left >= 60) return text + fmt::format(", {} min {:02} s left", left / 60, left % 60);
  return text + fmt::format(", {} s left", left + 1);
}

}  // namespace lanescope::remote
