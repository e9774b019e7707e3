// SPDX-License-Identifier: Apache-2.0
#include "model/import/archive_unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/import/archive_inflate.h"
#include "model/unique_fd.h"
#include "model/utf8.h"

namespace lanescope::imported {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kBlock = std::size_t{128} << 10;
constexpr int kMostLayers = 4;  // gzip in tar in gzip is two more than anyone needs

bool isGzip(std::string_view head) { return head.starts_with("\x1f\x8b\x08"sv); }

/// What systems put beside the files that a person packed.
bool isLeftover(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') + 1);
  return name.starts_with("__MACOSX/") || file.starts_with("._") || file == ".DS_Store";
}

struct CloseArchive {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, CloseArchive>;

Archive newArchive() {
  Archive a(archive_read_new());
  for (const auto support :
       {archive_read_support_filter_zstd, archive_read_support_filter_xz, archive_read_support_filter_bzip2,
        archive_read_support_filter_lz4, archive_read_support_format_zip, archive_read_support_format_tar,
        archive_read_support_format_7zip, archive_read_support_format_raw})
    support(a.get());
  return a;
}

class Unpacker {
 public:
  Unpacker(std::string subject, UniqueFd file, const UnpackTo& to, std::atomic<std::uint64_t>& read)
      : subject_(std::move(subject)), file_(std::move(file)), to_(to), read_(read), block_(kBlock) {}

  std::optional<Error> run() {
    document({}, [this] { return readFile(); }, 0);
    return std::move(failure_);
  }

 private:
  std::string_view readFile() {
    ssize_t got = 0;
    do got = read(file_.get(), block_.data(), block_.size());
    while (got < 0 && errno == EINTR);
    if (got < 0) {
      failure_ = Error{ErrorCode::kUnreadable, subject_, std::strerror(errno)};
      return {};
    }
    read_ += static_cast<std::uint64_t>(got);
    return {block_.data(), static_cast<std::size_t>(got)};
  }

  void damaged(std::string_view why) {
    if (!failure_) failure_ = Error{ErrorCode::kDamaged, subject_, repairUtf8(why)};
  }

  void document(const std::string& name, const Pull& blocks, int layer) {
    std::string head;
    while (head.size() < kPackedHead) {
      const std::string_view block = blocks();
      if (block.empty()) break;
      head += block;
    }
    bool first = true;
    const Pull all = [&] { return std::exchange(first, false) && !head.empty() ? std::string_view(head) : blocks(); };
    if (layer < kMostLayers && isGzip(head)) {
      Inflater inflater(all);
      document(name, [&inflater] { return inflater.pull(); }, layer + 1);
      if (!inflater.failure().empty()) damaged(inflater.failure());
    } else if (layer < kMostLayers && isPacked(head)) {
      Archive a = newArchive();
      Pull source = all;
      const bool opened = layer == 0 && isSeekable()
                              ? archive_read_open_fd(a.get(), file_.get(), kBlock) == ARCHIVE_OK
                              : archive_read_open(a.get(), &source, nullptr, pullBlock, nullptr) == ARCHIVE_OK;
      if (opened) members(a.get(), name, layer);
      else damaged(errorOf(a.get()));
    } else {
      enough_ = enough_ || !to_.document(name);
      for (std::string_view block = all(); !enough_ && !block.empty(); block = all()) enough_ = !to_.bytes(block);
    }
  }

  /// Some archives say at their end what is in them.
  bool isSeekable() { return lseek(file_.get(), 0, SEEK_SET) == 0; }

  static la_ssize_t pullBlock(archive*, void* source, const void** bytes) {
    const std::string_view block = (*static_cast<Pull*>(source))();
    *bytes = block.data();
    return static_cast<la_ssize_t>(block.size());
  }

  static std::string errorOf(archive* a) {
    const char* const why = archive_error_string(a);
    return why != nullptr ? why : "it is damaged";
  }

  void members(archive* a, const std::string& outer, int layer) {
    archive_entry* entry = nullptr;
    while (!enough_) {
      const int result = archive_read_next_header(a, &entry);
      if (result == ARCHIVE_EOF) return;
      if (result == ARCHIVE_RETRY) continue;
      if (result < ARCHIVE_WARN) return damaged(errorOf(a));
      const bool isRaw = archive_format(a) == ARCHIVE_FORMAT_RAW;
      const char* const path = archive_entry_pathname(entry);
      const std::string name = isRaw || path == nullptr ? outer : repairUtf8(path);
      if (!isRaw && (archive_entry_filetype(entry) != AE_IFREG || isLeftover(name))) continue;
      document(name, [&] { return readMember(a, layer); }, layer + 1);
    }
  }

  std::string_view readMember(archive* a, int layer) {
    for (;;) {
      const void* bytes = nullptr;
      std::size_t size = 0;
      la_int64_t offset = 0;
      const int result = archive_read_data_block(a, &bytes, &size, &offset);
      if (layer == 0) read_ = static_cast<std::uint64_t>(std::max<la_int64_t>(archive_filter_bytes(a, -1), 0));
      if (result == ARCHIVE_RETRY) continue;
      if (result < ARCHIVE_WARN) damaged(errorOf(a));
      if (result == ARCHIVE_EOF || result < ARCHIVE_WARN) return {};
      if (size > 0) return {static_cast<const char*>(bytes), size};
    }
  }

  std::string subject_;
  UniqueFd file_;
  const UnpackTo& to_;
  std::atomic<std::uint64_t>& read_;
  std::vector<char> block_;
  std::optional<Error> failure_;
  bool enough_ = false;
};

}  // namespace

std::optional<Error> unpack(const std::filesystem::path& path, const UnpackTo& to, std::atomic<std::uint64_t>& read) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return Error{ErrorCode::kUnreadable, path.string(), std::strerror(errno)};
  return Unpacker(path.string(), std::move(file), to, read).run();
}

}  // namespace lanescope::imported
