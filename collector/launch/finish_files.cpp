// SPDX-License-Identifier: Apache-2.0
#include "collector/launch/finish_files.h"

#include <algorithm>

#include "model/report/rows_host.h"

namespace lanescope::launch {

FileRows::Kind FileRows::kindOf(std::string_view name) {
  constexpr std::pair<std::string_view, Kind> kNames[] = {
      {"open", Kind::kOpen},        {"open64", Kind::kOpen},
      {"openat", Kind::kOpen},      {"openat64", Kind::kOpen},
      {"creat", Kind::kOpen},       {"creat64", Kind::kOpen},
      {"fopen", Kind::kOpen},       {"fopen64", Kind::kOpen},
      {"read", Kind::kRead},        {"pread", Kind::kRead},
      {"pread64", Kind::kRead},     {"readv", Kind::kRead},
      {"preadv", Kind::kRead},      {"preadv64", Kind::kRead},
      {"fread", Kind::kRead},       {"fgets", Kind::kRead},
      {"getline", Kind::kRead},     {"getdelim", Kind::kRead},
      {"write", Kind::kWrite},      {"pwrite", Kind::kWrite},
      {"pwrite64", Kind::kWrite},   {"writev", Kind::kWrite},
      {"pwritev", Kind::kWrite},    {"pwritev64", Kind::kWrite},
      {"fwrite", Kind::kWrite},     {"sendfile", Kind::kWrite},
      {"sendfile64", Kind::kWrite}, {"copy_file_range", Kind::kRead},
      {"close", Kind::kClose},      {"fclose", Kind::kClose},
      {"dup", Kind::kCopy},         {"dup2", Kind::kCopy},
      {"dup3", Kind::kCopy},
  };
  const auto* const found = std::ranges::find(kNames, name, &std::pair<std::string_view, Kind>::first);
  return found != std::end(kNames) ? found->second : Kind::kNone;
}

void FileRows::take(const wire::OsCall& call, std::uint32_t tid, report::Id row) {
  constexpr std::uint64_t kMostDescriptors = 1u << 30;
  const std::string_view name = process_.text(call.name).value_or("");
  const Kind kind = kindOf(name);
  if (kind == Kind::kNone || call.object >= kMostDescriptors) return;
  if ((kind == Kind::kOpen || kind == Kind::kCopy || kind == Kind::kClose) && call.result < 0) return;
  if (call.object == 0 && call.about == 0 && kind != Kind::kClose) return;  // of no descriptor, or of one not known
  if (accesses_.size() == kMost) {
    ++counts_.leftOut;
    return;
  }
  std::int64_t bytes = 0;
  if (kind == Kind::kRead || kind == Kind::kWrite || kind == Kind::kCopy)
    bytes = std::max<std::int64_t>(call.result, 0);
  if (name == "fgets") bytes = 0;  // it returns an address
  // fread() and fwrite() count items.
  if (call.header.aux > 0 && __builtin_mul_overflow(bytes, std::int64_t{call.header.aux}, &bytes)) bytes = 0;
  accesses_.push_back({.start = process_.time(call.start),
                       .end = process_.time(call.end),
                       .row = row,
                       .path = call.about,
                       .bytes = bytes,
                       .descriptor = static_cast<std::int32_t>(call.object),
                       .tid = tid,
                       .kind = kind});
}

void FileRows::finish() {
  // What opens a file has ended before another call uses it, and what closes it has begun after.
  const auto order = [](const Access& access) { return access.kind == Kind::kOpen ? access.end : access.start; };
  std::ranges::stable_sort(accesses_, {}, order);
  for (const Access& access : accesses_) apply(access);
  std::vector<Access>().swap(accesses_);
  while (!open_.empty()) {
    const auto [descriptor, id] = *open_.begin();
    close(descriptor, files_.at(id).last);
  }
}

void FileRows::apply(const Access& access) {
  if (access.kind == Kind::kOpen) close(access.descriptor, access.start);  // which nobody saw
  const auto copy = access.kind == Kind::kCopy ? static_cast<std::int32_t>(access.bytes) : access.descriptor;
  if (copy != access.descriptor) close(copy, access.start);
  File* const file = fileOf(access);
  if (file == nullptr) return;
  file->last = std::max(file->last, access.end);
  if (copy != access.descriptor) open(copy, *file);
  if (access.kind == Kind::kCopy) return;
  write(*file, access);
  if (access.kind == Kind::kClose) close(access.descriptor, access.end);
}

FileRows::File* FileRows::fileOf(const Access& access) {
  const auto known = open_.find(access.descriptor);
  if (known != open_.end()) {
    File& file = files_.at(known->second);
    if (access.path == 0 || access.path == file.path) return &file;
    close(access.descriptor, file.last);  // another file has come to its number
  }
  if (!process_.text(access.path).value_or("").starts_with('/')) return nullptr;  // a socket, a pipe
  const File file{++counts_.files, access.path, access.start, access.end, 0};
  File& added = files_.emplace(file.id, file).first->second;
  open(access.descriptor, added);
  return &added;
}

void FileRows::open(std::int32_t descriptor, const File& file) {
  open_[descriptor] = file.id;
  ++files_.at(file.id).descriptors;
}

void FileRows::close(std::int32_t descriptor, trace::Ns time) {
  const auto found = open_.find(descriptor);
  if (found == open_.end()) return;
  const auto file = files_.find(found->second);
  open_.erase(found);
  if (--file->second.descriptors > 0) return;
  writer_.add(report::FileDescriptorRow{.file = file->first,
                                        .globalPid = process_.globalPid(),
                                        .opened = file->second.opened,
                                        .closed = std::max(time, file->second.opened),
                                        .path = process_.text(file->second.path).value_or("")});
  files_.erase(file);
}

void FileRows::write(const File& file, const Access& access) {
  writer_.add(report::FileAccessRow{.file = file.id,
                                    .globalTid = process_.globalTid(access.tid),
                                    .start = access.start,
                                    .end = access.end,
                                    .type = static_cast<std::int64_t>(access.kind),
                                    .call = access.row,
                                    .bytes = access.bytes});
}

}  // namespace lanescope::launch
