// SPDX-License-Identifier: Apache-2.0
#include "model/report/table_pages.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace lanescope::report {
namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::uint64_t kLongestPayload = 256u << 20;  // as Database::open limits SQLite
constexpr int kDeepest = 32;                           // levels of a b-tree; real ones have four

std::uint32_t bigEndian32(const unsigned char* p) {
  return std::uint32_t{p[0]} << 24 | std::uint32_t{p[1]} << 16 | std::uint32_t{p[2]} << 8 | p[3];
}
std::uint32_t bigEndian16(const unsigned char* p) { return std::uint32_t{p[0]} << 8 | p[1]; }

bool takeLongVarint(const unsigned char*& from, const unsigned char* end, std::uint64_t& value) {
  value = 0;
  for (int i = 0; i < 9 && from + i < end; ++i) {
    value = i == 8 ? value << 8 | from[i] : value << 7 | (from[i] & 0x7F);
    if (i < 8 && from[i] >= 0x80) continue;
    from += i + 1;
    return true;
  }
  return false;
}

/// Takes a varint off the front; false if it does not end in time. Most are one byte.
inline bool takeVarint(const unsigned char*& from, const unsigned char* end, std::uint64_t& value) {
  if (from < end && *from < 0x80) {
    value = *from++;
    return true;
  }
  return takeLongVarint(from, end, value);
}

std::uint64_t sizeOf(std::uint64_t serialType) {
  constexpr std::uint8_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
  return serialType < std::size(kSizes) ? kSizes[serialType] : (serialType - 12) / 2;
}

/// The file, read in windows: the pages of a table mostly follow each other.
class PageFile {
 public:
  explicit PageFile(const std::filesystem::path& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    std::array<unsigned char, 100> header;
    if (file_ < 0 || ::pread(file_, header.data(), header.size(), 0) != static_cast<ssize_t>(header.size())) return;
    pageSize_ = bigEndian16(&header[16]) == 1 ? 65536 : bigEndian16(&header[16]);
    usable_ = pageSize_ - header[20];
    if (pageSize_ < 512 || (pageSize_ & (pageSize_ - 1)) != 0 || usable_ < 480) {
      pageSize_ = 0;
      return;
    }
    pages_ = static_cast<std::uint64_t>(std::max<off_t>(::lseek(file_, 0, SEEK_END), 0)) / pageSize_;
    window_.resize(std::max<std::size_t>(kWindow, pageSize_));
  }
  ~PageFile() {
    if (file_ >= 0) ::close(file_);
  }
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  bool ok() const { return pageSize_ != 0; }
  std::uint32_t usable() const { return usable_; }
  std::uint64_t pages() const { return pages_; }

  /// The usable bytes of a page, valid until the next call; empty if there is no such page.
  Bytes page(std::uint64_t number) {
    if (number == 0 || number > pages_) return {};
    const std::uint64_t offset = (number - 1) * pageSize_;
    if (offset < windowBegin_ || offset + pageSize_ > windowEnd_) {
      windowBegin_ = offset / window_.size() * window_.size();
      const ssize_t got = ::pread(file_, window_.data(), window_.size(), static_cast<off_t>(windowBegin_));
      windowEnd_ = windowBegin_ + static_cast<std::uint64_t>(std::max<ssize_t>(got, 0));
      if (offset + pageSize_ > windowEnd_) return {};
    }
    return {window_.data() + (offset - windowBegin_), usable_};
  }

 private:
  static constexpr std::size_t kWindow = 64 * 1024;
  int file_;
  std::uint32_t pageSize_ = 0, usable_ = 0;
  std::uint64_t pages_ = 0;
  std::vector<unsigned char> window_;
  std::uint64_t windowBegin_ = 0, windowEnd_ = 0;
};

std::string quotedText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted + "'";
}

/// A column declared INTEGER PRIMARY KEY is the rowid by another name: its place in the record is empty.
std::string rowidColumn(const Database& database, std::string_view table) {
  constexpr int kName = 1, kType = 2, kKey = 5;
  std::string name;
  int keys = 0;
  auto columns = database.prepare("PRAGMA table_info(" + quotedName(table) + ")");
  while (columns && columns->step()) {
    if (columns->integer(kKey) == 0) continue;
    ++keys;
    std::string type(columns->text(kType));
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::toupper(c); });
    if (type == "INTEGER") name = columns->text(kName);
  }
  return keys == 1 ? name : std::string();
}

class PageScan {
 public:
  PageScan(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit)
      : file_(database.path()), visit_(visit), filler_(columns.size()) {
    const std::vector<std::string>& stored = database.columns(table);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto found = std::find(stored.begin(), stored.end(), columns[i]);
      if (found == stored.end()) continue;
      const auto position = static_cast<std::size_t>(found - stored.begin());
      if (slots_.size() <= position) slots_.resize(position + 1);
      slots_[position].push_back(i);
    }
    const std::string key = rowidColumn(database, table);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (!key.empty() && columns[i] == key) rowidColumns_.push_back(i);
    root_ = static_cast<std::uint64_t>(
        database.integer("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = " + quotedText(table)));
  }

  ScanEnd run() { return file_.ok() ? tree(root_, 0) : ScanEnd::kDamaged; }

 private:
  ScanEnd tree(std::uint64_t number, int depth) {
    // A sound tree names no page twice; a damaged one may go in circles.
    if (depth > kDeepest || ++pagesSeen_ > file_.pages()) return ScanEnd::kDamaged;
    const Bytes page = file_.page(number);
    const std::size_t header = number == 1 ? 100 : 0;
    if (page.size() < header + 12) return ScanEnd::kDamaged;
    const unsigned char kind = page[header];
    if (kind != kLeaf && kind != kInterior) return ScanEnd::kDamaged;
    const std::size_t cells = bigEndian16(&page[header + 3]);
    const std::size_t pointers = header + (kind == kLeaf ? 8 : 12);
    if (pointers + 2 * cells > page.size()) return ScanEnd::kDamaged;
    if (kind == kLeaf) return leaf(page, pointers, cells);

    std::vector<std::uint32_t> children;
    children.reserve(cells + 1);
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t at = bigEndian16(&page[pointers + 2 * i]);
      if (at + 4 > page.size()) return ScanEnd::kDamaged;
      children.push_back(bigEndian32(&page[at]));
    }
    children.push_back(bigEndian32(&page[header + 8]));
    for (const std::uint32_t child : children)
      if (const ScanEnd end = tree(child, depth + 1); end != ScanEnd::kWhole) return end;
    return ScanEnd::kWhole;
  }

  ScanEnd leaf(Bytes page, std::size_t pointers, std::size_t cells) {
    for (std::size_t i = 0; i < cells; ++i) {
      const std::size_t at = bigEndian16(&page[pointers + 2 * i]);
      if (at >= page.size()) return ScanEnd::kDamaged;
      Bytes cell = page.subspan(at);
      std::uint64_t size = 0, rowid = 0;
      const unsigned char* next = cell.data();
      const unsigned char* const end = next + cell.size();
      if (!takeVarint(next, end, size) || !takeVarint(next, end, rowid) || size > kLongestPayload)
        return ScanEnd::kDamaged;
      cell = {next, end};
      const std::size_t local = localSize(size);
      if (local > cell.size()) return ScanEnd::kDamaged;
      Bytes payload = cell.first(local);
      if (local < size) {
        if (cell.size() < local + 4) return ScanEnd::kDamaged;
        // Reading on moves the window that this page is in.
        if (page.data() != pageCopy_.data()) pageCopy_.assign(page.begin(), page.end());
        if (!gather(payload, bigEndian32(&cell[local]), size)) return ScanEnd::kDamaged;
        payload = whole_;
        page = pageCopy_;
      }
      filler_.setRowid(static_cast<std::int64_t>(rowid));
      if (!record(payload)) return ScanEnd::kDamaged;
      if (!visit_(filler_.row())) return ScanEnd::kStopped;
    }
    return ScanEnd::kWhole;
  }

  /// How much of a payload stands in the leaf itself; the rest is on overflow pages.
  std::size_t localSize(std::uint64_t size) const {
    const std::uint64_t usable = file_.usable();
    if (size <= usable - 35) return size;
    const std::uint64_t least = (usable - 12) * 32 / 255 - 23;
    const std::uint64_t fitting = least + (size - least) % (usable - 4);
    return fitting <= usable - 35 ? fitting : least;
  }

  bool gather(Bytes local, std::uint32_t overflow, std::uint64_t size) {
    whole_.assign(local.begin(), local.end());
    while (whole_.size() < size) {
      if (++pagesSeen_ > file_.pages()) return false;
      const Bytes page = file_.page(overflow);
      if (page.empty()) return false;
      const std::size_t take = std::min<std::uint64_t>(size - whole_.size(), page.size() - 4);
      whole_.insert(whole_.end(), page.begin() + 4, page.begin() + 4 + static_cast<std::ptrdiff_t>(take));
      overflow = bigEndian32(page.data());
    }
    return true;
  }

  /// Points the wanted cells into the record.
  bool record(Bytes payload) {
    const unsigned char* header = payload.data();
    std::uint64_t headerSize = 0;
    if (!takeVarint(header, header + payload.size(), headerSize) || headerSize > payload.size()) return false;
    const unsigned char* const headerEnd = payload.data() + headerSize;
    if (header > headerEnd) return false;
    std::uint64_t offset = headerSize;
    for (const std::vector<std::size_t>& wanted : slots_) {
      std::uint64_t type = 0;  // a row older than the column
      if (header < headerEnd && !takeVarint(header, headerEnd, type)) return false;
      const std::uint64_t size = sizeOf(type);
      if (size > payload.size() - offset) return false;
      for (const std::size_t slot : wanted) filler_.cell(slot) = {type, payload.data() + offset};
      offset += size;
    }
    if (!rowidColumns_.empty()) {
      const auto rowid = static_cast<std::uint64_t>(filler_.row().rowid());
      for (int i = 0; i < 8; ++i)
        rowidBytes_[static_cast<std::size_t>(i)] = static_cast<unsigned char>(rowid >> (56 - 8 * i));
      for (const std::size_t slot : rowidColumns_) filler_.cell(slot) = {6, rowidBytes_.data()};
    }
    return true;
  }

  static constexpr unsigned char kLeaf = 0x0D, kInterior = 0x05;

  PageFile file_;
  RowVisitor visit_;
  RowFiller filler_;
  std::vector<std::vector<std::size_t>> slots_;  // per stored column: which wanted ones it is
  std::vector<std::size_t> rowidColumns_;
  std::array<unsigned char, 8> rowidBytes_{};
  std::uint64_t root_ = 0;
  std::uint64_t pagesSeen_ = 0;
  std::vector<unsigned char> pageCopy_, whole_;
};

}  // namespace

bool canReadPages(const Database& database, std::string_view table) {
  if (database.text("PRAGMA encoding") != "UTF-8") return false;
  auto columns = database.prepare("PRAGMA table_xinfo(" + quotedName(table) + ")");
  if (!columns) return false;
  constexpr int kDefault = 4, kHidden = 6;
  while (columns->step())
    if (columns->integer(kHidden) != 0 || !columns->isNull(kDefault)) return false;
  if (columns->failed()) return false;
  // An INTEGER PRIMARY KEY that needs an index of its own (DESC) is not the rowid.
  return rowidColumn(database, table).empty() || database.integer(
                                                     "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name "
                                                     "LIKE 'sqlite_autoindex_%' AND tbl_name = " +
                                                     quotedText(table)) == 0;
}

ScanEnd scanPages(const Database& database, std::string_view table, const Columns& columns, RowVisitor visit) {
  return PageScan(database, table, columns, visit).run();
}

}  // namespace lanescope::report
