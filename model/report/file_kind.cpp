// SPDX-License-Identifier: Apache-2.0
#include "model/report/file_kind.h"

#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "model/format.h"

namespace lanescope::report {
namespace {

namespace fs = std::filesystem;

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

/// Up to 100 bytes from the beginning.
Result<std::string> firstBytes(const fs::path& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) return tl::unexpected(systemError(path, errno));
  std::string bytes(kHeaderSize, '\0');
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file.get()));
  if (std::ferror(file.get())) return tl::unexpected(systemError(path, errno));
  return bytes;
}

/// The extension that a vendor's report has, without the dot; empty for other files.
std::string vendorKind(const fs::path& path, std::string_view bytes) {
  const std::string extension = path.extension().string();
  if (extension == ".nsys-rep" || extension == ".qdrep") return extension.substr(1);
  return bytes.starts_with(kVendorMagic) ? "nsys-rep" : "";
}

Error notSqlite(const fs::path& path, std::string_view bytes) {
  if (bytes.starts_with(kLfsMagic)) return {ErrorCode::kLfsPointer, path.string(), ""};
  if (const std::string kind = vendorKind(path, bytes); !kind.empty()) {
    return {ErrorCode::kVendorReport, path.string(), "." + kind};
  }
  return {ErrorCode::kNotAReport, path.string(), "is neither a .rep nor an SQLite export of Nsight Systems"};
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

Result<Header> readHeader(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return tl::unexpected(systemError(path, error ? error.value() : ENOENT));
  }
  if (fs::is_directory(status)) return tl::unexpected(Error{ErrorCode::kIsFolder, path.string(), ""});
  if (!fs::is_regular_file(status)) {
    return tl::unexpected(Error{ErrorCode::kNotAReport, path.string(), "is a pipe or a device, not a file"});
  }
  const Result<std::string> bytes = firstBytes(path);
  if (!bytes) return tl::unexpected(bytes.error());
  if (bytes->empty()) return tl::unexpected(Error{ErrorCode::kEmpty, path.string(), ""});
  if (!bytes->starts_with(kSqliteMagic)) return tl::unexpected(notSqlite(path, *bytes));
  const std::uint64_t fileSize = fs::file_size(path, error);
  if (error) return tl::unexpected(systemError(path, error.value()));
  if (std::string what = contradiction(*bytes, fileSize); !what.empty()) {
    return tl::unexpected(Error{ErrorCode::kDamaged, path.string(), std::move(what)});
  }
  return Header{.applicationId = bigEndian(*bytes, 68, 4), .userVersion = bigEndian(*bytes, 60, 4)};
}

}  // namespace lanescope::report
