// SPDX-License-Identifier: Apache-2.0
#include "model/report/file_kind.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "model/format.h"
#include "model/report/file_magic.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::size_t kHead = 16 << 10;  ///< a licence may stand before what tells
constexpr std::size_t kHeaderSize = 100;
constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr std::string_view kVendorMagic = "NVIDIA Tegra Profiler Report";
constexpr std::string_view kLfsMagic = "version https://git-lfs";

std::uint32_t bigEndian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < size; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

ErrorCode codeOf(int systemError) {
  switch (systemError) {
    case ENOENT:
    case ENOTDIR:
      return ErrorCode::kNotFound;
    case EACCES:
    case EPERM:
      return ErrorCode::kNoPermission;
    default:
      return ErrorCode::kUnreadable;
  }
}

Error systemError(const fs::path& path, int error) {
  const ErrorCode code = codeOf(error);
  return {code, path.string(), code == ErrorCode::kUnreadable ? std::strerror(error) : ""};
}

/// Up to kHead bytes from the beginning; what kept it from that.
std::optional<Error> readHead(const fs::path& path, std::string& head) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) return systemError(path, errno);
  head.resize(kHead);
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get())) return systemError(path, errno);
  return std::nullopt;
}

/// A report of Nsight Systems as a person calls it: ".nsys-rep of version 2024.6.2"; empty for other files.
std::string vendorReport(const fs::path& path, std::string_view bytes) {
  const std::string extension = path.extension().string();
  const bool isNamedSo = extension == ".nsys-rep" || extension == ".qdrep";
  if (!bytes.starts_with(kVendorMagic)) return isNamedSo ? extension : "";
  std::string_view version = bytes.substr(kVendorMagic.size());
  version = version.substr(0, std::min(version.find_first_of("-\n"), std::size_t{32}));
  while (!version.empty() && (version.front() == ' ' || version.front() == '.')) version.remove_prefix(1);
  while (!version.empty() && (version.back() == ' ' || version.back() == '.')) version.remove_suffix(1);
  std::string dotted(version);
  std::ranges::replace(dotted, '@', '.');
  const bool isOld = version.find('@') == std::string_view::npos;
  return (isNamedSo ? extension : isOld ? ".qdrep" : ".nsys-rep") + (dotted.empty() ? "" : " of version " + dotted);
}

/// What a file is that holds neither SQLite nor, perhaps, JSON.
Error otherError(const fs::path& path, std::string_view bytes) {
  if (bytes.starts_with(kLfsMagic)) return {ErrorCode::kLfsPointer, path.string(), ""};
  if (const auto other = otherFile(bytes))
    return {ErrorCode::kNotAReport, path.string(), std::string(other->what), std::string(other->remedy)};
  if (const std::string report = vendorReport(path, bytes); !report.empty())
    return {ErrorCode::kVendorReport, path.string(), report};
  return {ErrorCode::kNotAReport, path.string(),
          "is neither a .rep nor an SQLite export of Nsight Systems nor a trace of a tool that is known"};
}

/// What contradicts the header of an SQLite file of this size; empty if nothing does.
std::string contradiction(std::string_view bytes, std::uint64_t fileSize) {
  if (bytes.size() < kHeaderSize) return "cut off after " + std::to_string(bytes.size()) + " bytes";
  const std::uint32_t stored = bigEndian(bytes, 16, 2);
  const std::uint32_t pageSize = stored == 1 ? 65536 : stored;  // 65536 does not fit into the two bytes
  if (pageSize < 512 || !std::has_single_bit(pageSize)) return "its header names no valid page size";
  // The page count is only kept by writers that also keep the two counters equal.
  const bool countIsKept = bigEndian(bytes, 24, 4) == bigEndian(bytes, 92, 4);
  const std::uint64_t pages = countIsKept ? bigEndian(bytes, 28, 4) : 1;
  if (fileSize < pages * pageSize) {
    return "cut off: " + formatBytes(fileSize) + " of " + formatBytes(pages * pageSize) + " are there";
  }
  return "";
}

}  // namespace

namespace {

/// Also its first bytes.
Result<FileKind> look(const fs::path& path, std::string& head) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return tl::unexpected(systemError(path, error ? error.value() : ENOENT));
  }
  if (fs::is_directory(status)) return tl::unexpected(Error{ErrorCode::kIsFolder, path.string(), ""});
  if (!fs::is_regular_file(status)) {
    return tl::unexpected(Error{ErrorCode::kNotAReport, path.string(), "is a pipe or a device, not a file"});
  }
  if (const auto failed = readHead(path, head)) return tl::unexpected(*failed);
  if (head.empty()) return tl::unexpected(Error{ErrorCode::kEmpty, path.string(), ""});
  if (head.starts_with(kSqliteMagic)) return FileKind::kSqlite;
  if (isPacked(head) || beginsLikeJson(head)) return FileKind::kJson;
  return tl::unexpected(otherError(path, head));
}

}  // namespace

Result<FileKind> fileKind(const fs::path& path) {
  std::string head;
  return look(path, head);
}

Result<Header> readHeader(const fs::path& path) {
  std::string head;
  const Result<FileKind> kind = look(path, head);
  if (!kind) return tl::unexpected(kind.error());
  if (*kind != FileKind::kSqlite)
    return tl::unexpected(
        Error{ErrorCode::kNotAReport, path.string(), "is neither a .rep nor an SQLite export of Nsight Systems"});
  const std::string_view bytes = std::string_view(head).substr(0, kHeaderSize);
  std::error_code error;
  const std::uint64_t fileSize = fs::file_size(path, error);
  if (error) return tl::unexpected(systemError(path, error.value()));
  if (std::string what = contradiction(bytes, fileSize); !what.empty()) {
    return tl::unexpected(Error{ErrorCode::kDamaged, path.string(), std::move(what)});
  }
  return Header{.applicationId = bigEndian(bytes, 68, 4), .userVersion = bigEndian(bytes, 60, 4)};
}

bool isPacked(std::string_view head) {
  constexpr std::string_view kBegins[] = {"\x1f\x8b",
                                          "PK\x03\x04",
                                          "PK\x05\x06",
                                          "\x28\xb5\x2f\xfd",
                                          "\xfd"
                                          "7zXZ\0"sv,
                                          "BZh",
                                          "\x04\x22\x4d\x18",
                                          "7z\xbc\xaf\x27\x1c"};
  constexpr std::size_t kTarMark = 257;
  return (head.size() > kTarMark && head.substr(kTarMark).starts_with("ustar")) ||
         std::ranges::any_of(kBegins, [head](std::string_view begin) { return head.starts_with(begin); });
}

bool beginsLikeJson(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  for (;;) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n\f\v"), head.size()));
    const std::string_view end = head.starts_with("//") ? "\n" : head.starts_with("/*") ? "*/" : "";
    if (end.empty()) return head.starts_with('{') || head.starts_with('[');
    const std::size_t at = head.find(end, 2);
    if (at == std::string_view::npos) return true;  // a long comment
    head.remove_prefix(at + end.size());
  }
}

}  // namespace lanescope::report
